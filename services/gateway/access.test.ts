import assert from 'node:assert/strict'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import type { Limits, Reader } from '@postrider/contracts/services.ts'
import { currentDeadline } from '@postrider/kit/deadline.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import {
  aCaller,
  aKey,
  aPerson,
  aWorkspace,
  config,
  type Fakes,
  refusing,
  type TestResponse,
  testGateway,
} from './testGateway.ts'

const mail = { to: ['b@y.example'], subject: 's', text: 't' }
const emptyList = { recordsJson: [], lastId: null, hasMore: false }

const withCaller = (caller: Parameters<typeof aCaller>[0], fakes: Fakes = {}) =>
  testGateway({ ...fakes, accounts: { AuthenticateKey: async () => aCaller(caller), ...fakes.accounts } })

/** The session `s1` of an owner, with the CSRF token `t1`. */
const sessions: NonNullable<Fakes['accounts']> = {
  AuthenticateSession: async ({ token }) =>
    token === 's1'
      ? {
          token: '',
          csrf_token: 't1',
          email: 'jane@x.example',
          caller: aPerson(),
        }
      : refusing('unauthenticated', 'No.')(),
  GetWorkspace: async () => aWorkspace,
}

describe('access', () => {
  const reads: [scopes: string[], mode: 'live' | 'test', expected: Partial<Reader>][] = [
    [['emails:send', 'emails:read'], 'live', { mode: 'live', sentBy: null }],
    [['emails:read'], 'test', { mode: 'test', sentBy: null }],
    [['emails:send'], 'live', { mode: 'live', sentBy: 'key_1' }],
  ]
  for (const [scopes, mode, expected] of reads) {
    it(`limits a ${mode} key with ${scopes.join(', ')} to ${JSON.stringify(expected)}`, async () => {
      let seen: unknown
      const intake: Fakes['intake'] = {
        ListEmails: async ({ reader }) => {
          seen = reader
          return emptyList
        },
      }
      await using gateway = await withCaller({ scopes, mode }, { intake: intake ?? {} })
      assert.equal((await gateway.api({ path: '/api/v1/emails' })).status, 200)
      assert.deepEqual(seen, { workspace: 'ws_1', actor: 'key_1', recipients: [], domains: [], ...expected })
    })
  }

  // Every request takes at most 5 s, even when a lookup of the key was slow.
  for (const [tookMs, left] of [
    [1_000, null],
    [2_500, 2_300],
  ] as const)
    it(`leaves the call ${left ?? 'all of its'} ms after an authentication of ${tookMs} ms`, async () => {
      const time = { ms: 1_000_000 }
      const startedAt = 1_790_000_000_000
      const wallClock = () => startedAt + time.ms
      const seen: number[] = []
      await using gateway = await testGateway({
        elapsed: () => time.ms,
        wallClock,
        accounts: {
          AuthenticateKey: async () => {
            time.ms += tookMs
            return aCaller({})
          },
        },
        intake: {
          ListEmails: async () => {
            seen.push(currentDeadline() - wallClock())
            return emptyList
          },
        },
      })
      assert.equal((await gateway.api({ path: '/api/v1/emails' })).status, 200)
      assert.deepEqual(seen, [left ?? Number.POSITIVE_INFINITY])
    })

  it('34: names the missing scope before it reads the id', async () => {
    await using gateway = await withCaller({ scopes: ['templates:read'] })
    for (const call of [
      { path: '/api/v1/emails', json: mail },
      { path: '/api/v1/emails/em_x' },
      { path: '/api/v1/emails/em_x/cancel', method: 'POST' },
    ]) {
      const { status, body } = await gateway.api(call)
      assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
      assert.match(body.detail ?? '', /emails:/)
    }
  })

  it('returns session_required to a key on a route for sessions', async () => {
    await using gateway = await testGateway()
    for (const path of ['/api/v1/billing/usage', '/api/v1/workspace', '/api/v1/api-keys']) {
      assert.equal((await gateway.api({ path })).body.code, 'session_required')
    }
  })

  it('looks a key up once in two seconds, and again immediately after this gateway has revoked it', async () => {
    let [lookUps, time] = [0, 1_000]
    await using gateway = await testGateway({
      elapsed: () => time,
      intake: { ListEmails: async () => emptyList },
      accounts: {
        ...sessions,
        AuthenticateKey: async () => {
          lookUps++
          return aCaller()
        },
        RevokeKey: async () => ({}),
      },
    })
    const read = () => gateway.api({ path: '/api/v1/emails' })
    await read()
    await read()
    assert.equal(lookUps, 1)
    time += 2_001
    await read()
    assert.equal(lookUps, 2)
    const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1' }
    const response = await gateway.call({ path: '/api/v1/api-keys/key_1', method: 'DELETE', headers })
    assert.equal(response.status, 204, response.text)
    await read()
    assert.equal(lookUps, 3)
  })

  it('does not cache a refused lookup', async () => {
    let lookUps = 0
    await using gateway = await testGateway({
      accounts: {
        AuthenticateKey: () => {
          lookUps++
          return refusing('unauthenticated', 'This API key was revoked.')()
        },
      },
    })
    for (const count of [1, 2]) {
      assert.match((await gateway.api({ path: '/api/v1/emails' })).body.detail ?? '', /revoked/)
      assert.equal(lookUps, count)
    }
  })

  describe('of a session', () => {
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
      [
        'of another workspace, from another site',
        { 'x-workspace': 'ws_2', 'sec-fetch-site': 'cross-site' },
        403,
        'csrf',
      ],
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
      assert.deepEqual(
        [await read({ authorization }), await read({ authorization, 'x-workspace': 'ws_2' })],
        [200, 409],
      )
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

  describe('client address', () => {
    const addressOf = async (trustedProxies: string[], forwardedFor: string): Promise<string> => {
      let seen = ''
      const accounts: NonNullable<Fakes['accounts']> = {
        SignUp: async ({ client_address }) => {
          seen = client_address ?? ''
          return refusing('conflict', 'Known.')()
        },
      }
      await using gateway = await testGateway({ accounts, config: { trustedProxies } })
      const json = { email: 'a@b.example', password: 'correct horse', workspace_name: 'w' }
      await gateway.call({ path: '/api/v1/auth/signup', json, headers: { 'x-forwarded-for': forwardedFor } })
      return seen
    }

    it('is a forwarded address only behind a trusted proxy, and then the last untrusted one', async () => {
      assert.equal(await addressOf([], '198.51.100.7'), '127.0.0.1')
      assert.equal(await addressOf(['10.0.0.0/8'], '198.51.100.7'), '127.0.0.1')
      assert.equal(await addressOf(['127.0.0.0/8'], '198.51.100.7'), '198.51.100.7')
      assert.equal(await addressOf(['127.0.0.1', '10.0.0.0/8'], '1.2.3.4, 198.51.100.7:443, 10.1.2.3'), '198.51.100.7')
      assert.equal(await addressOf(['127.0.0.1'], '[2001:db8::1]:80'), '2001:db8::1')
      assert.equal(await addressOf(['127.0.0.1'], 'nonsense'), '127.0.0.1')
    })
  })

  describe('rate limit', () => {
    const seen: string[] = []
    const limiter = (admitted: boolean): Limiter => ({
      take: async (buckets) => {
        seen.push(buckets.map(({ key, rate, burst }) => `${key} ${rate} ${burst}`).join(', '))
        const tightest = buckets[0] ?? assert.fail()
        return { admitted, tightest, remaining: 18.7, resetMs: 130, retryAfterMs: admitted ? 0 : 1_200 }
      },
    })
    beforeEach(() => seen.splice(0))

    it('takes from the buckets of key and workspace and reports them in headers, also on refusals', async () => {
      await using gateway = await testGateway({ limiter: limiter(true) })
      const { status, headers } = await gateway.api({ path: '/api/v1/emails', json: {} })
      assert.equal(status, 422)
      assert.deepEqual(seen, ['ws_1/key:key_1:send 10 20, ws_1/workspace 50 100'])
      assert.equal(headers['ratelimit-policy'], '"send";q=20;w=2, "workspace";q=100;w=2')
      assert.equal(headers['ratelimit'], '"send";r=18;t=1')
    })

    it('returns 429 with Retry-After when a bucket is empty', async () => {
      await using gateway = await testGateway({ limiter: limiter(false) })
      const { status, body, headers } = await gateway.api({ path: '/api/v1/emails', json: mail })
      assert.deepEqual([status, body.code, headers['retry-after']], [429, 'rate_limited', '2'])
    })

    it('uses the operator’s rate for both buckets, and no bucket when the operator lifted the limit', async () => {
      for (const [over, expected] of [
        [{ rate: 3 }, ['ws_1/key:key_1:read 3 6, ws_1/workspace 3 6']],
        [{ burst: 7 }, ['ws_1/key:key_1:read 50 7, ws_1/workspace 50 7']],
        [{ rate: 0 }, []],
      ] as const) {
        seen.splice(0)
        await using gateway = await withCaller(over, {
          limiter: limiter(true),
          intake: { ListEmails: async () => emptyList },
        })
        assert.equal((await gateway.api({ path: '/api/v1/emails' })).status, 200)
        assert.deepEqual(seen, expected)
      }
    })

    it('uses no tokens for a request without credentials', async () => {
      await using gateway = await testGateway({ limiter: limiter(true) })
      await gateway.call({ path: '/api/v1/emails' })
      assert.deepEqual(seen, [])
    })
  })

  describe('of the operator', () => {
    const path = '/api/v1/operator/workspaces/ws_1'
    const headers = { authorization: `Bearer ${config.operatorToken}` }

    it('passes limits on in the form of the services and returns the new state', async () => {
      const requests: unknown[] = []
      await using gateway = await testGateway({
        accounts: {
          SetWorkspaceControls: async (request) => {
            requests.push(request)
            return { ...aWorkspace, rate: 0, suspended: true }
          },
        },
        quota: {
          SetLimits: async (request) => {
            requests.push(request)
            return { monthly: 5, daily: null, plan: '', spending_cap_cents: null }
          },
          GetLimits: async () => ({ monthly: 5, daily: null, plan: '', spending_cap_cents: null }),
        },
      })
      const json = { limits: { monthly: 5, daily: null, rate: null, burst: 'plan' }, suspended: true }
      const { status, body, text } = await gateway.call({ path, method: 'PATCH', json, headers })
      assert.equal(status, 200, text)
      assert.deepEqual(requests, [
        { workspace: 'ws_1', suspended: true, rate: null, burst: 'plan', client_address: '127.0.0.1' },
        { workspace: 'ws_1', monthly: 5, daily: null, client_address: '127.0.0.1' },
      ])
      assert.deepEqual(body['limits'], { monthly: 5, daily: null, rate: null, burst: 'plan' })
    })

    describe('that change two services', () => {
      const down = () => Promise.reject(new Fault('unavailable', 'down'))
      const limits: Limits = { monthly: 5, daily: 'plan', plan: 'free', spending_cap_cents: null }
      const json = { note: 'more', limits: { monthly: 5 } }
      const system = (quota: Fakes['quota']) => {
        const written: string[] = []
        const accounts: Fakes['accounts'] = {
          SetWorkspaceControls: async ({ note }) => {
            written.push(`note ${note}`)
            return aWorkspace
          },
        }
        return { written, gateway: testGateway({ accounts, quota: { GetLimits: async () => limits, ...quota } }) }
      }

      it('write nothing while quota is unavailable', async () => {
        const { written, gateway: opening } = system({ GetLimits: down })
        await using gateway = await opening
        const { status } = await gateway.call({ path, method: 'PATCH', json, headers })
        assert.deepEqual([status, written], [503, []])
        const accountsOnly = await gateway.call({ path, method: 'PATCH', json: { note: 'less' }, headers })
        assert.deepEqual([accountsOnly.status, written], [503, ['note less']], 'only the response needs quota')
      })

      it('are completed by the same request after a failure of the second write', async () => {
        const sent: unknown[] = []
        const { written, gateway: opening } = system({
          SetLimits: async ({ monthly }) => (sent.push(monthly) === 1 ? down() : limits),
        })
        await using gateway = await opening
        const send = () => gateway.call({ path, method: 'PATCH', json, headers })
        assert.equal((await send()).status, 503)
        const again = await send()
        assert.equal(again.status, 200, again.text)
        assert.deepEqual(
          [written, sent],
          [
            ['note more', 'note more'],
            [5, 5],
          ],
        )
      })
    })

    it('rejects a wrong token, and returns 404 while no token is configured', async () => {
      await using gateway = await testGateway()
      assert.equal((await gateway.call({ path, headers: { authorization: 'Bearer wrong' } })).status, 401)
      assert.equal((await gateway.api({ path })).status, 401)
      await using off = await testGateway({ config: { operatorToken: null } })
      assert.equal((await off.call({ path, headers })).status, 404)
    })

    describe('with wrong tokens', () => {
      const operatorFakes = (): Fakes => ({
        limiter: memoryLimiter(),
        elapsed: () => 1_000,
        accounts: { ListWorkspaces: async () => ({ workspaces: [] }) },
        config: { trustedProxies: ['127.0.0.0/8'] },
      })
      const list = { path: '/api/v1/operator/workspaces' }
      const from = (address: string, token: string) => ({
        'x-forwarded-for': address,
        authorization: `Bearer ${token}`,
      })
      const { operatorToken } = config as { operatorToken: string }

      // Tokens could be guessed without limit.
      const rows: [name: string, attacker: (n: number) => string, wrong: (n: number) => string, other: string][] = [
        ['different', () => '198.51.100.7', (n) => `guess-${n}`, '198.51.100.8'],
        ['of the right length', () => '198.51.100.7', (n) => `${operatorToken.slice(0, -2)}${n + 10}`, '198.51.100.8'],
        ['that are API keys', () => '198.51.100.7', () => aKey(), '198.51.100.8'],
        ['from one IPv6 /64', (n) => `2001:db8:1:2::${n}`, (n) => `guess-${n}`, '2001:db8:1:3::1'],
        [
          'from a mapped address',
          (n) => (n % 2 ? '198.51.100.7' : '::ffff:198.51.100.7'),
          (n) => `guess-${n}`,
          '198.51.100.8',
        ],
      ]
      for (const [name, attacker, wrong, other] of rows)
        it(`limits them per client address: ${name}`, async () => {
          await using gateway = await testGateway(operatorFakes())
          const call = (headers: Record<string, string>) => gateway.call({ ...list, headers })
          const responses = await Promise.all(Array.from({ length: 30 }, (_, n) => call(from(attacker(n), wrong(n)))))
          const statuses = responses.map(({ status }) => status)
          assert.deepEqual(
            [statuses.filter((one) => one === 401).length, statuses.filter((one) => one === 429).length],
            [20, 10],
          )
          const refused = responses.find(({ status }) => status === 429) ?? assert.fail()
          assert.deepEqual([refused.body.code, refused.headers['retry-after']], ['rate_limited', '6'])
          // There the right token gets the same response as a wrong one; elsewhere it works.
          assert.equal((await call(from(attacker(0), operatorToken))).status, 429)
          assert.equal((await call(from(other, operatorToken))).status, 200)
          assert.ok(!JSON.stringify(gateway.lines).includes(wrong(0)))
        })

      it('does not limit the right token and requests without a token', async () => {
        await using gateway = await testGateway(operatorFakes())
        for (let n = 0; n < 60; n++) {
          assert.equal((await gateway.call({ ...list, headers: from('198.51.100.7', operatorToken) })).status, 200)
          assert.equal((await gateway.call({ ...list, headers: { 'x-forwarded-for': '198.51.100.7' } })).status, 401)
        }
      })
    })

    describe('by session', () => {
      const person = { operator: true, totp_enabled: true, totp_passed: true }
      const ofUser = (over: object = {}): NonNullable<Fakes['accounts']> => ({
        AuthenticateSession: async ({ token }) => {
          if (token !== 'known') throw new Fault('unauthenticated', 'There is no such session.')
          const caller = aPerson({ role: 'viewer' })
          return { token: '', csrf_token: 'csrf', email: 'jane@x.example', caller, ...person, ...over }
        },
      })
      const bySession = { cookie: 'sid=known', 'x-csrf-token': 'csrf' }

      it('names the user to the services, and never for the token', async () => {
        const requests: unknown[] = []
        const SetUserControls = async (request: { id: string }) => {
          requests.push(request)
          const user = { id: request.id, email: 'a@x.example', workspaces: [], created_at: 0, last_seen_at: null }
          return { ...user, disabled: false, disabled_reason: '' }
        }
        await using gateway = await testGateway({ accounts: { ...ofUser(), SetUserControls } })
        const call = { path: '/api/v1/operator/users/usr_2', method: 'PATCH', json: { disabled: false } }
        for (const by of [bySession, headers, { ...bySession, ...headers }])
          assert.equal((await gateway.call({ ...call, headers: by })).status, 200)
        const request = { id: 'usr_2', disabled: false, reason: '', client_address: '127.0.0.1' }
        assert.deepEqual(requests, [{ ...request, operator: 'usr_1' }, request, request])
      })

      for (const [name, over, code, text] of [
        ['without a second factor', { totp_enabled: false, totp_passed: false }, 'totp_required', /switch it on/],
        ['that passed none', { totp_passed: false }, 'totp_not_passed', /log in again with a code/],
      ] as const)
        it(`states what a session ${name} needs`, async () => {
          await using gateway = await testGateway({ accounts: ofUser(over) })
          const { status, body } = await gateway.call({ path, headers: bySession })
          assert.deepEqual([status, body.code, body.errors?.[0]?.code], [403, 'forbidden', code])
          assert.match(String(body.detail), text)
        })

      it('is off while no token is configured, and the session shows no operator', async () => {
        const limits: Limits = { monthly: 'plan', daily: 'plan', plan: 'free', spending_cap_cents: null }
        const quota = { GetLimits: async () => limits }
        const accounts = { ...ofUser(), GetWorkspace: async () => aWorkspace }
        const shown = async (operatorToken: string | null) => {
          await using gateway = await testGateway({ accounts, quota, config: { operatorToken } })
          const { body } = await gateway.call({ path: '/api/v1/auth/session', headers: bySession })
          const { status } = await gateway.call({ path: '/api/v1/operator/unknown', headers: bySession })
          return [(body['user'] as { operator: boolean }).operator, status]
        }
        assert.deepEqual(
          [await shown(null), await shown(config.operatorToken)],
          [
            [false, 404],
            [true, 404],
          ],
        )
        await using off = await testGateway({ accounts, config: { operatorToken: null } })
        assert.equal((await off.call({ path, headers: bySession })).status, 404)
      })

      it('counts unknown sessions as wrong tokens, and no session of a user', async () => {
        await using gateway = await testGateway({
          limiter: memoryLimiter(),
          elapsed: () => 1_000,
          accounts: { ...ofUser({ operator: false }), ListWorkspaces: async () => ({ workspaces: [] }) },
          config: { trustedProxies: ['127.0.0.0/8'] },
        })
        const send = async (address: string, by: Record<string, string>) =>
          (await gateway.call({ path: '/api/v1/operator/workspaces', headers: { 'x-forwarded-for': address, ...by } }))
            .status
        for (let n = 0; n < 30; n++) assert.equal(await send('198.51.100.7', bySession), 401)
        for (let n = 0; n < 20; n++) assert.equal(await send('198.51.100.7', { cookie: `sid=${n}` }), 401)
        assert.equal(await send('198.51.100.7', { cookie: 'sid=20' }), 429)
        assert.equal(await send('198.51.100.7', bySession), 429)
        assert.equal(await send('198.51.100.7', headers), 429)
        assert.equal(await send('198.51.100.8', headers), 200)
      })
    })

    it('rejects invalid limits', async () => {
      await using gateway = await testGateway()
      const json = { limits: { monthly: -1, daily: 1.5, rate: 'much', bursts: 1 } }
      const { body } = await gateway.call({ path, method: 'PATCH', json, headers })
      const paths = body.errors?.map((problem) => problem.path)
      assert.deepEqual(paths?.sort(), ['limits.bursts', 'limits.daily', 'limits.monthly', 'limits.rate'])
    })
  })
})
