import assert from 'node:assert/strict'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { aPerson, type Fakes, type TestCall, testGateway } from '../testGateway.ts'

const password = 'correct horse'
const reply = (role: string) => ({
  token: role,
  csrf_token: `csrf-of-${role}`,
  email: `${role}@example.com`,
  caller: aPerson({ role: role as Role }),
})

const calls: unknown[] = []
const fakes: Fakes = {
  intake: { ListCaptured: async () => ({ captured: [] }) },
  accounts: {
    AuthenticateSession: async ({ token }) => reply(token ?? ''),
    LogIn: async (request) => {
      calls.push(request)
      const [role = ''] = String(request.email).split('@')
      if (role === 'hasty') throw new Fault('rate_limited', 'Too many.', { retryAfterMs: 89_000 })
      if (role === 'unlucky') throw new Fault('unavailable', 'Down.')
      if (request.password !== password)
        throw new Fault('unauthenticated', 'The email address or the password is wrong.')
      return reply(role)
    },
    LogOut: async (request) => {
      calls.push(request)
      return {}
    },
  },
}

const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): TestCall => ({
  path,
  body: new URLSearchParams(fields).toString(),
  headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', ...headers },
})
const logIn = (role: string, headers: Record<string, string> = {}, given = password): TestCall =>
  form('/mailbox/login', { email: `${role}@example.com`, password: given }, headers)

