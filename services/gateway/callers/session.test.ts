import assert from 'node:assert/strict'
import {
  aCaller,
  aKey,
  aPerson,
  config,
  emptyList,
  type Fakes,
  sessions,
  type TestResponse,
  testGateway,
} from '../testGateway.ts'

describe('access of a session', () => {
  const fakes: Fakes = {
    accounts: sessions,
    intake: { ListEmails: async () => emptyList, CancelEmail: async () => ({ record_json: '{}' }) },
  }
  const change = async (headers: Record<string, string>): Promise<TestResponse> => {
    await using gateway = await testGateway(fakes)
    const all = { cookie: 'a=b; sid=s1', 'x-csrf-token': 't1', host: 'here.example:8080', ...headers }
    return await gateway.call({ path: '/api/v1/emails/em_1/cancel', method: 'POST', headers: all })
  }

  const rows: [name: string, headers: Record<string, string>, status: number][] = [
    ['with its token', {}, 200],
    ['without token', { 'x-csrf-token': '' }, 403],
    ['with a wrong token', { 'x-csrf-token': 't2' }, 403],
    ['with a foreign Origin', { origin: 'https://evil.example' }, 403],
    ['with a null Origin', { origin: 'null' }, 403],
    ['marked cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['from its own host', { origin: 'http://here.example:8080', 'sec-fetch-site': 'same-origin' }, 200],
    ['from the public address', { origin: config.publicUrl }, 200],
    ['from another port', { origin: 'http://here.example:9090' }, 403],
    ['with another cookie', { cookie: 'sid=s2' }, 401],
    ['with the cookie of a TLS session over plain HTTP', { cookie: '__Host-sid=s1' }, 401],
  ]
  for (const [name, headers, status] of rows) {
    it(`returns ${status} to a change ${name}`, async () => {
      const response = await change(headers)
      assert.equal(response.status, status, response.text)
      if (status === 403) assert.equal(response.body.code, 'csrf')
    })
  }

  for (const [what, headers, status, code] of [
    ['of its workspace', { 'x-workspace': 'ws_1' }, 200, undefined],
    ['of another workspace', { 'x-workspace': 'ws_2' }, 409, 'workspace_changed'],
    [
      'of another workspace, with its former token',
      { 'x-workspace': 'ws_2', 'x-csrf-token': 't0' },
      409,
      'workspace_changed',
    ],
    ['of another workspace, from another site', { 'x-workspace': 'ws_2', 'sec-fetch-site': 'cross-site' }, 403, 'csrf'],
    ['that is empty', { 'x-workspace': '' }, 409, 'workspace_changed'],
  ] as const)
    it(`returns ${status} to a change with an X-Workspace ${what}`, async () => {
      const response = await change(headers)
      assert.deepEqual([response.status, response.body.code], [status, code], response.text)
    })

  it('compares X-Workspace on reads, and with the workspace of an API key', async () => {
    await using gateway = await testGateway(fakes)
    const read = async (headers: Record<string, string>) =>
      (await gateway.call({ path: '/api/v1/emails', headers: { cookie: 'sid=s1', ...headers } })).status
    assert.deepEqual([await read({ 'x-workspace': 'ws_1' }), await read({ 'x-workspace': 'ws_2' })], [200, 409])
    const authorization = `Bearer ${aKey()}`
    assert.deepEqual([await read({ authorization }), await read({ authorization, 'x-workspace': 'ws_2' })], [200, 409])
  })

  for (const [path, call] of [
    ['/api/v1/emails', 'ListEmails'],
    ['/api/v1/events', 'ListEvents'],
    ['/api/v1/webhooks', 'List'],
  ] as const)
    it(`reads one mode of ${path} on request; a key only its own`, async () => {
      const scopes = ['emails:read', 'webhooks:read']
      const seen: unknown[] = []
      const listed = async (request: { reader?: { mode: string | null }; mode?: string | null }) => {
        seen.push((request.reader ?? request).mode)
        return { ...emptyList, eventsJson: [], position: { at: 0, id: '' }, endpoints: [] }
      }
      await using gateway = await testGateway({
        accounts: {
          AuthenticateKey: async () => aCaller({ scopes }),
          AuthenticateSession: async () => ({
            token: '',
            csrf_token: 't1',
            email: 'jane@x.example',
            caller: aPerson({ role: 'owner', scopes }),
          }),
        },
        intake: { [call]: listed },
        webhooks: { [call]: listed },
      } as Fakes)
      const bySession = (query: string) => gateway.call({ path: `${path}${query}`, headers: { cookie: 'sid=s1' } })
      for (const query of ['', '?mode=live', '?mode=test']) assert.equal((await bySession(query)).status, 200)
      assert.equal((await gateway.api({ path: `${path}?mode=live` })).status, 200)
      assert.deepEqual(seen, [null, 'live', 'test', 'live'])
      for (const response of [await gateway.api({ path: `${path}?mode=test` }), await bySession('?mode=both')])
        assert.deepEqual([response.status, response.body.errors?.[0]?.path], [400, 'mode'], response.text)
    })

  it('reads without a CSRF token, in both modes', async () => {
    let seen: unknown
    const intake: NonNullable<Fakes['intake']> = {
      ListEmails: async ({ reader }) => {
        seen = reader
        return emptyList
      },
    }
    await using gateway = await testGateway({ ...fakes, intake })
    assert.equal((await gateway.call({ path: '/api/v1/emails', headers: { cookie: 'sid=s1' } })).status, 200)
    assert.deepEqual(seen, {
      workspace: 'ws_1',
      mode: null,
      sentBy: null,
      actor: 'usr_1',
      recipients: [],
      domains: [],
    })
  })

  it('returns the user, the workspace and the CSRF token', async () => {
    await using gateway = await testGateway(fakes)
    const { body } = await gateway.call({ path: '/api/v1/auth/session', headers: { cookie: 'sid=s1' } })
    assert.deepEqual(body, {
      user: { id: 'usr_1', email: 'jane@x.example', email_confirmed: false, totp_enabled: false, operator: false },
      workspace: { id: 'ws_1', name: 'Acme', plan: 'free', require_totp: false, sender: config.sender },
      role: 'owner',
      csrf_token: 't1',
    })
  })

  for (const [where, secureCookies, cookie] of [
    ['over TLS', true, /^__Host-sid=new; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/],
    ['on plain HTTP', false, /^sid=new; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/],
  ] as const) {
    it(`sets the cookie of a login ${where}`, async () => {
      const accounts: NonNullable<Fakes['accounts']> = {
        ...sessions,
        LogIn: async () => ({
          token: 'new',
          csrf_token: 'c',
          email: 'jane@x.example',
          caller: aPerson(),
        }),
      }
      await using gateway = await testGateway({ accounts, config: { secureCookies } })
      const json = { email: 'jane@x.example', password: 'correct horse' }
      const { status, headers } = await gateway.call({ path: '/api/v1/auth/login', json })
      assert.equal(status, 200)
      assert.match(headers['set-cookie']?.[0] ?? '', cookie)
      const foreign = await gateway.call({
        path: '/api/v1/auth/login',
        json,
        headers: { origin: 'https://evil.example' },
      })
      assert.equal(foreign.body.code, 'csrf')
    })
  }

  it('37: rejects a login with objects in place of texts', async () => {
    await using gateway = await testGateway()
    const json = { email: { $ne: null }, password: { $gt: '' } }
    const { status, body } = await gateway.call({ path: '/api/v1/auth/login', json })
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors?.map(({ path, code }) => `${path} ${code}`),
      ['email wrong_type', 'password wrong_type'],
    )
  })
})
