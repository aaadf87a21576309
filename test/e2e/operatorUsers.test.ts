import assert from 'node:assert/strict'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, password, rawMail, type Session, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { makeOperator, operatorsPath, operatorUser, secured, withoutFactor } from '../support/operatorUser.ts'
import { colleague } from '../support/people.ts'
import type { AuditRecord, ListRecord, ProblemRecord, SessionRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

type Operator = { id: string; email: string; totp_enabled: boolean; created_at: string }
type WithOperator = SessionRecord & { user: { operator: boolean } }

const users = '/api/v1/operator/users'
const auditLog = '/api/v1/operator/audit-log'

describe('users who are operators', () => {
  const system = useSystem()
  let tenant: Tenant
  let token: Caller
  before(async () => {
    tenant = await system().client.tenant()
    token = system().client.withOperatorToken()
  })

  const note = (by: Caller, headers: Record<string, string> = {}) => {
    const path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    return by.call<ProblemRecord>({ method: 'PATCH', path, json: { note: fresh('note') }, headers })
  }
  const logIn = async (email: string, code: string): Promise<Session> => {
    const call = { path: '/api/v1/auth/login', json: { email, password, code } }
    const response = await system().client.call<SessionRecord>(call)
    assert.equal(response.status, 200, response.text)
    return system().client.session(response)
  }
  const isOperator = async (session: Session) =>
    (await session.call<WithOperator>({ path: '/api/v1/auth/session' })).body.user.operator
  const withoutId = ({ status, body }: HttpResponse<ProblemRecord>) => ({ ...body, status, request_id: '' })

  it('act under their own name with a second factor, until the token removes them', async () => {
    const { session, email, id } = await operatorUser(system(), tenant)
    assert.equal(await isOperator(session), true)
    assert.equal((await note(session)).status, 200)
    const { data } = (await session.call<ListRecord<Operator>>({ path: `${operatorsPath}?limit=100` })).body
    const listed = data.find((one) => one.id === id)
    assert.deepEqual([listed?.email, listed?.totp_enabled], [email, true])

    const entries = await session.call<ListRecord<AuditRecord>>({ path: `${auditLog}?actor=${id}&action=workspace.*` })
    assert.deepEqual(
      entries.body.data.map(({ action, actor, workspace }) => [action, actor, workspace]),
      [['workspace.control', { type: 'operator', id, email, name: null }, tenant.workspace.id]],
    )
    // The people of the workspace see neither who it was nor the note, and cannot search for it.
    const path = '/api/v1/audit-log?action=workspace.control'
    const own = (await tenant.session.call<ListRecord<AuditRecord>>({ path })).body.data[0]
    assert.deepEqual([own?.actor, own?.after], [{ type: 'operator', id: null, email: null, name: null }, {}])
    const found = await tenant.session.call<ListRecord<AuditRecord>>({ path: `${path}&actor=${id}` })
    assert.deepEqual(found.body.data, [])

    const removed = await token.call({ method: 'DELETE', path: `${operatorsPath}/${id}` })
    assert.equal(removed.status, 204, removed.text)
    assertProblem(await note(session), 401, 'unauthenticated')
    assert.equal(await isOperator(session), false)
    assertProblem(await token.call({ method: 'DELETE', path: `${operatorsPath}/${id}` }), 404, 'not_found')
    const lines = await token.call<ListRecord<AuditRecord>>({ path: `${auditLog}?action=operator.*&limit=100` })
    assert.deepEqual(
      lines.body.data.filter(({ target }) => target === id).map(({ action, actor }) => [action, actor.type, actor.id]),
      [
        ['operator.remove', 'operator', null],
        ['operator.add', 'operator', null],
      ],
    )
  })

  it('must exist and have a confirmed address and a second factor', async () => {
    const add = (email: string) => token.call({ path: operatorsPath, json: { email } })
    assertProblem(await add(fresh('no-one')), 422, 'validation_failed', [{ path: 'email', code: 'unknown_user' }])
    const { user } = tenant.session.record
    assertProblem(await add(user.email), 422, 'validation_failed', [{ path: 'email', code: 'unconfirmed_address' }])
    assert.equal(await isOperator(tenant.session), false)
    // Such a user was marked, and then a stolen session was enough to enroll a device and to act as the operator.
    const { session, email } = await colleague(system(), tenant, 'viewer')
    assertProblem(await add(email), 422, 'validation_failed', [{ path: 'email', code: 'totp_required' }])
    assert.equal(await isOperator(session), false)
  })

  it('need a second factor, and a session that passed it', async () => {
    const { session: first, email } = await colleague(system(), tenant, 'admin')
    const other = await logIn(email, '')
    const { session, recovery } = await secured(system(), first)
    await makeOperator(system(), email)
    assert.equal((await note(session)).status, 200)
    assertProblem(await note(other), 403, 'forbidden', [{ code: 'totp_not_passed' }])
    const passed = await logIn(email, recovery[0] ?? '')
    assert.equal((await note(passed)).status, 200)
    await withoutFactor(session, recovery.slice(1))
    for (const one of [session, passed]) assertProblem(await note(one), 403, 'forbidden', [{ code: 'totp_required' }])
  })

  it('lose access with the end of their session, and when they are disabled', async () => {
    const { session, email, recovery, id } = await operatorUser(system(), tenant)
    const other = await logIn(email, recovery[0] ?? '')
    const out = await session.call({ method: 'POST', path: '/api/v1/auth/logout' })
    assert.equal(out.status, 204, out.text)
    assertProblem(await note(session), 401, 'unauthenticated')
    assert.equal((await note(other)).status, 200)
    const disabled = await token.call({ method: 'PATCH', path: `${users}/${id}`, json: { disabled: true } })
    assert.equal(disabled.status, 200, disabled.text)
    assertProblem(await note(other), 401, 'unauthenticated')
  })

  it('make no operators, and open nothing with their keys', async () => {
    const { session } = await operatorUser(system(), tenant)
    assertProblem(await session.call({ path: operatorsPath, json: { email: fresh() } }), 403, 'forbidden')
    const removal = { method: 'DELETE', path: `${operatorsPath}/${session.record.user.id}` } as const
    assertProblem(await session.call(removal), 403, 'forbidden')
    const key = await tenant.makeKey({ scopes: [...scopes] })
    assertProblem(await note(key), 401, 'unauthenticated')
    // The header decides, even with the cookie of the operator.
    const { cookie } = session
    assertProblem(await note(key, { cookie, 'x-csrf-token': session.record.csrf_token }), 401, 'unauthenticated')
  })

  it('change nothing for a page of another origin', async () => {
    const { session } = await operatorUser(system(), tenant)
    for (const headers of [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': tenant.session.record.csrf_token },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      assertProblem(await note(session, headers as Record<string, string>), 403, 'csrf')
    const { url } = system().client
    assert.equal((await note(session, { origin: url, 'sec-fetch-site': 'same-origin' })).status, 200)
    // The responses to reads are for our own pages only.
    const read = await session.call({ path: users, headers: { origin: 'https://evil.example' } })
    assert.equal(read.headers['access-control-allow-origin'], undefined)
  })

  it('are the only users: an owner gets the response of an unauthenticated client', async () => {
    for (const headers of [{}, { 'x-csrf-token': '' }]) {
      const stranger = await note(system().client)
      assertProblem(stranger, 401, 'unauthenticated')
      assert.deepEqual(withoutId(await note(tenant.session, headers as Record<string, string>)), withoutId(stranger))
    }
  })

  it('read no mail of other workspaces', async () => {
    const { session } = await operatorUser(system(), await system().client.tenant())
    const { body: email } = await tenant.send(rawMail({ scheduled_at: 'PT1H' }))
    for (const part of ['', '/raw', '/content', '/html', '/explain'])
      assertProblem(await session.call({ path: `/api/v1/emails/${email.id}${part}` }), 404, 'not_found')
    const { data } = (await session.call<ListRecord<unknown>>({ path: '/api/v1/emails' })).body
    assert.deepEqual(data, [])
  })
})
