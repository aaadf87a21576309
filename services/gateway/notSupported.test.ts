import assert from 'node:assert/strict'
import { scopesOfRole } from '@postrider/domain/accounts/roles.ts'
import type { Route } from './route.ts'
import { routes } from './routes/routes.ts'
import { acceptingIntake, aPerson, aWorkspace, config, type Fakes, testGateway } from './testGateway.ts'

const key = {
  id: 'key_1',
  name: 'k',
  scopes: ['emails:send'],
  mode: 'live',
  prefix: 'pr_live_8aX2',
  last_four: '1234',
  created_at: 0,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  domains: ['stored.example'],
  networks: [],
  recipients: [],
  last_used_from: '',
  rolled_to: '',
  rolled_from: '',
  unused_since: null,
}
const session = {
  token: 'new',
  csrf_token: 't1',
  email: 'jane@x.example',
  caller: aPerson(),
}
const fakes: Fakes = {
  accounts: {
    AuthenticateSession: async () => session,
    LogIn: async () => session,
    GetWorkspace: async () => aWorkspace,
    UpdateWorkspace: async () => ({ ...aWorkspace, retention: 7 }),
    UpdateKey: async () => key,
  },
  intake: acceptingIntake([]) ?? {},
}

const bodies: Record<string, { method: string; path: string; json: Record<string, unknown> }> = {
  send: { method: 'POST', path: '/api/v1/emails', json: { to: ['a@b.example'], subject: 's', text: 't' } },
  workspace: { method: 'PATCH', path: '/api/v1/workspace', json: {} },
}

/** The contract's fields that do nothing yet, with values that request something and values that request nothing. */
const fields: [body: string, field: string, refused: unknown[], accepted: unknown[]][] = [
  ['send', 'topic', ['news', '', 5, ['news']], [null]],
]

// These fields were unknown, or stored without any effect.
describe('retention', () => {
  const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1' }
  for (const name of ['send', 'workspace']) {
    const body = bodies[name] ?? assert.fail(name)
    for (const retention of ['none', 'metadata', 7, '7', null])
      it(`may be ${JSON.stringify(retention)} for a ${name}`, async () => {
        await using gateway = await testGateway(fakes)
        const response = await gateway.call({ ...body, headers, json: { ...body.json, retention } })
        assert.ok(response.status < 300, response.text)
      })
    for (const retention of [0, -1, 1.5, '0', '', 'forever', true, [7], { days: 7 }])
      it(`is refused for a ${name}: ${JSON.stringify(retention)}`, async () => {
        await using gateway = await testGateway(fakes)
        const response = await gateway.call({ ...body, headers, json: { ...body.json, retention } })
        assert.ok([400, 422].includes(response.status), response.text)
        assert.equal(response.body.errors?.[0]?.path, 'retention')
      })
  }
})

describe('fields that are not supported yet', () => {
  const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1' }

  for (const [name, field, refused, accepted] of fields) {
    const body = bodies[name] ?? assert.fail(name)
    for (const value of refused)
      it(`${field} of a ${name} is refused: ${JSON.stringify(value)}`, async () => {
        await using gateway = await testGateway(fakes)
        const response = await gateway.call({ ...body, headers, json: { ...body.json, [field]: value } })
        assert.deepEqual([response.status, response.body.code], [422, 'validation_failed'], response.text)
        assert.deepEqual(
          response.body.errors?.map(({ path, code }) => [path, code]),
          [[field, 'not_supported']],
        )
      })
    for (const value of accepted)
      it(`${field} of a ${name} is accepted: ${JSON.stringify(value)}`, async () => {
        await using gateway = await testGateway(fakes)
        const response = await gateway.call({ ...body, headers, json: { ...body.json, [field]: value } })
        assert.ok(response.status < 300, response.text)
      })
  }

  it('are reported together with all other problems', async () => {
    await using gateway = await testGateway(fakes)
    const json = { topic: 'news', retention: 0, to: ['nonsense'], text: 't', subject: 's' }
    const { body } = await gateway.call({ path: '/api/v1/emails', headers, json })
    const found = body.errors?.map(({ path, code }) => `${path} ${code}`).sort()
    assert.deepEqual(found, ['retention invalid_value', 'to[0] invalid_address', 'topic not_supported'])
  })

  it('show what an earlier release stored', async () => {
    await using gateway = await testGateway(fakes)
    const workspace = await gateway.call({ method: 'PATCH', path: '/api/v1/workspace', headers, json: { name: 'n' } })
    assert.equal(workspace.body['retention'], 7)
    const changed = await gateway.call({
      method: 'PATCH',
      path: '/api/v1/api-keys/key_1',
      headers,
      json: { name: 'n' },
    })
    assert.deepEqual(changed.body['domains'], ['stored.example'])
  })
})

