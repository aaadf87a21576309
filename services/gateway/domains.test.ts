import assert from 'node:assert/strict'
import type { DomainRecord } from '@postrider/contracts/services.ts'
import { Fault, invalid } from '@postrider/kit/fault.ts'
import { aCaller, aPerson, config, type Fakes, refusing, type TestCall, testGateway } from './testGateway.ts'

const aDomain = (over: Partial<DomainRecord> = {}): DomainRecord => ({
  id: 'dom_1',
  name: 'example.com',
  status: 'pending',
  subdomains: true,
  createdAt: Date.UTC(2026, 0, 2),
  verifiedAt: null,
  checkedAt: null,
  records: [
    {
      purpose: 'ownership',
      type: 'TXT',
      name: '_postrider.example.com',
      value: 'postrider-verification=t',
      required: true,
      status: 'unknown',
      found: null,
    },
  ],
  ...over,
})

const published = {
  object: 'domain',
  id: 'dom_1',
  name: 'example.com',
  status: 'pending',
  subdomains: true,
  created_at: '2026-01-02T00:00:00.000Z',
  verified_at: null,
  checked_at: null,
  records: aDomain().records,
}

/** A service that returns a domain for every call, and the calls that it received. */
const recording = (domain = aDomain()) => {
  const calls: [method: string, request: unknown][] = []
  const returns = (method: string) => async (request: unknown) => {
    calls.push([method, request])
    return domain
  }
  const domains: NonNullable<Fakes['domains']> = {
    Create: returns('Create'),
    Get: returns('Get'),
    Update: returns('Update'),
    Verify: returns('Verify'),
    RotateKey: returns('RotateKey'),
    Delete: async (request) => void calls.push(['Delete', request]),
    List: async (request) => {
      calls.push(['List', request])
      return { domains: [domain], hasMore: true }
    },
  }
  return { domains, calls }
}

const keyWith = (...scopes: string[]): NonNullable<Fakes['accounts']> => ({
  AuthenticateKey: async () => aCaller({ scopes }),
})
const manager = keyWith('domains:write')
const noSuch = refusing('not_found', 'This workspace has no such domain.')

const clientAddress = '127.0.0.1'
const by = { workspace: 'ws_1', actor: 'key_1', clientAddress }
const operations: [what: string, call: TestCall, status: number, method: string, request: unknown][] = [
  [
    'adds a domain',
    { path: '/api/v1/domains', json: { name: 'Example.com' } },
    201,
    'Create',
    { ...by, name: 'Example.com' },
  ],
  ['reads a domain', { path: '/api/v1/domains/dom_1' }, 200, 'Get', { workspace: 'ws_1', id: 'dom_1' }],
  [
    'changes a domain',
    { method: 'PATCH', path: '/api/v1/domains/dom_1', json: { subdomains: false } },
    200,
    'Update',
    { ...by, id: 'dom_1', subdomains: false },
  ],
  [
    'changes nothing without a field',
    { method: 'PATCH', path: '/api/v1/domains/dom_1', json: { subdomains: null } },
    200,
    'Update',
    { ...by, id: 'dom_1' },
  ],
  [
    'checks a domain now',
    { method: 'POST', path: '/api/v1/domains/dom_1/verify' },
    200,
    'Verify',
    { ...by, id: 'dom_1' },
  ],
  [
    'rotates a key',
    { method: 'POST', path: '/api/v1/domains/dom_1/rotate-key' },
    202,
    'RotateKey',
    { ...by, id: 'dom_1' },
  ],
]

