import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { assertProblem } from '../support/assertProblem.ts'
import { freshDomain, rawMail, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { useSystem } from '../support/suite.ts'

/** All operations of this version. An added or removed operation changes the contract. */
const operations = [
  'DELETE /api/v1/api-keys/{id}',
  'DELETE /api/v1/auth/sessions',
  'DELETE /api/v1/auth/sessions/{id}',
  'DELETE /api/v1/auth/totp',
  'DELETE /api/v1/domains/{id}',
  'DELETE /api/v1/members/invitations/{id}',
  'DELETE /api/v1/members/{user_id}',
  'DELETE /api/v1/operator/operators/{id}',
  'DELETE /api/v1/operator/workspaces/{id}',
  'DELETE /api/v1/templates/{id}',
  'DELETE /api/v1/webhooks/{id}',
  'DELETE /api/v1/workspace',
  'GET /api/v1/account/notifications',
  'GET /api/v1/api-keys',
  'GET /api/v1/audit-log',
  'GET /api/v1/auth/session',
  'GET /api/v1/auth/sessions',
  'GET /api/v1/billing/invoices',
  'GET /api/v1/billing/invoices/{id}',
  'GET /api/v1/billing/invoices/{id}/print',
  'GET /api/v1/billing/plan',
  'GET /api/v1/billing/plan/preview',
  'GET /api/v1/billing/plans',
  'GET /api/v1/billing/usage',
  'GET /api/v1/domains',
  'GET /api/v1/domains/{id}',
  'GET /api/v1/emails',
  'GET /api/v1/emails/{id}',
  'GET /api/v1/emails/{id}/content',
  'GET /api/v1/emails/{id}/explain',
  'GET /api/v1/emails/{id}/html',
  'GET /api/v1/emails/{id}/raw',
  'GET /api/v1/erasures/{id}',
  'GET /api/v1/events',
  'GET /api/v1/members',
  'GET /api/v1/members/invitations',
  'GET /api/v1/openapi.json',
  'GET /api/v1/operator/audit-log',
  'GET /api/v1/operator/health',
  'GET /api/v1/operator/invoices',
  'GET /api/v1/operator/invoices/{id}',
  'GET /api/v1/operator/operators',
  'GET /api/v1/operator/parked',
  'GET /api/v1/operator/platform-domain',
  'GET /api/v1/operator/queues',
  'GET /api/v1/operator/retention',
  'GET /api/v1/operator/users',
  'GET /api/v1/operator/users/{id}',
  'GET /api/v1/operator/workspaces',
  'GET /api/v1/operator/workspaces/{id}',
  'GET /api/v1/stats/emails',
  'GET /api/v1/templates',
  'GET /api/v1/templates/{id}',
  'GET /api/v1/templates/{id}/versions',
  'GET /api/v1/templates/{id}/versions/{version}',
  'GET /api/v1/test/clock',
  'GET /api/v1/webhooks',
  'GET /api/v1/webhooks/{id}',
  'GET /api/v1/webhooks/{id}/deliveries',
  'GET /api/v1/webhooks/{id}/deliveries/{delivery_id}',
  'GET /api/v1/webhooks/{id}/replay',
  'GET /api/v1/webhooks/{id}/replay/{replay_id}',
  'GET /api/v1/workspace',
  'GET /api/v1/workspaces',
  'PATCH /api/v1/account/notifications',
  'PATCH /api/v1/api-keys/{id}',
  'PATCH /api/v1/domains/{id}',
  'PATCH /api/v1/emails/{id}',
  'PATCH /api/v1/members/{user_id}',
  'PATCH /api/v1/operator/invoices/{id}',
  'PATCH /api/v1/operator/users/{id}',
  'PATCH /api/v1/operator/workspaces/{id}',
  'PATCH /api/v1/templates/{id}',
  'PATCH /api/v1/webhooks/{id}',
  'PATCH /api/v1/workspace',
  'POST /api/v1/api-keys',
  'POST /api/v1/api-keys/{id}/roll',
  'POST /api/v1/auth/email',
  'POST /api/v1/auth/email/confirm',
  'POST /api/v1/auth/email/resend',
  'POST /api/v1/auth/invitations/accept',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/logout',
  'POST /api/v1/auth/password',
  'POST /api/v1/auth/password-reset',
  'POST /api/v1/auth/password-reset/confirm',
  'POST /api/v1/auth/session',
  'POST /api/v1/auth/signup',
  'POST /api/v1/auth/totp',
  'POST /api/v1/auth/totp/confirm',
  'POST /api/v1/billing/invoices/{id}/pay',
  'POST /api/v1/billing/plan',
  'POST /api/v1/billing/portal',
  'POST /api/v1/domains',
  'POST /api/v1/domains/{id}/rotate-key',
  'POST /api/v1/domains/{id}/verify',
  'POST /api/v1/emails',
  'POST /api/v1/emails/batch',
  'POST /api/v1/emails/validate',
  'POST /api/v1/emails/{id}/cancel',
  'POST /api/v1/emails/{id}/resolve',
  'POST /api/v1/erasures',
  'POST /api/v1/members/invitations',
  'POST /api/v1/members/invitations/{id}/resend',
  'POST /api/v1/members/{user_id}/transfer-ownership',
  'POST /api/v1/operator/operators',
  'POST /api/v1/operator/parked/{id}/drop',
  'POST /api/v1/operator/parked/{id}/release',
  'POST /api/v1/operator/workspaces/{id}/adjustments',
  'POST /api/v1/operator/workspaces/{id}/restore',
  'POST /api/v1/templates',
  'POST /api/v1/templates/preview',
  'POST /api/v1/templates/{id}/preview',
  'POST /api/v1/templates/{id}/restore',
  'POST /api/v1/test/clock',
  'POST /api/v1/webhooks',
  'POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  'POST /api/v1/webhooks/{id}/replay',
  'POST /api/v1/webhooks/{id}/rotate-secret',
  'POST /api/v1/webhooks/{id}/test',
  'POST /api/v1/workspaces',
  'POST /api/v1/workspaces/{id}/leave',
]

type Schema = Record<string, unknown>
type Operation = {
  operationId?: string
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
}
type OpenApi = { openapi: string; paths: Record<string, Record<string, Operation>>; components?: Schema }

describe('API as a whole', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  for (const path of [
    '/api/v1/nothing',
    '/api/v1/emails/em_x/unknown',
    '/api/v1',
    '/api/v1/emails/batch/x',
    '/nothing',
    '/api',
    // Endpoints that are planned.
    '/api/v1/suppressions',
  ])
    it(`returns 404 for ${path}`, async () => {
      assertProblem(await tenant.api.call({ path }), 404, 'not_found')
    })

  it('returns 404 for another API version and names the supported one', async () => {
    for (const path of ['/api/v2/emails', '/api/v0/emails', '/api/latest/emails'])
      assert.match(assertProblem(await tenant.api.call({ path }), 404, 'not_found').detail, /\/api\/v1|\bv1\b/)
  })

  it('returns 405 for a wrong method, with the allowed methods', async () => {
    const response = await tenant.api.call({ method: 'DELETE', path: '/api/v1/emails' })
    assertProblem(response, 405, 'method_not_allowed')
    const allowed = (response.headers['allow'] ?? '').split(/,\s*/)
    assert.ok(allowed.includes('GET') && allowed.includes('POST'), response.headers['allow'])
    assertProblem(
      await tenant.api.call({ method: 'PUT', path: '/api/v1/templates', json: {} }),
      405,
      'method_not_allowed',
    )
  })

  it('every response has a request id: the one of the request if it is well-formed', async () => {
    const returnedId = async (id?: string) =>
      (await tenant.api.call({ path: '/api/v1/emails', headers: id === undefined ? {} : { 'x-request-id': id } }))
        .headers['x-request-id']
    assert.equal(await returnedId('my-request_1.2'), 'my-request_1.2')
    assert.match(String(await returnedId()), /^req_[0-9a-z]{26}$/)
    for (const malformed of ['x'.repeat(300), 'a b"c<script>', '{"level":60}'])
      assert.match(String(await returnedId(malformed)), /^req_/)
  })

  it('returns application/problem+json to a client that accepts it', async () => {
    const response = await tenant.api.call({ path: '/api/v1/nothing', headers: { accept: 'application/problem+json' } })
    assert.match(response.headers['content-type'] ?? '', /^application\/problem\+json/)
    assert.equal((response.body as { code: string }).code, 'not_found')
  })

  it('responses forbid content sniffing and caching', async () => {
    const { headers } = await tenant.api.call({ path: '/api/v1/emails' })
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(headers['cache-control'] ?? '', /no-store/)
  })

  it('the OpenAPI document lists exactly the served operations, with unique names', async () => {
    const { status, body } = await system().client.call<OpenApi>({ path: '/api/v1/openapi.json' })
    assert.equal(status, 200)
    assert.match(body.openapi, /^3\.1\./)
    const found = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual(found.sort(), operations)
    const names = Object.values(body.paths).flatMap((item) => Object.values(item).map((one) => one.operationId))
    assert.equal(new Set(names).size, names.length)
  })

  it('responses match the schemas of the OpenAPI document', async () => {
    const { body: document } = await system().client.call<OpenApi>({ path: '/api/v1/openapi.json' })
    const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } })
    ajv.addSchema({ ...document, $id: 'https://postrider.example/openapi' })
    const check = (method: string, path: string, response: HttpResponse<unknown>): void => {
      const responses = document.paths[path]?.[method]?.responses ?? {}
      const declared = responses[String(response.status)] ?? responses['default']
      assert.ok(declared, `${method} ${path} has no response ${response.status}`)
      const pointer =
        declared.$ref?.slice(1) ??
        `/paths/${path.replaceAll('/', '~1')}/${method}/responses/${response.status in responses ? response.status : 'default'}`
      const at = encodeURI(`${pointer}/content/application~1json/schema`).replaceAll('%7B', '{').replaceAll('%7D', '}')
      const validate = ajv.getSchema(`https://postrider.example/openapi#${encodeURI(at)}`)
      assert.ok(validate, `no schema at ${at}`)
      assert.ok(validate(response.body), `${method} ${path} ${response.status}: ${ajv.errorsText(validate.errors)}`)
    }
    const sent = await tenant.send(rawMail())
    await tenant.until(sent.body.id, (email) => email.status === 'delivered')
    const template = await tenant.api.call<{ id: string }>({
      path: '/api/v1/templates',
      json: { name: 'doc', subject: 's', text_body: 't' },
    })
    check('post', '/api/v1/emails', sent)
    check('post', '/api/v1/emails', await tenant.send({}))
    check('get', '/api/v1/emails', await tenant.api.call({ path: '/api/v1/emails' }))
    check('get', '/api/v1/emails/{id}', await tenant.api.call({ path: `/api/v1/emails/${sent.body.id}` }))
    check('get', '/api/v1/emails/{id}', await tenant.api.call({ path: '/api/v1/emails/em_none' }))
    check('post', '/api/v1/templates', template)
    check('get', '/api/v1/templates', await tenant.api.call({ path: '/api/v1/templates' }))
    check('get', '/api/v1/templates/{id}', await tenant.api.call({ path: `/api/v1/templates/${template.body.id}` }))
    const manager = await tenant.makeKey({ scopes: ['domains:write'] })
    const domain = await manager.call<{ id: string }>({ path: '/api/v1/domains', json: { name: freshDomain() } })
    const path = `/api/v1/domains/${domain.body.id}`
    check('post', '/api/v1/domains', domain)
    check('post', '/api/v1/domains', await manager.call({ path: '/api/v1/domains', json: { name: 'co.uk' } }))
    check('get', '/api/v1/domains', await manager.call({ path: '/api/v1/domains' }))
    check('post', '/api/v1/domains/{id}/verify', await manager.call({ method: 'POST', path: `${path}/verify` }))
    check('post', '/api/v1/domains/{id}/rotate-key', await manager.call({ method: 'POST', path: `${path}/rotate-key` }))
    check('get', '/api/v1/domains/{id}', await manager.call({ path }))
    check('get', '/api/v1/billing/usage', await tenant.session.call({ path: '/api/v1/billing/usage' }))
    check('get', '/api/v1/auth/session', await tenant.session.call({ path: '/api/v1/auth/session' }))
    check('get', '/api/v1/workspace', await tenant.session.call({ path: '/api/v1/workspace' }))
    check('get', '/api/v1/api-keys', await tenant.session.call({ path: '/api/v1/api-keys' }))
  })

  it('the type of every error is the path of a page about it', async () => {
    const refusals = [
      await tenant.api.call({ path: '/api/v1/nothing' }),
      await tenant.api.call({ method: 'PUT', path: '/api/v1/emails', json: {} }),
      await tenant.send({}),
      await tenant.api.call({ path: '/api/v1/billing/usage' }),
      await system().client.call({ path: '/api/v1/emails' }),
    ]
    for (const { body } of refusals) {
      const { type, title } = body as unknown as { type: string; title: string }
      const page = await system().client.call({ path: type, headers: { accept: 'text/html' } })
      assert.deepEqual([page.status, page.text.includes(title)], [200, true], type)
    }
    assertProblem(await system().client.call({ path: '/problems/no-such' }), 404, 'not_found')
  })

  it('the probes report the service as alive and ready', async () => {
    for (const path of ['/livez', '/readyz']) assert.equal((await system().client.call({ path })).status, 200)
  })
})
