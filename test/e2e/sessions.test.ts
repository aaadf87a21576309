import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, password, rawMail, type Tenant } from '../support/client.ts'
import type { ProblemRecord, SessionRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

describe('sessions', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const logIn = (json: unknown, headers: Record<string, string> = {}) =>
    system().client.call<SessionRecord>({ path: '/api/v1/auth/login', json, headers })

  it('sign-up creates a user, a workspace and a session', async () => {
    const email = fresh('founder')
    const response = await system().client.signUp({ email, workspace_name: 'Founders' })
    assert.equal(response.status, 201, response.text)
    const { user, workspace, role, csrf_token } = response.body
    assert.deepEqual([user.email, workspace.name, workspace.plan, role], [email, 'Founders', 'free', 'owner'])
    assert.match(user.id, /^usr_/)
    assert.match(workspace.id, /^ws_/)
    assert.match(workspace.sender, /@/)
    assert.ok(csrf_token.length >= 16)
    const [cookie] = response.headers['set-cookie'] ?? []
    assert.match(cookie ?? '', /^(__Host-)?sid=/)
    for (const attribute of [/;\s*httponly/i, /;\s*samesite=lax/i, /;\s*path=\//i])
      assert.match(cookie ?? '', attribute)
    const session = await system().client.session(response).call<SessionRecord>({ path: '/api/v1/auth/session' })
    assert.deepEqual([session.status, session.body.user, session.body.workspace], [200, user, workspace])
  })

  it('refuses a second sign-up of an address, also in another case', async () => {
    assertProblem(await system().client.signUp({ email: tenant.email }), 409, 'conflict')
    assertProblem(await system().client.signUp({ email: tenant.email.toUpperCase() }), 409, 'conflict')
  })

  for (const [what, fields, path] of [
    ['a short password', { password: 'short' }, 'password'],
    ['no workspace name', { workspace_name: null }, 'workspace_name'],
    ['an invalid address', { email: 'nonsense' }, 'email'],
    ['an unknown field', { admin: true }, 'admin'],
  ] as const)
    it(`refuses a sign-up with ${what}`, async () => {
      assertProblem(await system().client.signUp(fields), 422, 'validation_failed', [{ path }])
    })

  it('reports all problems of a sign-up in one response', async () => {
    const response = await system().client.signUp({
      email: 'nonsense',
      password: 'x',
      workspace_name: ' ',
      admin: true,
    })
    const problem = assertProblem(response, 422, 'validation_failed', [])
    const found = problem.errors?.map(({ path, code }) => `${path} ${code}`).sort()
    const expected = ['admin unknown_field', 'email invalid_address', 'password too_short', 'workspace_name empty']
    assert.deepEqual(found, expected)
  })

  it('login creates a new session, and returns the same error for a wrong password and an unknown address', async () => {
    const headers = { cookie: 'sid=fixed-before-log-in' }
    const response = await logIn({ email: tenant.email, password }, headers)
    assert.equal(response.status, 200, response.text)
    const session = system().client.session(response)
    assert.notEqual(session.cookie, 'sid=fixed-before-log-in')
    assert.notEqual(session.cookie, tenant.session.cookie)
    assert.equal((await session.call({ path: '/api/v1/auth/session' })).status, 200)
    const wrong = await logIn({ email: tenant.email, password: 'not the right one' })
    const unknown = await logIn({ email: fresh('unknown'), password })
    const [wrongPassword, unknownAddress] = [wrong, unknown].map((refused) => {
      const { request_id, ...rest } = assertProblem(refused, 401, 'unauthenticated') satisfies ProblemRecord
      return { ...rest, request_id: typeof request_id }
    })
    assert.deepEqual(wrongPassword, unknownAddress)
  })

  it('logout ends the session on the server', async () => {
    const session = system().client.session(await logIn({ email: tenant.email, password }))
    assert.equal((await session.call({ method: 'POST', path: '/api/v1/auth/logout' })).status, 204)
    assertProblem(await session.call({ path: '/api/v1/auth/session' }), 401, 'unauthenticated')
    assertProblem(await session.call({ path: '/api/v1/emails' }), 401, 'unauthenticated')
  })

  it('limits logins of an account after several wrong passwords, with Retry-After', async () => {
    const other = await system().client.signUp({ email: fresh('slow') })
    const { email } = other.body.user
    const responses = []
    for (let i = 0; i < 8; i += 1) responses.push(await logIn({ email, password: 'wrong wrong wrong' }))
    const last = responses.at(-1)
    assertProblem(last ?? assert.fail(), 429, 'rate_limited')
    assert.match(last?.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  })

  it('a session can read and change its workspace, an API key cannot', async () => {
    const changed = await tenant.session.call<Record<string, unknown>>({
      method: 'PATCH',
      path: '/api/v1/workspace',
      json: { name: 'Acme Ltd', sender_name: 'Acme News', postal_address: '1 Road, Town' },
    })
    assert.equal(changed.status, 200, changed.text)
    const read = await tenant.session.call<Record<string, unknown>>({ path: '/api/v1/workspace' })
    assert.deepEqual(
      [read.body['name'], read.body['sender_name'], read.body['postal_address']],
      ['Acme Ltd', 'Acme News', '1 Road, Town'],
    )
    const to = fresh()
    await tenant.send(rawMail({ to: [to] }))
    assert.equal((await system().receiver.waitFor(to)).mail.from?.name, 'Acme News')
    assertProblem(await tenant.api.call({ path: '/api/v1/workspace' }), 403, 'session_required')
  })

  it('a session can send an email', async () => {
    const to = fresh()
    const response = await tenant.session.call({ path: '/api/v1/emails', json: rawMail({ to: [to] }) })
    assert.equal(response.status, 202, response.text)
    await system().receiver.waitFor(to)
  })

  describe('protection against requests from other sites', () => {
    const send = (headers: Record<string, string>) =>
      tenant.session.call({ path: '/api/v1/emails', json: rawMail(), headers })

    for (const [what, headers] of [
      ['without a token', { 'x-csrf-token': '' }],
      ['with a wrong token', { 'x-csrf-token': 'f'.repeat(43) }],
      ['with a foreign Origin', { origin: 'https://evil.example' }],
      ['with a null Origin', { origin: 'null' }],
      ['marked cross-site', { 'sec-fetch-site': 'cross-site' }],
    ] as const)
      it(`refuses a change ${what}`, async () => {
        assertProblem(await send(headers), 403, 'csrf')
      })

    it('accepts a change from the same origin, and reads without a token', async () => {
      const { origin } = new URL(system().client.url)
      assert.equal((await send({ origin, 'sec-fetch-site': 'same-origin' })).status, 202)
      assert.equal((await tenant.session.call({ path: '/api/v1/emails', headers: { 'x-csrf-token': '' } })).status, 200)
    })

    it('refuses the token of another session', async () => {
      const other = await system().client.tenant()
      assertProblem(await send({ 'x-csrf-token': other.session.record.csrf_token }), 403, 'csrf')
    })

    it('sign-up and login refuse a foreign Origin and the content type of a form', async () => {
      const json = { email: fresh(), password, workspace_name: 'x' }
      for (const path of ['/api/v1/auth/signup', '/api/v1/auth/login']) {
        const foreign = { origin: 'https://evil.example' }
        assertProblem(await system().client.call({ path, json, headers: foreign }), 403, 'csrf')
        const form = { 'content-type': 'text/plain' }
        assertProblem(await system().client.call({ path, json, headers: form }), 415, 'unsupported_media_type')
      }
    })
  })
})