describe('sending domains', () => {
  for (const [what, call, status, method, request] of operations) {
    it(`${what} and returns its record`, async () => {
      const { domains, calls } = recording()
      await using gateway = await testGateway({ accounts: manager, domains })
      const response = await gateway.api(call)
      assert.equal(response.status, status, response.text)
      assert.deepEqual(response.body, published)
      assert.deepEqual(calls, [[method, request]])
      assert.equal(response.headers.location, method === 'Create' ? '/api/v1/domains/dom_1' : undefined)
    })
  }

  it('deletes a domain with an empty response', async () => {
    const { domains, calls } = recording()
    await using gateway = await testGateway({ accounts: manager, domains })
    const response = await gateway.api({ method: 'DELETE', path: '/api/v1/domains/dom_1' })
    assert.deepEqual([response.status, response.text], [204, ''])
    assert.deepEqual(calls, [['Delete', { ...by, id: 'dom_1' }]])
  })

  it('returns times, the priority of MX records, and problems where there are any', async () => {
    const mx = {
      purpose: 'return_path_mx',
      type: 'MX',
      name: 'bounces.example.com',
      value: 'bounces.postrider.example',
      priority: 10,
      required: false,
      status: 'wrong',
      found: '10 a.example\n10 b.example',
      problem: 'Replace it.',
    } as const
    const at = Date.UTC(2026, 0, 3)
    const { domains } = recording(aDomain({ verifiedAt: at, checkedAt: at + 1, records: [mx] }))
    await using gateway = await testGateway({ accounts: manager, domains })
    const { body } = await gateway.api({ path: '/api/v1/domains/dom_1' })
    assert.deepEqual(
      [body['verified_at'], body['checked_at']],
      ['2026-01-03T00:00:00.000Z', '2026-01-03T00:00:00.001Z'],
    )
    assert.deepEqual(body['records'], [mx])
  })

  it('returns only the members of the contract, although the service has more', async () => {
    const sealed = { secretId: 's1', box: 'c2VjcmV0' }
    const record = { ...aDomain().records[0], sealed, foundAt: 1 }
    const more = { ...aDomain(), token: 'hidden', keys: [{ sealed }], events: [], records: [record] } as DomainRecord
    const { domains } = recording(more)
    domains.PlatformDomain = async () => more
    await using gateway = await testGateway({ accounts: manager, domains })
    const operator = { authorization: `Bearer ${config.operatorToken}` }
    for (const response of [
      await gateway.api({ path: '/api/v1/domains/dom_1' }),
      await gateway.api({ path: '/api/v1/domains', json: { name: 'example.com' } }),
      await gateway.api({ path: '/api/v1/domains' }),
      await gateway.call({ path: '/api/v1/operator/platform-domain', headers: operator }),
    ]) {
      assert.ok(response.status < 300, response.text)
      assert.doesNotMatch(response.text, /sealed|c2VjcmV0|hidden|foundAt|"keys"/)
    }
  })

  it('lists domains newest first, with a cursor of this list', async () => {
    const { domains, calls } = recording()
    await using gateway = await testGateway({ accounts: manager, domains })
    const { body } = await gateway.api({ path: '/api/v1/domains?limit=1' })
    assert.deepEqual([body['object'], body['data'], body['has_more']], ['list', [published], true])
    await gateway.api({ path: `/api/v1/domains?limit=2&cursor=${body['next_cursor']}` })
    assert.deepEqual(calls, [
      ['List', { workspace: 'ws_1', limit: 1, before: null }],
      ['List', { workspace: 'ws_1', limit: 2, before: 'dom_1' }],
    ])
    const elsewhere = await gateway.api({ path: `/api/v1/domains?cursor=${'A'.repeat(40)}` })
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'malformed_request'])
  })

  describe('access', () => {
    const calls: [scope: 'read' | 'write', call: TestCall][] = [
      ['write', { path: '/api/v1/domains', json: { name: 'example.com' } }],
      ['read', { path: '/api/v1/domains' }],
      ['read', { path: '/api/v1/domains/dom_1' }],
      ['write', { method: 'PATCH', path: '/api/v1/domains/dom_1', json: { subdomains: true } }],
      ['write', { method: 'DELETE', path: '/api/v1/domains/dom_1' }],
      ['write', { method: 'POST', path: '/api/v1/domains/dom_1/verify' }],
      ['write', { method: 'POST', path: '/api/v1/domains/dom_1/rotate-key' }],
    ]
    for (const [scope, call] of calls) {
      const name = `${call.method ?? (call.json ? 'POST' : 'GET')} ${call.path}`

      it(`needs domains:${scope}${scope === 'read' ? ' or domains:write' : ''} for ${name}`, async () => {
        for (const scopes of [['domains:write'], ['domains:read'], ['emails:send', 'emails:read', 'templates:write']]) {
          const isAllowed = scopes.includes(`domains:${scope}`) || scopes.includes('domains:write')
          await using gateway = await testGateway({ accounts: keyWith(...scopes), domains: recording().domains })
          const response = await gateway.api(call)
          if (isAllowed) assert.ok(response.status < 300, response.text)
          else {
            assert.deepEqual([response.status, response.body.code], [403, 'insufficient_scope'])
            assert.match(
              response.body.detail ?? '',
              new RegExp(`does not have the scope domains:${scope}\\. Add it with PATCH`),
            )
          }
        }
      })

      it(`needs a key or a session for ${name}`, async () => {
        await using gateway = await testGateway()
        const response = await gateway.call(call)
        assert.deepEqual([response.status, response.body.code], [401, 'unauthenticated'])
      })

      it(`is the same with a test key for ${name}, because domains have no mode`, async () => {
        const { domains, calls: seen } = recording()
        const accounts = { AuthenticateKey: async () => aCaller({ scopes: ['domains:write'], mode: 'test' }) }
        await using gateway = await testGateway({ accounts, domains })
        assert.ok((await gateway.api(call)).status < 300)
        assert.equal(seen.length, 1)
      })
    }

    it('is recorded with the user as the actor for a session', async () => {
      const { domains, calls: seen } = recording()
      const caller = aPerson({ role: 'admin', scopes: ['domains:write'] })
      const accounts: NonNullable<Fakes['accounts']> = {
        AuthenticateSession: async () => ({ token: '', csrf_token: 't1', email: 'a@x.example', caller }),
      }
      await using gateway = await testGateway({ accounts, domains })
      const session = { cookie: 'sid=s1', 'x-csrf-token': 't1' }
      await gateway.call({ path: '/api/v1/domains', json: { name: 'example.com' }, headers: session })
      const noToken = await gateway.call({
        path: '/api/v1/domains',
        json: { name: 'example.com' },
        headers: { cookie: 'sid=s1' },
      })
      assert.equal(noToken.body.code, 'csrf')
      assert.deepEqual(seen, [['Create', { workspace: 'ws_1', actor: 'usr_1', clientAddress, name: 'example.com' }]])
    })
  })

  describe('refusals', () => {
    const bodies: [json: unknown, path: string, code: string][] = [
      [{}, 'name', 'missing'],
      [{ name: null }, 'name', 'missing'],
      [{ name: '' }, 'name', 'empty'],
      [{ name: 5 }, 'name', 'wrong_type'],
      [{ name: ['example.com'] }, 'name', 'wrong_type'],
      [{ name: { $ne: null } }, 'name', 'wrong_type'],
      [{ name: 'example.com', domain: 'example.com' }, 'domain', 'unknown_field'],
      [{ name: 'example.com', subdomains: false }, 'subdomains', 'unknown_field'],
      [[{ name: 'example.com' }], '', 'wrong_type'],
    ]
    for (const [json, path, code] of bodies)
      it(`name ${path || 'the body'} (${code}) of ${JSON.stringify(json)}`, async () => {
        await using gateway = await testGateway({ accounts: manager })
        const { status, body } = await gateway.api({ path: '/api/v1/domains', json })
        assert.equal(status, 422)
        assert.deepEqual(
          body.errors?.map((one) => [one.path, one.code]),
          [[path, code]],
        )
      })

    for (const json of [{ subdomains: 'false' }, { subdomains: 0 }, { subdomains: [] }])
      it(`name subdomains of ${JSON.stringify(json)}`, async () => {
        await using gateway = await testGateway({ accounts: manager })
        const response = await gateway.api({ method: 'PATCH', path: '/api/v1/domains/dom_1', json })
        assert.deepEqual([response.status, response.body.errors?.[0]?.path], [422, 'subdomains'])
      })

    it('reach the caller from the service: names, a second domain with a name, other workspaces', async () => {
      const faults: [Fault, number, string][] = [
        [invalid({ path: 'name', code: 'public_suffix', message: 'co.uk is a public suffix.' }), 422, 'name: co.uk is'],
        [new Fault('conflict', 'The workspace has example.com already (dom_1).'), 409, 'The workspace has'],
      ]
      for (const [fault, status, detail] of faults) {
        const domains = { Create: () => Promise.reject(fault) }
        await using gateway = await testGateway({ accounts: manager, domains })
        const response = await gateway.api({ path: '/api/v1/domains', json: { name: 'co.uk' } })
        assert.equal(response.status, status)
        assert.ok(response.body.detail?.startsWith(detail), response.body.detail)
      }
    })

    for (const [name, id] of [
      ['another workspace', 'dom_2'],
      ['no domain', 'dom_nothing'],
      ['a name in place of an id', 'example.com'],
      ['an operator', '$ne'],
    ] as const)
      it(`return 404 for the id of ${name}`, async () => {
        const ids: string[] = []
        const gone = (request: { id: string }) => {
          ids.push(request.id)
          return noSuch()
        }
        const domains = { Get: gone, Update: gone, Delete: gone, Verify: gone, RotateKey: gone }
        await using gateway = await testGateway({ accounts: manager, domains })
        const path = `/api/v1/domains/${encodeURIComponent(id)}`
        for (const call of [
          { path },
          { path, method: 'PATCH', json: { subdomains: true } },
          { path, method: 'DELETE' },
          { path: `${path}/verify`, method: 'POST' },
          { path: `${path}/rotate-key`, method: 'POST' },
        ]) {
          const { status, body } = await gateway.api(call)
          assert.deepEqual([status, body.code], [404, 'not_found'])
        }
        // A text that is not an id never reaches the store.
        assert.ok(ids.every((one) => one === id || one === ''))
      })
  })
})

describe('the platform’s domain', () => {
  const operator = { authorization: `Bearer ${config.operatorToken}` }
  const path = '/api/v1/operator/platform-domain'

  it('is shown to the operator, with its records and without an id', async () => {
    const domains = { PlatformDomain: async () => aDomain({ name: 'postrider.example' }) }
    await using gateway = await testGateway({ domains })
    const { status, body } = await gateway.call({ path, headers: operator })
    assert.equal(status, 200)
    const { name: _, ...rest } = published
    const { id: __, subdomains: ___, created_at: ____, ...shown } = rest
    assert.deepEqual(body, { ...shown, object: 'platform_domain', name: 'postrider.example' })
  })

  it('is not shown to keys, to unauthenticated clients, and where the operator API is off', async () => {
    await using gateway = await testGateway({ accounts: manager })
    assert.equal((await gateway.api({ path })).status, 401)
    assert.equal((await gateway.call({ path })).status, 401)
    await using off = await testGateway({ config: { operatorToken: null } })
    assert.equal((await off.call({ path, headers: operator })).status, 404)
  })
})
