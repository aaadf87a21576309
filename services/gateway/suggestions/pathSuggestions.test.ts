import assert from 'node:assert/strict'
import { routes } from '../routes/routes.ts'
import { testGateway } from '../testGateway.ts'
import { knownPaths, makePathSuggestions, plannedPaths } from './pathSuggestions.ts'

const pages = ['/', '/docs', '/livez', '/readyz', '/mailbox'].map((path) => ({ method: 'GET', path }))
const suggestion = makePathSuggestions(knownPaths([...routes, ...pages]))

const rows: [request: string, suggestion: string][] = [
  ['POST /v1/emails', 'Did you mean /api/v1/emails?'],
  ['POST /emails', 'Did you mean /api/v1/emails?'],
  ['POST /api/emails', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1/email', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1/Emails', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1/emials', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1//emails', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1/api/v1/emails', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1/emails/', 'Did you mean /api/v1/emails? Paths have no final slash.'],
  ['POST /api/v1/emails.json', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1/emails/send', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1/send', 'Did you mean /api/v1/emails?'],
  ['POST /v3/mail/send', 'Did you mean /api/v1/emails?'],
  ['POST /v3/smtp/email', 'Did you mean /api/v1/emails?'],
  ['POST /email/withTemplate', 'Did you mean /api/v1/emails?'],
  ['PUT /v1/emails', 'Did you mean GET or POST /api/v1/emails?'],
  ['GET /v1/emails/em_01jd7w3k5vf2ya4m9x0q8r6t1n', 'Did you mean /api/v1/emails/{id}?'],
  ['GET /api/v1/email/em_01jd7w3k5vf2ya4m9x0q8r6t1n', 'Did you mean /api/v1/emails/{id}?'],
  ['GET /api/v1/emails/em_01jd7w3k5vf2ya4m9x0q8r6t1n/', 'Did you mean /api/v1/emails/{id}? Paths have no final slash.'],
  ['POST /v1/emails/em_01jd7w3k/cancle', 'Did you mean /api/v1/emails/{id}/cancel?'],
  ['POST /api/v1/template', 'Did you mean /api/v1/templates?'],
  ['GET /templates/', 'Did you mean /api/v1/templates? Paths have no final slash.'],
  ['GET /api/v1/apikeys', 'Did you mean /api/v1/api-keys?'],
  ['GET /api/v1/api_keys', 'Did you mean /api/v1/api-keys?'],
  ['POST /login', 'Did you mean /api/v1/auth/login?'],
  ['GET /login', 'Did you mean POST /api/v1/auth/login?'],
  ['POST /api/v1/auth/register', 'Did you mean /api/v1/auth/signup?'],
  ['GET /api/v1/usage', 'Did you mean /api/v1/billing/usage?'],
  ['GET /openapi.json', 'Did you mean /api/v1/openapi.json?'],
  ['GET /openapi.yaml', 'Did you mean /api/v1/openapi.json?'],
  ['GET /swagger.json', 'Did you mean /api/v1/openapi.json?'],
  ['GET /healthz', 'Did you mean /livez?'],
  ['GET /docs/', 'Did you mean /docs? Paths have no final slash.'],
  ['GET /api', 'Did you mean /docs?'],
  ['GET /api/v1', 'Did you mean /docs?'],
  ['HEAD /v1/emails', 'Did you mean /api/v1/emails?'],
  ['POST /api/v1/suppressions', 'This version does not have this operation yet; /docs lists those that exist.'],
  ['POST /domain', 'Did you mean /api/v1/domains?'],
  ['GET /v3/domains', 'Did you mean /api/v1/domains?'],
  ['POST /api/v1/sending_domains', 'Did you mean /api/v1/domains?'],
  ['POST /v1/sending-domains', 'Did you mean /api/v1/domains?'],
  ['POST /v2/email/identities', 'Did you mean /api/v1/domains?'],
  ['GET /identities', 'Did you mean /api/v1/domains?'],
  ['POST /v3/whitelabel/domains', 'Did you mean /api/v1/domains?'],
  ['POST /v3/senders/domains', 'Did you mean /api/v1/domains?'],
  ['GET /v1/domains/dom_01jd7w3k', 'Did you mean /api/v1/domains/{id}?'],
  ['GET /v3/domains/example.com', 'Did you mean /api/v1/domains/{id}?'],
  ['GET /api/v1/domains/dom_01jd7w3k/records', 'Did you mean /api/v1/domains/{id}?'],
  ['POST /domain/verify', 'Did you mean /api/v1/domains/{id}/verify?'],
  ['PUT /v3/domains/example.com/verify', 'Did you mean POST /api/v1/domains/{id}/verify?'],
  ['POST /api/v1/domains/dom_01jd7w3k/check', 'Did you mean /api/v1/domains/{id}/verify?'],
  ['POST /v3/whitelabel/domains/12345/validate', 'Did you mean /api/v1/domains/{id}/verify?'],
  ['PUT /domains/12345/verifyDkim', 'Did you mean POST /api/v1/domains/{id}/verify?'],
  ['POST /domains/12345/rotatedkim', 'Did you mean /api/v1/domains/{id}/rotate-key?'],
  [
    'POST /api/v1/domains/dom_01jd7w3k/rotate_key/',
    'Did you mean /api/v1/domains/{id}/rotate-key? Paths have no final slash.',
  ],
  ['GET /api/v1/suppressions', 'This version does not have this operation yet; /docs lists those that exist.'],
  [
    'GET /api/v1/suppressions/sup_01jd7w3k',
    'This version does not have this operation yet; /docs lists those that exist.',
  ],
  ['GET /favicon.ico', ''],
  ['GET /api/v1/contacts', ''],
  ['GET /wp-login.php', ''],
  [`GET /${'emails/'.repeat(1_000)}`, ''],
]

