import assert from 'node:assert/strict'
import { roles } from '@postrider/domain/accounts/roles.ts'
import { domainStatuses } from '@postrider/domain/domains/domain.ts'
import { emailEventTypes } from '@postrider/domain/email/email.ts'
import { emailStatuses, recipientStatuses } from '@postrider/domain/email/status.ts'
import { eventTypes } from '@postrider/domain/events/event.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { routes } from '../routes/routes.ts'
import { testGateway } from '../testGateway.ts'
import { openapiDocument } from './openapi.ts'

type Schema = {
  description?: string
  properties?: Record<string, Schema>
  type?: string | string[]
  enum?: unknown[]
  items?: Schema
  anyOf?: Schema[]
  format?: string
  minLength?: number
}
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }
type Operation = {
  operationId: string
  parameters?: { name: string; schema: Schema }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, Media> }>
}
type Document = {
  webhooks: Record<string, Record<string, Operation>>
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { name?: string }> }
}

const document = JSON.parse(JSON.stringify(openapiDocument(routes))) as Document

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** RFC 3339 §5.6. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** The checks run once or twice: optimized code would cost more than it saves. */
const code = { optimize: false }
const ajv = new Ajv2020({ strict: false, code, formats: { 'date-time': dateTime, password: true } })
ajv.addSchema({ ...document, $id: 'https://postrider.example/openapi' })

/** Checks by schema: 1,300 of 1,460 bodies are problems, and ajv would compile a check for each of them. */
const checks = new Map<string, ValidateFunction>()

/** Returns the check of a schema at a path of the document. */
const checkAt = (...keys: string[]): ValidateFunction => {
  const pointer = keys.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const schema = JSON.stringify(keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document))
  const check = checks.get(schema) ?? ajv.getSchema(`https://postrider.example/openapi#/${encodeURI(pointer)}`)
  assert.ok(check, pointer)
  checks.set(schema, check)
  return check
}

const valuesOf = ({ example, examples = {} }: Media): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
]

const schemaOf = (name: string): Schema => document.components.schemas[name] ?? assert.fail(name)
const fieldOf = (name: string, field: string): Schema => schemaOf(name).properties?.[field] ?? assert.fail(field)
const operationOf = (name: string): Operation =>
  operations.find(({ operation }) => operation.operationId === name)?.operation ?? assert.fail(name)
const headersOf = (name: string, status: number): string[] =>
  Object.keys(operationOf(name).responses[status]?.headers ?? {})

