import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { operationsOf, pathWith, rowOf } from '../support/accessTable.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, password, rawMail, type Session } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { accepting, colleague, invite, tokenFor } from '../support/people.ts'
import type { ListRecord, ProblemRecord, SessionRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

const auth = '/api/v1/auth'
const workspacePath = '/api/v1/workspace'

describe('required second factor of a workspace', () => {
  const system = useSystem()
  const logIn = (email: string, code?: string) =>
    system().client.call<SessionRecord>({ path: `${auth}/login`, json: { email, password, ...(code && { code }) } })

  /** Switches the second factor on. */
  const secure = async (session: Session) => {
    const started = await session.call<{ secret: string }>({ method: 'POST', path: `${auth}/totp` })
    const { secret } = started.body
    const code = new TOTP({ secret }).generate()
    type Enabled = SessionRecord & { recovery_codes: string[] }
    const response = await session.call<Enabled>({ path: `${auth}/totp/confirm`, json: { code } })
    assert.equal(response.status, 200, response.text)
    return { session: system().client.session(response), recovery: response.body.recovery_codes }
  }
  const requiring = (session: Session, require_totp: boolean) =>
    session.call({ method: 'PATCH', path: workspacePath, json: { require_totp } })
  const assertRefused = (response: HttpResponse<unknown>) =>
    assert.match(
      assertProblem(response as HttpResponse<ProblemRecord>, 403, 'forbidden', [{ code: 'totp_required' }]).detail,
      /POST \/api\/v1\/auth\/totp/,
    )

  /** An owner who has a second factor and requires it, and a colleague without one. */
  const requiredOf = async (role: string) => {
    const tenant = await system().client.tenant()
    const other = await colleague(system(), tenant, role)
    const owner = await secure(tenant.session)
    assert.equal((await requiring(owner.session, true)).status, 200)
    return { tenant, owner, other }
  }

  it('refuses a member each operation of the workspace until the factor is on; keys work', async () => {
    const { tenant, other } = await requiredOf('admin')
    const operations = operationsOf((await system().client.call({ path: '/api/v1/openapi.json' })).body)
    for (const operation of operations) {
      const { name, method, body: json } = operation
      if (typeof rowOf(operation) === 'string' || name.includes('/auth/') || name.includes('/workspaces')) continue
      const path = pathWith(operation, 'em_01h2xcejqtf2nbrexx3vqjhp41')
      assertRefused(await other.session.call({ method, path, ...(json === undefined ? {} : { json }) }))
    }
    assert.equal((await tenant.send(rawMail())).status, 202)
    const { user, role } = (await other.session.call<SessionRecord>({ path: `${auth}/session` })).body
    assert.deepEqual([user.totp_enabled, role], [false, 'admin'])
    const on = await secure(other.session)
    assert.equal((await on.session.call({ path: '/api/v1/emails' })).status, 200)
    assert.equal((await on.session.call({ path: workspacePath })).status, 200)
  })

  it('lets a member leave, move to another workspace, and refuses the captured mail', async () => {
    const { other } = await requiredOf('owner')
    const made = await other.session.call<{ id: string }>({ path: '/api/v1/workspaces', json: { name: 'Mine' } })
    assert.equal(made.status, 201, made.text)
    const moving = { path: `${auth}/session`, json: { workspace: made.body.id } }
    const moved = await other.session.call<SessionRecord>(moving)
    assert.equal(moved.status, 200, moved.text)
    const session = system().client.session(moved)
    assert.equal((await session.call({ path: workspacePath })).status, 200)
    const back = { path: `${auth}/session`, json: { workspace: other.session.record.workspace.id } }
    const returned = system().client.session(await session.call<SessionRecord>(back))
    assertRefused(await returned.call({ path: workspacePath }))
    const left = await returned.call({ method: 'POST', path: `/api/v1/workspaces/${back.json.workspace}/leave` })
    assert.equal(left.status, 204, left.text)
  })

  it('an invitation can be accepted without a second factor; other operations then return 403', async () => {
    const { owner } = await requiredOf('viewer')
    const token = await invite(system(), owner.session, fresh('late'), 'member')
    const joined = await system().client.call<SessionRecord>({ path: accepting, json: { token, password } })
    assert.equal(joined.status, 200, joined.text)
    assertRefused(await system().client.session(joined).call({ path: '/api/v1/emails' }))
  })

  it('refuses the member who switches the factor off again, and an earlier session too', async () => {
    const { other } = await requiredOf('member')
    const { session, recovery } = await secure(other.session)
    const [first, second] = recovery
    const opened = system().client.session(await logIn(other.email, first))
    assert.equal((await opened.call({ path: '/api/v1/emails' })).status, 200)
    const off = await session.call({ method: 'DELETE', path: `${auth}/totp`, json: { code: second } })
    assert.equal(off.status, 204, off.text)
    for (const one of [session, opened]) assertRefused(await one.call({ path: '/api/v1/emails' }))
    assertRefused(
      await system()
        .client.session(await logIn(other.email))
        .call({ path: '/api/v1/emails' }),
    )
    assert.equal((await (await secure(session)).session.call({ path: '/api/v1/emails' })).status, 200)
  })

  it('is decided by an owner only, and ends immediately', async () => {
    const { owner, other } = await requiredOf('admin')
    const { session } = await secure(other.session)
    assertProblem(await requiring(session, false), 403, 'forbidden')
    const viewer = await colleague(system(), { session: owner.session }, 'viewer')
    assertRefused(await viewer.session.call({ path: '/api/v1/emails' }))
    assert.equal((await requiring(owner.session, false)).status, 200)
    assert.equal((await viewer.session.call({ path: '/api/v1/emails' })).status, 200)
  })

  it('is required of a user with a factor who accepts an invitation by password, or signs up again', async () => {
    const host = await system().client.tenant()
    const guest = await colleague(system(), host, 'member')
    const { recovery } = await secure(guest.session)
    const needed = (response: HttpResponse<unknown>, code: string) =>
      assertProblem(response as HttpResponse<ProblemRecord>, 401, 'unauthenticated', [{ path: 'code', code }])
    const other = await system().client.tenant()
    await invite(system(), other.session, guest.email, 'viewer')
    const token = await tokenFor(system(), guest.email, 2)
    const accept = (code?: string) =>
      system().client.call<SessionRecord>({ path: accepting, json: { token, password, ...(code && { code }) } })
    needed(await accept(), 'totp_required')
    needed(await accept('000000'), 'invalid_code')
    const joined = await accept(recovery[0])
    assert.deepEqual([joined.status, joined.body.workspace?.id], [200, other.workspace.id], joined.text)
    for (const { session } of [host, other]) {
      const gone = await session.call({ method: 'DELETE', path: `/api/v1/members/${guest.id}` })
      assert.equal(gone.status, 204, gone.text)
    }
    const signUp = (code?: string) => system().client.signUp({ email: guest.email, ...(code && { code }) })
    needed(await signUp(), 'totp_required')
    needed(await signUp('000000'), 'invalid_code')
    needed(await signUp(recovery[0]), 'invalid_code')
    const again = await signUp(recovery[1])
    assert.deepEqual([again.status, again.body.user?.id], [201, guest.id], again.text)
  })

  it('shows owners and admins who has a second factor, and other members only their own state', async () => {
    const tenant = await system().client.tenant()
    const [admin, member] = [await colleague(system(), tenant, 'admin'), await colleague(system(), tenant, 'member')]
    const viewer = await colleague(system(), tenant, 'viewer')
    const secured = (await secure(viewer.session)).session
    type Row = { user: { id: string }; role: string; totp_enabled: boolean | null }
    const seenBy = async (session: Session) => {
      const { body } = await session.call<ListRecord<Row>>({ path: '/api/v1/members' })
      return Object.fromEntries(body.data.map(({ role, totp_enabled }) => [role, totp_enabled]))
    }
    const all = { owner: false, admin: false, member: false, viewer: true }
    assert.deepEqual(await seenBy(tenant.session), all)
    assert.deepEqual(await seenBy(admin.session), all)
    assert.deepEqual(await seenBy(member.session), { owner: null, admin: null, member: false, viewer: null })
    assert.deepEqual(await seenBy(secured), { owner: null, admin: null, member: null, viewer: true })
  })
})
