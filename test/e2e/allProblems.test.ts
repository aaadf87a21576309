import assert from 'node:assert/strict'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'

/** A refused request with each problem of the response, as `path code`. */
type Row = {
  by?: 'key' | 'session' | 'operator'
  method?: string
  path: string
  json: Record<string, unknown>
  problems: string[]
}

const past = '2020-01-01T00:00:00Z'

/** Former responses named only the unknown field. */
const rows: Row[] = [
  {
    path: '/api/v1/webhooks',
    json: { url: 'ftp://127.0.0.1/', events: ['nope', 'email.sent'], bogus: 1 },
    problems: ['bogus unknown_field', 'url url_not_allowed', 'events[0] unknown_event_type'],
  },
  {
    method: 'PATCH',
    path: '/api/v1/webhooks/{webhook}',
    json: { url: 'http://10.0.0.1/', enabled: 'yes' },
    problems: ['enabled wrong_type', 'url url_not_allowed'],
  },
  {
    path: '/api/v1/webhooks/{webhook}/test',
    json: { type: 'nope', bogus: 1 },
    problems: ['bogus unknown_field', 'type unknown_event_type'],
  },
  // An empty text counted as an absent one.
  { path: '/api/v1/webhooks/{webhook}/test', json: { type: '' }, problems: ['type empty'] },
  {
    by: 'session',
    method: 'PATCH',
    path: '/api/v1/api-keys/{key}',
    json: { expires_at: '' },
    problems: ['expires_at empty'],
  },
  {
    path: '/api/v1/webhooks/{webhook}/replay',
    json: { from: 'a', to: 'b', bogus: 1 },
    problems: ['bogus unknown_field', 'from invalid_time', 'to invalid_time'],
  },
  {
    path: '/api/v1/webhooks/{webhook}/replay',
    json: { from: '2100-01-01T00:00:00Z', to: '2100-01-02T00:00:00Z' },
    problems: ['from time_in_future', 'to time_in_future'],
  },
  {
    path: '/api/v1/templates',
    json: { name: '', subject: '{{a b}}', html_body: '{{#if x}}', alias: 'tpl_x' },
    problems: ['name empty', 'alias invalid_alias', 'subject template_syntax', 'html_body template_syntax'],
  },
  {
    path: '/api/v1/templates',
    json: { name: 'a', subject: 's', text_body: 't', alias: 'preview' },
    problems: ['alias invalid_alias'],
  },
  {
    method: 'PATCH',
    path: '/api/v1/templates/{template}',
    json: { text_body: '{{a b}}', bogus: 1 },
    problems: ['bogus unknown_field', 'text_body template_syntax'],
  },
  {
    path: '/api/v1/templates/preview',
    json: { subject: '{{a b}}', text_body: 't', template_vars: 3 },
    problems: ['subject template_syntax', 'template_vars wrong_type'],
  },
  {
    path: '/api/v1/domains',
    json: { name: 'bad name', bogus: 1 },
    problems: ['bogus unknown_field', 'name whitespace'],
  },
  {
    by: 'session',
    path: '/api/v1/api-keys',
    json: {
      name: ' ',
      scopes: ['nope'],
      mode: 'both',
      expires_at: past,
      domains: ['a b'],
      networks: ['x'],
      recipients: ['*'],
      bogus: 1,
    },
    problems: [
      'bogus unknown_field',
      'name empty',
      'mode invalid_value',
      'scopes[0] unknown_scope',
      'expires_at in_the_past',
      'domains[0] whitespace',
      'networks[0] invalid_network',
      'recipients[0] wildcard',
    ],
  },
  {
    by: 'session',
    method: 'PATCH',
    path: '/api/v1/api-keys/{key}',
    json: { scopes: [], expires_at: past },
    problems: ['scopes empty', 'expires_at in_the_past'],
  },
  {
    by: 'session',
    method: 'PATCH',
    path: '/api/v1/workspace',
    json: { name: ' ', sender_name: 'a@example.com', retention: -1 },
    problems: ['retention invalid_value', 'name empty', 'sender_name looks_like_address'],
  },
  {
    by: 'operator',
    path: '/api/v1/operator/workspaces/{workspace}/adjustments',
    json: { sends: 1.5, reason: '', bogus: 1 },
    problems: ['bogus unknown_field', 'sends invalid_value', 'reason required'],
  },
]

describe('problems of a request', () => {
  const system = useSystem()
  let tenant: Tenant
  let callers: Record<'key' | 'session' | 'operator', Caller>
  let ids: Record<string, string>
  before(async () => {
    tenant = await system().client.tenant()
    const key = await tenant.makeKey({ scopes: [...scopes] })
    callers = { key, session: tenant.session, operator: system().client.withOperatorToken() }
    const hook = await key.call<{ id: string }>({
      path: '/api/v1/webhooks',
      json: { url: 'https://example.com/hooks' },
    })
    assert.equal(hook.status, 201, hook.text)
    const template = await tenant.template({ name: fresh(), subject: 's', text_body: 't' })
    ids = { key: key.record.id, webhook: hook.body.id, template: template.id, workspace: tenant.workspace.id }
  })

  for (const { by = 'key', method = 'POST', path, json, problems } of rows)
    it(`are named together: ${method} ${path} ${JSON.stringify(json)}`, async () => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? assert.fail(name))
      const { errors } = assertProblem(await callers[by].call({ method, path: filled, json }), 422, 'validation_failed')
      assert.deepEqual((errors ?? []).map((one) => `${one.path} ${one.code}`).toSorted(), problems.toSorted())
    })

  for (const type of ['typo', 'email.delivered,typo', ''])
    it(`name the types of events: ?type=${type}`, async () => {
      const response = await callers.key.call({ path: `/api/v1/events?type=${type}` })
      const { errors } = assertProblem(response, 400, 'malformed_request', [{ path: 'type', code: 'invalid_type' }])
      assert.match(errors?.[0]?.message ?? '', /^"(typo|)" is no type .*email\.accepted, .*webhook\.disabled\.$/)
    })

  it('include an empty query parameter that must not be empty', async () => {
    const path = `/api/v1/webhooks/${ids['webhook']}/deliveries?event_id=`
    assertProblem(await callers.key.call({ path }), 400, 'malformed_request', [{ path: 'event_id', code: 'empty' }])
  })
})