describe('names that a route does not have', () => {
  const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1' }
  const every: Fakes = {
    accounts: {
      AuthenticateSession: async () => ({
        ...session,
        caller: aPerson({ role: 'owner', scopes: scopesOfRole('owner') }),
      }),
    },
    intake: { Validate: async () => ({ would_send: false, problems: [] }) },
    domains: { Verify: async () => Promise.reject(new Error('reached')) },
    webhooks: { Check: async () => [] },
  }
  const headersOf = ({ access }: Route): Record<string, string> =>
    'operator' in access
      ? { authorization: `Bearer ${config.operatorToken}` }
      : { cookie: 'sid=s1', 'x-csrf-token': 't1' }
  const callOf = (route: Route, query = '') => ({
    method: route.method,
    path: `${route.path.replaceAll(/:\w+/g, 'x_1')}${query}`,
    headers: headersOf(route),
  })

  // Only routes with a body refused unknown fields of one: `DELETE` and `POST …/rotate-secret` ignored each of them.
  for (const route of routes.filter(({ isBatch }) => !isBatch))
    it(`are refused in the body of ${route.method} ${route.path}`, async () => {
      await using gateway = await testGateway(every)
      const query = route.path.endsWith('/plan/preview') ? '?plan=pro' : ''
      const { status, body, text } = await gateway.call({ ...callOf(route, query), json: { unknown_name: 1 } })
      const problems = (body.errors ?? (body['problems'] as typeof body.errors) ?? []).map(
        ({ path, code }) => `${path} ${code}`,
      )
      assert.equal(status, route.respondToRefused ? 200 : 422, text)
      assert.ok(problems.includes('unknown_name unknown_field'), text)
    })

  // Only lists refused them: `POST /emails?mode=test` sent live mail.
  for (const route of routes)
    it(`are refused in the query of ${route.method} ${route.path}`, async () => {
      await using gateway = await testGateway(every)
      const messages = { messages: [bodies['send']?.json] }
      const json = route.isBatch ? messages : route.body ? {} : undefined
      const { status, body, text } = await gateway.call({ ...callOf(route, '?unknown_name=1'), json })
      assert.deepEqual([status, body.code], [400, 'malformed_request'], text)
      assert.ok(
        body.errors?.some(({ path, code }) => path === 'unknown_name' && code === 'unknown_parameter'),
        text,
      )
    })

  const verify = { method: 'POST', path: '/api/v1/domains/dom_1/verify' }
  for (const [name, request, expected] of [
    ['nothing', {}, 500],
    ['an empty object', { json: {} }, 500],
    ['null', { json: null }, 500],
    ['an empty body in chunks', { body: '', headers: { 'transfer-encoding': 'chunked' } }, 500],
    ['an array', { json: [] }, 422],
    ['a text', { json: 'now' }, 422],
    ['a form', { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['a body without a type', { body: '{}' }, 415],
    ['invalid JSON', { body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['a field twice', { body: '{"a":1,"a":1}', headers: { 'content-type': 'application/json' } }, 400],
    ['a body over 16 KiB', { json: { a: 'x'.repeat(17 * 1_024) } }, 413],
  ] as const)
    it(`returns ${expected} for a route without a body: ${name}`, async () => {
      await using gateway = await testGateway(every)
      const response = await gateway.call({
        ...verify,
        ...request,
        headers: { ...headers, ...('headers' in request ? request.headers : {}) },
      })
      // The call of the service fails in this test: 500 shows that the request reached it.
      assert.equal(response.status, expected, response.text)
    })
})