describe('suggestion for a wrong method', () => {
  const methods: [request: string, suggestion: string][] = [
    ['DELETE /api/v1/emails/em_1', ' To cancel an email: POST /api/v1/emails/{id}/cancel.'],
    [
      'PUT /api/v1/emails/em_1',
      ' To move an email to another time: PATCH /api/v1/emails/{id}; to change its content, cancel it with POST /api/v1/emails/{id}/cancel and send another one.',
    ],
    ['PUT /api/v1/templates/tpl_1', ' To change a template: PATCH /api/v1/templates/{id}.'],
    [
      'PUT /api/v1/domains/dom_1',
      ' To change a domain: PATCH /api/v1/domains/{id}; to check its records: POST /api/v1/domains/{id}/verify.',
    ],
    ['DELETE /api/v1/emails', ''],
    ['GET /api/v1/emails/em_1/cancel', ''],
  ]
  for (const [request, expected] of methods) {
    it(`is ${expected === '' ? 'nothing' : expected.trim()} for ${request}`, async () => {
      const [method = '', path = ''] = request.split(' ')
      await using gateway = await testGateway()
      const { status, body } = await gateway.api({ method, path })
      assert.equal(status, 405)
      assert.match(body.detail ?? '', /^This path supports [A-Z, ]+\./)
      assert.equal(body.detail?.replace(/^This path supports [A-Z, ]+\./, ''), expected)
    })
  }
})

describe('suggestion for an unknown path', () => {
  for (const [request, expected] of rows) {
    it(`is ${expected === '' ? 'nothing' : expected} for ${request.slice(0, 60)}`, () => {
      const [method = '', path = ''] = request.split(' ')
      assert.equal(suggestion(method, path), expected)
    })
  }

  it('never reports that an existing operation does not exist yet', () => {
    for (const { path } of routes) {
      const bare = path.replace('/api/v1/', '').replaceAll(':id', '{id}')
      assert.ok(!plannedPaths.some((planned) => planned.test(bare)), path)
    }
  })

  it('is part of the 404, with a page of all operations where nothing is near', async () => {
    await using gateway = await testGateway()
    const near = await gateway.api({ method: 'POST', path: '/v1/emails' })
    assert.deepEqual(
      [near.status, near.body.detail],
      [404, 'There is nothing at this path. Did you mean /api/v1/emails?'],
    )
    const far = await gateway.api({ path: '/api/v1/contacts' })
    assert.match(far.body.detail ?? '', /^There is nothing at this path\. .*\/docs/)
    const version = await gateway.api({ path: '/api/v2/emails' })
    assert.match(
      version.body.detail ?? '',
      /no such version of the API; use \/api\/v1\. Did you mean \/api\/v1\/emails\?/,
    )
  })

  it('does not name an operation that is switched off', async () => {
    await using gateway = await testGateway({ config: { operatorToken: null } })
    const { status, text } = await gateway.api({ path: '/api/v1/operator/workspace' })
    assert.equal(status, 404)
    assert.ok(!text.includes('operator/workspaces'), text)
  })

  it('does not repeat what the caller wrote', async () => {
    await using gateway = await testGateway()
    const { text } = await gateway.api({ path: '/v1/emails/em_secret0123/raw?api_key=secret' })
    assert.match(text, /Did you mean \/api\/v1\/emails\/\{id\}\/raw\?/)
    assert.ok(!text.includes('secret'), text)
  })

  const methods: [request: string, allow: string][] = [
    ['PUT /api/v1/emails', 'GET, HEAD, POST'],
    ['DELETE /api/v1/emails/em_1', 'GET, HEAD, PATCH'],
    ['GET /api/v1/auth/login', 'POST'],
    ['POST /docs', 'GET, HEAD'],
  ]
  for (const [request, allow] of methods) {
    it(`is not needed for a wrong method: ${request} allows ${allow}`, async () => {
      await using gateway = await testGateway()
      const [method = '', path = ''] = request.split(' ')
      const { status, headers } = await gateway.api({ method, path })
      assert.deepEqual([status, headers.allow], [405, allow])
    })
  }
})