describe('OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)
    assert.ok(valid, JSON.stringify(errors))
    assert.equal(validator.version, '3.1')
  })

  for (const { path, method, operation } of operations) {
    const keys = ['paths', path, method]

    it(`has an example of every body of ${operation.operationId}, which its schema accepts`, () => {
      const request = operation.requestBody?.content['application/json']
      if (request) {
        const check = checkAt(...keys, 'requestBody', 'content', 'application/json', 'schema')
        const values = valuesOf(request)
        assert.ok(values.length > 0, 'the request has no example')
        for (const value of values) assert.ok(check(value), ajv.errorsText(check.errors))
      }
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        const response = content['application/json']
        if (!response) continue
        const check = checkAt(...keys, 'responses', status, 'content', 'application/json', 'schema')
        const values = valuesOf(response)
        assert.ok(values.length > 0, `response ${status} has no example`)
        for (const value of values) assert.ok(check(value), `${status}: ${ajv.errorsText(check.errors)}`)
      }
    })

    it(`names the headers of the refusals of ${operation.operationId}`, () => {
      for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
        assert.ok('X-Request-Id' in headers, status)
        if (['409', '429', '503'].includes(status)) assert.ok('Retry-After' in headers, status)
        if (status === '401') assert.ok('WWW-Authenticate' in headers)
      }
    })
  }

  it('describes the webhook of each type of event, with a body that its schema accepts', () => {
    assert.deepEqual(Object.keys(document.webhooks), [...eventTypes])
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const names = post?.parameters?.map(({ name }) => name)
      assert.deepEqual(names, ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      const check = checkAt('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema')
      const [value] = valuesOf(post?.requestBody?.content['application/json'] ?? assert.fail(type))
      assert.ok(check(value), `${type}: ${ajv.errorsText(check.errors)}`)
      assert.equal((value as { type: string }).type, type)
    }
  })

  it('names the headers of a send, of a replay and of a used-up quota', () => {
    const quota = ['Quota-Limit', 'Quota-Remaining', 'Quota-Reset']
    const accepted = headersOf('sendEmail', 202)
    for (const name of [...quota, 'Location', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy']) {
      assert.ok(accepted.includes(name), name)
    }
    for (const name of quota) assert.ok(headersOf('sendEmail', 402).includes(name), name)
    assert.ok(headersOf('sendEmail', 429).includes('RateLimit'))
    assert.ok(!headersOf('signUp', 429).includes('RateLimit'))
  })

  const enumerations: [schema: string, field: string, values: readonly string[]][] = [
    ['Email', 'status', emailStatuses],
    ['Email', 'mode', ['live', 'test']],
    ['Email', 'category', ['transactional', 'marketing']],
    ['Recipient', 'status', recipientStatuses],
    ['EmailEvent', 'type', emailEventTypes],
    ['ApiKey', 'mode', ['live', 'test']],
    ['Session', 'role', roles],
    ['Domain', 'status', domainStatuses],
    ['PlatformDomain', 'status', domainStatuses],
    ['DnsRecord', 'purpose', ['ownership', 'dkim', 'return_path_mx', 'return_path_spf', 'dmarc']],
    ['WebhookDelivery', 'status', ['pending', 'delivered', 'failed', 'canceled']],
    ['WebhookReplay', 'status', ['running', 'done', 'canceled']],
    ['DnsRecord', 'status', ['found', 'missing', 'wrong', 'unknown']],
  ]
  for (const [schema, field, values] of enumerations) {
    it(`lists the values of ${schema}.${field} with a sentence for each`, () => {
      const { enum: listed, description = '' } = fieldOf(schema, field)
      assert.deepEqual(listed, [...values])
      for (const value of values) assert.match(description, new RegExp(`\`${value}\`: .{5,}?\\.`))
    })
  }

  it('lists the scopes with a sentence for each', () => {
    for (const name of ['ApiKey', 'CreatedApiKey']) {
      const { items, description = '' } = fieldOf(name, 'scopes')
      for (const value of items?.enum ?? assert.fail()) assert.match(description, new RegExp(`\`${value}\`: .{10,}\\.`))
    }
  })

  it('accepts null for every optional field of a request, as the service does', () => {
    const check = checkAt('components', 'schemas', 'SendEmail')
    const optional = Object.keys(schemaOf('SendEmail').properties ?? {}).filter((name) => name !== 'to')
    const nulls = Object.fromEntries(optional.map((name) => [name, null]))
    assert.ok(check({ to: ['a@y.example'], ...nulls }), ajv.errorsText(check.errors))
    assert.ok(!check({ to: null }))
    const attachment = checkAt('components', 'schemas', 'Attachment')
    assert.ok(attachment({ filename: 'a', content: '', content_type: null, content_id: null }))
    assert.ok(!attachment({ filename: null, content: '' }))
  })

  it('marks times as date-time and required texts as not empty', () => {
    assert.equal(fieldOf('Email', 'created_at').format, 'date-time')
    const query = operationOf('listEmails').parameters ?? []
    for (const name of ['created_after', 'created_before']) {
      assert.equal(query.find((one) => one.name === name)?.schema.format, 'date-time', name)
    }
    for (const [schema, field] of [
      ['SendEmail', 'subject'],
      ['SendEmail', 'html'],
      ['CreateTemplate', 'name'],
      ['CreateApiKey', 'name'],
      ['SignUp', 'workspace_name'],
      ['CreateDomain', 'name'],
    ] as const) {
      assert.equal(fieldOf(schema, field).minLength, 1, field)
    }
  })

  for (const [publicUrl, isSecure] of [
    ['https://mail.example.com', true],
    ['http://localhost:8080', false],
  ] as const) {
    it(`is made for clients ${isSecure ? 'with' : 'without'} TLS at ${publicUrl}`, async () => {
      const made: boolean[] = []
      await using _gateway = await testGateway({
        config: { publicUrl, publicUrlIsSet: isSecure },
        makeDocuments: ({ secure }) => {
          made.push(secure)
          return () => assert.fail('no request needs a document')
        },
      })
      assert.deepEqual(made, [isSecure])
    })
  }
})