describe('login form of the mailbox', () => {
  beforeEach(() => calls.splice(0))

  it('is shown to a browser that has no session, and may post to this service only', async () => {
    await using gateway = await testGateway(fakes)
    for (const path of ['/mailbox', '/mailbox/att_1', '/mailbox/att_1/raw']) {
      const { status, text, headers } = await gateway.call({ path, headers: { accept: 'text/html' } })
      assert.equal(status, 403)
      assert.match(text, /<form method="post" action="\/mailbox\/login">/)
      for (const name of ['email', 'password'])
        assert.match(
          text,
          new RegExp(`<label for="${name}">[\\s\\S]*<input id="${name}" name="${name}" type="${name}"`),
        )
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*form-action 'self'$/)
      // With `no-referrer` a browser would send `Origin: null`, which is refused.
      assert.equal(headers['referrer-policy'], 'same-origin')
    }
    assert.equal((await gateway.call({ path: '/mailbox' })).body.code, 'forbidden')
  })

  it('opens a session of an owner and shows the mailbox with a button to log out', async () => {
    await using gateway = await testGateway(fakes)
    const { status, headers } = await gateway.call(logIn('owner', { origin: 'https://mail.example.com' }))
    assert.deepEqual([status, headers.location], [303, '/mailbox'])
    const [cookie = ''] = headers['set-cookie'] ?? []
    assert.match(cookie, /^sid=owner; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.deepEqual(calls, [
      { email: 'owner@example.com', password, code: '', client_address: '127.0.0.1', user_agent: '' },
    ])
    const page = await gateway.call({ path: '/mailbox', headers: { accept: 'text/html', cookie: 'sid=owner' } })
    assert.equal(page.status, 200)
    assert.match(page.text, /owner@example\.com/)
    assert.match(page.text, /action="\/mailbox\/logout"><input type="hidden" name="csrf_token" value="csrf-of-owner">/)
  })

  it('sets a cookie for TLS if the public URL is https', async () => {
    await using gateway = await testGateway({ ...fakes, config: { secureCookies: true } })
    const { headers } = await gateway.call(logIn('owner'))
    assert.match(String(headers['set-cookie']), /^__Host-sid=owner; .*Secure$/)
  })

  it('leads back to the message that was requested, and never to another site', async () => {
    await using gateway = await testGateway(fakes)
    const { text } = await gateway.call({ path: '/mailbox/att_1', headers: { accept: 'text/html' } })
    assert.match(text, /name="message" value="att_1"/)
    for (const [message, location] of [
      ['att_1', '/mailbox/att_1'],
      ['//evil.example', '/mailbox'],
      ['..%2f..', '/mailbox'],
    ] as const) {
      const fields = { email: 'owner@example.com', password, message }
      assert.equal((await gateway.call(form('/mailbox/login', fields))).headers.location, location)
    }
  })

  for (const [name, call, status, alert] of [
    ['a wrong password', logIn('owner', {}, 'wrong'), 401, /The email address or the password is wrong\./],
    ['too many logins', logIn('hasty'), 429, /Too many logins were tried\. Wait 2 minutes, then try again\./],
    ['an unavailable service', logIn('unlucky'), 503, /The service is busy\. Wait 5 seconds, then try again\./],
    ['an empty field', logIn('owner', {}, ''), 422, /Enter your email address and your password\./],
    ['no field', form('/mailbox/login', {}), 422, /Enter your email address and your password\./],
  ] as const)
    it(`is shown again with the problem after ${name}`, async () => {
      await using gateway = await testGateway(fakes)
      const response = await gateway.call(call)
      assert.equal(response.status, status)
      assert.match(response.text, /<p class="alert" role="alert" id="alert">/)
      assert.match(response.text, alert)
      assert.match(response.text, /aria-describedby="alert"/)
      assert.equal(response.headers['set-cookie'], undefined)
      assert.equal(response.headers['retry-after'] !== undefined, status === 429 || status === 503)
      assert.ok(!response.text.includes(password), 'the page contains the password')
    })

  it('escapes the address that it repeats', async () => {
    await using gateway = await testGateway(fakes)
    const { text } = await gateway.call(form('/mailbox/login', { email: '"><script>x()</script>', password: 'x' }))
    assert.ok(!text.includes('<script>'))
  })

  for (const [name, headers] of [
    ['another site', { origin: 'https://evil.example' }],
    ['a site without an origin', { origin: 'null' }],
    ['another site, according to the browser', { 'sec-fetch-site': 'cross-site' }],
    ['another port', { origin: 'https://mail.example.com:444' }],
  ] as const)
    it(`is refused from ${name}`, async () => {
      await using gateway = await testGateway(fakes)
      const page = { ...headers, cookie: 'sid=owner', accept: 'application/json' }
      for (const call of [logIn('owner', page), form('/mailbox/logout', { csrf_token: 'csrf-of-owner' }, page)]) {
        const { status, body } = await gateway.call(call)
        assert.deepEqual([status, body.code], [403, 'csrf'])
      }
      assert.deepEqual(calls, [])
    })

  it('accepts a short form only', async () => {
    await using gateway = await testGateway(fakes)
    const type = { accept: 'application/json', 'content-type': 'application/json' }
    assert.equal((await gateway.call({ path: '/mailbox/login', body: '{}', headers: type })).status, 415)
    assert.equal((await gateway.call(logIn('owner', {}, 'x'.repeat(9_000)))).status, 413)
    assert.equal((await gateway.call({ path: '/mailbox/login' })).headers.location, '/mailbox')
    assert.deepEqual(calls, [])
  })

  it('names the role of a user who is not an owner, and lets the user log out', async () => {
    await using gateway = await testGateway(fakes)
    for (const role of ['admin', 'member', 'viewer']) {
      const headers = { accept: 'text/html', cookie: `sid=${role}` }
      const { status, text } = await gateway.call({ path: '/mailbox', headers })
      assert.equal(status, 403)
      assert.match(text, new RegExp(`Your role in this workspace is ${role}\\.`))
      assert.match(text, /action="\/mailbox\/logout"/)
    }
  })

  it('ends the session with the token of the page only', async () => {
    await using gateway = await testGateway(fakes)
    const cookie = { cookie: 'sid=owner' }
    for (const fields of [{}, { csrf_token: '' }, { csrf_token: 'csrf-of-admin' }])
      assert.equal((await gateway.call(form('/mailbox/logout', fields as Record<string, string>, cookie))).status, 403)
    assert.deepEqual(calls, [])
    const { status, headers } = await gateway.call(form('/mailbox/logout', { csrf_token: 'csrf-of-owner' }, cookie))
    assert.deepEqual([status, headers.location], [303, '/mailbox'])
    assert.match(String(headers['set-cookie']), /^sid=; Max-Age=0/)
    assert.deepEqual(calls, [{ token: 'owner', client_address: '127.0.0.1' }])
  })
})
