import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { assertSince } from '../support/assertSince.ts'
import { fresh, password, rawMail, type Session, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { accepting, type Colleague, colleague, invitations, invite, tokenFor } from '../support/people.ts'
import type { ListRecord, SessionRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

type MemberRecord = {
  object: string
  user: { id: string; email: string }
  role: string
  joined_at: string
  last_seen_at: string | null
}
type InvitationRecord = { object: string; id: string; email: string; role: string; status: string; expires_at: string }

const members = '/api/v1/members'
const sessionPath = '/api/v1/auth/session'

describe('members', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const join = (role: string, to: Pick<Tenant, 'session'> = tenant): Promise<Colleague> => colleague(system(), to, role)
  const accept = (json: Record<string, unknown>, headers: Record<string, string> = {}) =>
    system().client.call<SessionRecord>({ path: accepting, json, headers })
  const listed = async (session: Session): Promise<MemberRecord[]> =>
    (await session.call<ListRecord<MemberRecord>>({ path: `${members}?limit=100` })).body.data
  const setRole = (by: Session, id: string, role: string) =>
    by.call<MemberRecord>({ method: 'PATCH', path: `${members}/${id}`, json: { role } })
  const remove = (by: Session, id: string) => by.call({ method: 'DELETE', path: `${members}/${id}` })
  const stateOf = (session: Session) => session.call<SessionRecord>({ path: sessionPath })
  const logIn = async (email: string): Promise<Session> =>
    system().client.session(
      await system().client.call<SessionRecord>({ path: '/api/v1/auth/login', json: { email, password } }),
    )

  it('an invitation by mail makes a new user a member who is logged in', async () => {
    const email = fresh('invited')
    const began = Date.now()
    const created = await tenant.session.call<InvitationRecord>({ path: invitations, json: { email, role: 'admin' } })
    assert.equal(created.status, 201, created.text)
    const { object, id, role, status, expires_at } = created.body
    assert.deepEqual([object, role, status], ['invitation', 'admin', 'pending'])
    assert.match(id, /^inv_/)
    assertSince(expires_at, began, 7 * 86_400_000)
    const open = await tenant.session.call<ListRecord<InvitationRecord>>({ path: invitations })
    assert.deepEqual(open.body.data[0], created.body)
    const token = await tokenFor(system(), email)
    const { mail } = await system().receiver.waitFor(email)
    assert.equal(mail.subject, 'Invitation to Acme')
    assert.ok(mail.text?.includes(tenant.email))
    const response = await accept({ token, password })
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(
      [response.body.user.email, response.body.workspace.id, response.body.role],
      [email, tenant.workspace.id, 'admin'],
    )
    const session = system().client.session(response)
    const [newest] = await listed(session)
    assert.deepEqual([newest?.object, newest?.user.email, newest?.role], ['member', email, 'admin'])
    assert.ok(newest?.last_seen_at)
    assert.deepEqual((await logIn(email)).record.workspace.id, tenant.workspace.id)
    const after = await tenant.session.call<ListRecord<InvitationRecord>>({ path: invitations })
    assert.ok(after.body.data.every((one) => one.id !== id))
  })

  it('the mail of an invitation is read by no tenant', async () => {
    const email = fresh('private')
    await invite(system(), tenant.session, email, 'viewer')
    const query = `?to=${encodeURIComponent(email)}`
    assert.deepEqual((await tenant.list(query)).data, [])
    assert.deepEqual((await tenant.session.call<ListRecord<unknown>>({ path: `/api/v1/emails${query}` })).body.data, [])
  })

  it('a user with an account accepts with the session, which moves, or with the password', async () => {
    const other = await system().client.tenant()
    const bySession = await invite(system(), tenant.session, other.email, 'member')
    const { cookie, record } = other.session
    const unprotected = await accept({ token: bySession }, { cookie })
    assertProblem(unprotected, 403, 'csrf')
    const moved = await accept({ token: bySession }, { cookie, 'x-csrf-token': record.csrf_token })
    assert.deepEqual([moved.status, moved.body.workspace.id, moved.body.role], [200, tenant.workspace.id, 'member'])
    assert.deepEqual([record.user.email_confirmed, moved.body.user.email_confirmed], [false, true])
    assert.notEqual(moved.body.csrf_token, record.csrf_token)
    assert.equal((await stateOf(other.session)).body.workspace.id, tenant.workspace.id)

    const third = await system().client.tenant()
    const token = await invite(system(), tenant.session, third.email, 'viewer')
    assertProblem(await accept({ token }), 422, 'validation_failed', [{ path: 'password', code: 'missing' }])
    assertProblem(await accept({ token, password: 'not the right one' }), 401, 'unauthenticated')
    const opened = await accept({ token, password })
    assert.deepEqual([opened.status, opened.body.user.id], [200, third.session.record.user.id])
    assert.equal((await stateOf(third.session)).body.user.email_confirmed, true)
    assert.equal((await stateOf(third.session)).body.workspace.id, third.workspace.id, 'other sessions stay')
  })

  const invalidToken = [{ path: 'token', code: 'invalid_link' }]

  it('a link is refused when it is guessed, used, replaced, revoked or used by another person', async () => {
    const invitedOnce = fresh('once')
    const used = await invite(system(), tenant.session, invitedOnce, 'viewer')
    const stranger = await system().client.tenant()
    const { cookie, record } = stranger.session
    const foreign = await accept({ token: used }, { cookie, 'x-csrf-token': record.csrf_token })
    assert.match(assertProblem(foreign, 403, 'forbidden').detail, /logged in with another address/)
    assert.equal((await accept({ token: used, password })).status, 200)
    assertProblem(await accept({ token: used, password }), 422, 'validation_failed', invalidToken)
    assertProblem(await accept({ token: 'A'.repeat(43), password }), 422, 'validation_failed', invalidToken)

    const resent = fresh('resent')
    const first = await invite(system(), tenant.session, resent, 'viewer')
    const { body } = await tenant.session.call<ListRecord<InvitationRecord>>({ path: invitations })
    const path = `${invitations}/${body.data.find(({ email }) => email === resent)?.id}`
    assert.equal((await tenant.session.call({ method: 'POST', path: `${path}/resend` })).status, 200)
    const second = await tokenFor(system(), resent, 2)
    assertProblem(await accept({ token: first, password }), 422, 'validation_failed', invalidToken)
    assert.equal((await tenant.session.call({ method: 'DELETE', path })).status, 204)
    assertProblem(await accept({ token: second, password }), 422, 'validation_failed', invalidToken)
    assertProblem(await tenant.session.call({ method: 'DELETE', path }), 404, 'not_found')
  })

  it('a link is used once by requests at the same moment', async () => {
    const email = fresh('race')
    const token = await invite(system(), tenant.session, email, 'viewer')
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) => accept({ token, password }, { 'x-forwarded-for': `10.9.8.${n}` })),
    )
    assert.equal(
      responses.filter(({ status }) => status === 200).length,
      1,
      responses.map(({ text }) => text).join('\n'),
    )
    assert.ok(responses.every(({ status }) => [200, 422, 503].includes(status)))
    assert.equal((await listed(tenant.session)).filter(({ user }) => user.email === email).length, 1)
  })

  it('programs that open the link change nothing; the button of its page accepts', async () => {
    const email = fresh('page')
    const token = await invite(system(), tenant.session, email, 'member')
    const path = `/account/invitation?token=${token}`
    const headers = { accept: 'text/html' }
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await system().client.call({ method, path, headers })
      assert.equal(page.status, 200)
      if (method === 'GET') assert.ok(page.text.includes(tenant.email) && page.text.includes('member'))
    }
    const form = {
      method: 'POST',
      path: '/account/invitation',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, password }).toString(),
    }
    const crossSite = await system().client.call({
      ...form,
      headers: { ...form.headers, origin: 'https://evil.example' },
    })
    assert.equal(crossSite.status, 403)
    const response = await system().client.call<SessionRecord>(form)
    assert.deepEqual([response.status, response.headers.location], [303, '/account/joined'], response.text)
    const [cookie = ''] = response.headers['set-cookie'] ?? []
    const joined = { path: '/account/joined', headers: { ...headers, cookie: cookie.split(';')[0] ?? '' } }
    assert.match((await system().client.call(joined)).text, /You are a member of Acme/)
    assert.equal((await system().client.call({ path, headers })).status, 404)
  })

  it('the link in the mail never has a host that the request names', async () => {
    const email = fresh('host')
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const json = { email, role: 'viewer' }
    assert.equal((await tenant.session.call({ path: invitations, json, headers })).status, 201)
    await tokenFor(system(), email)
    const { raw } = await system().receiver.waitFor(email)
    assert.ok(!raw.toString().includes('evil.example'))
    const refused = await tenant.session.call({ path: invitations, json, headers: { host: 'evil.example' } })
    assert.ok(refused.status >= 400 && refused.status < 500, String(refused.status))
  })

  it('no one invites above their own role, a member, or an address twice', async () => {
    const [admin, member] = [await join('admin'), await join('member')]
    const inviting = (by: Session, email: string, role: string) => by.call({ path: invitations, json: { email, role } })
    assertProblem(await inviting(admin.session, fresh(), 'owner'), 403, 'forbidden')
    assertProblem(await inviting(member.session, fresh(), 'viewer'), 403, 'forbidden')
    assertProblem(await inviting(admin.session, fresh(), 'root'), 422, 'validation_failed', [{ path: 'role' }])
    assertProblem(await inviting(admin.session, 'nonsense', 'viewer'), 422, 'validation_failed', [{ path: 'email' }])
    assertProblem(await inviting(admin.session, member.email, 'viewer'), 409, 'conflict')
    const email = fresh('twice')
    assert.equal((await inviting(admin.session, email, 'viewer')).status, 201)
    assertProblem(await inviting(admin.session, email, 'admin'), 409, 'conflict')
  })

  it('a role changes for the next request, and not by the person themselves', async () => {
    const member = await join('member')
    const send = () => member.session.call({ path: '/api/v1/emails', json: rawMail() })
    assert.equal((await send()).status, 202)
    for (const role of ['admin', 'owner'])
      assertProblem(await setRole(member.session, member.id, role), 403, 'forbidden')
    assertProblem(await member.session.call({ path: '/api/v1/api-keys', json: { name: 'x' } }), 403, 'forbidden')
    const changed = await setRole(tenant.session, member.id, 'viewer')
    assert.deepEqual([changed.status, changed.body.role], [200, 'viewer'], changed.text)
    const refused = assertProblem(await send(), 403, 'insufficient_scope')
    assert.match(refused.detail, /owner, admin, member/)
    assert.equal((await member.session.call({ path: '/api/v1/emails' })).status, 200)
    assert.equal((await setRole(tenant.session, member.id, 'admin')).status, 200)
    const key = await member.session.call<{ key: string }>({ path: '/api/v1/api-keys', json: { name: 'x' } })
    assert.equal(key.status, 201)
    assertProblem(await setRole(member.session, tenant.session.record.user.id, 'viewer'), 403, 'forbidden')
    assertProblem(await remove(member.session, tenant.session.record.user.id), 403, 'forbidden')
  })

  it('a removed member has no session there any more, and their keys stay', async () => {
    const admin = await join('admin')
    const key = await admin.session.call<{ key: string }>({ path: '/api/v1/api-keys', json: { name: 'theirs' } })
    assert.equal((await remove(tenant.session, admin.id)).status, 204)
    assertProblem(await stateOf(admin.session), 401, 'unauthenticated')
    assert.equal((await system().client.withKey(key.body.key).call({ path: '/api/v1/emails' })).status, 200)
    assertProblem(await remove(tenant.session, admin.id), 404, 'not_found')
    const json = { email: admin.email, password }
    const login = await system().client.call({ path: '/api/v1/auth/login', json })
    assert.match(assertProblem(login, 403, 'forbidden').detail, /not a member/)
    const again = await system().client.signUp({ email: admin.email })
    assert.equal(again.status, 201, again.text)
  })

  it('the last owner stays, even when two owners demote each other at the same moment', async () => {
    const own = await system().client.tenant()
    const { id } = own.session.record.user
    assertProblem(await remove(own.session, id), 409, 'conflict')
    assertProblem(await setRole(own.session, id, 'admin'), 409, 'conflict')
    const second = await join('owner', own)
    const responses = await Promise.all([
      setRole(own.session, second.id, 'viewer'),
      setRole(second.session, id, 'viewer'),
      remove(own.session, id),
      remove(second.session, second.id),
    ])
    const { data } = (await own.session.call<ListRecord<MemberRecord>>({ path: members })).body ?? {}
    const seen = data ?? (await listed(second.session))
    assert.equal(seen.filter(({ role }) => role === 'owner').length, 1, responses.map(({ text }) => text).join('\n'))
  })

  it('an owner hands the workspace over and leaves', async () => {
    const own = await system().client.tenant()
    const heir = await join('viewer', own)
    const handOver = (by: Session, id: string) =>
      by.call<MemberRecord>({ method: 'POST', path: `${members}/${id}/transfer-ownership` })
    assertProblem(await handOver(heir.session, heir.id), 403, 'forbidden')
    const response = await handOver(own.session, heir.id)
    assert.deepEqual([response.status, response.body.role], [200, 'owner'], response.text)
    assert.equal((await stateOf(own.session)).body.role, 'admin')
    const leave = await own.session.call({ method: 'POST', path: `/api/v1/workspaces/${own.workspace.id}/leave` })
    assert.equal(leave.status, 204)
    assertProblem(await stateOf(own.session), 401, 'unauthenticated')
    assert.deepEqual(
      (await listed(heir.session)).map(({ role }) => role),
      ['owner'],
    )
  })

  it('members are listed in pages, the newest first', async () => {
    const own = await system().client.tenant()
    const joined: string[] = [own.email]
    for (const role of ['member', 'viewer']) joined.unshift((await join(role, own)).email)
    const found: string[] = []
    let path: string | null = `${members}?limit=1`
    while (path !== null) {
      const { body }: HttpResponse<ListRecord<MemberRecord>> = await own.session.call({ path })
      found.push(...body.data.map(({ user }) => user.email))
      path = body.has_more ? `${members}?limit=1&cursor=${body.next_cursor}` : null
    }
    assert.deepEqual(found, joined)
  })

  it('a user has several workspaces, and each session is in one of them', async () => {
    const own = await system().client.tenant()
    const other = await logIn(own.email)
    const name = { name: 'Labs' }
    const created = await own.session.call<{ id: string; role: string }>({ path: '/api/v1/workspaces', json: name })
    assert.deepEqual([created.status, created.body.role], [201, 'owner'], created.text)
    type Row = { id: string; current: boolean }
    const rows = (await own.session.call<ListRecord<Row>>({ path: '/api/v1/workspaces' })).body.data
    const current = rows.map(({ id, current }) => [id, current])
    assert.deepEqual(current, [
      [created.body.id, false],
      [own.workspace.id, true],
    ])
    const switching = (id: string) => own.session.call<SessionRecord>({ path: sessionPath, json: { workspace: id } })
    const moved = await switching(created.body.id)
    assert.deepEqual([moved.status, moved.body.workspace.name], [200, 'Labs'], moved.text)
    assertProblem(await own.session.call({ path: '/api/v1/api-keys', json: { name: 'x' } }), 403, 'csrf')
    const tab = { 'x-workspace': own.workspace.id }
    const stale = [
      await own.session.call({ path: '/api/v1/emails', headers: tab }),
      await own.session.call({ path: '/api/v1/api-keys', json: { name: 'x' }, headers: tab }),
    ]
    for (const response of stale) assertProblem(response, 409, 'workspace_changed')
    const session = system().client.session(moved)
    assert.equal((await session.call({ path: '/api/v1/api-keys', json: { name: 'x' } })).status, 201)
    assert.equal((await stateOf(other)).body.workspace.id, own.workspace.id)
    const json = { workspace: tenant.workspace.id }
    assertProblem(await session.call({ path: sessionPath, json }), 404, 'not_found')
    assertProblem(await session.call({ path: '/api/v1/workspaces', json: { name: ' ' } }), 422, 'validation_failed')
  })
})
