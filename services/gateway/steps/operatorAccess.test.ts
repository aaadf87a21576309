import assert from 'node:assert/strict'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import type { Limits } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { aKey, aPerson, aWorkspace, config, type Fakes, testGateway } from '../testGateway.ts'

describe('access of the operator', () => {
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
