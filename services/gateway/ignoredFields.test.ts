import assert from 'node:assert/strict'
import { allowedCalls } from '@postrider/contracts/services/allowedCalls.ts'
import { scopesOfRole } from '@postrider/domain/accounts/roles.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { z } from 'zod'
import type { Route } from './route.ts'
import { routes } from './routes/routes.ts'
import { aPerson, aWorkspace, config, type Fakes, type TestGateway, testGateway } from './testGateway.ts'

/*
 * No field is accepted and ignored: for each field of a body and each parameter of a query, two requests that differ in
 * it alone make different calls of the services, or are refused. A new field needs a pair of values here. What services
 * do with passwords, codes and tokens: test/ignoredFields.test.ts; what intake does with a message:
 * services/intake/ignoredFields.test.ts.
 */

type Pair = readonly [unknown, unknown]
type Body = Record<string, unknown>
type Request = { json?: Body; query?: string }

const times: Pair = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z']
const later: Pair = ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z']
const addresses: Pair = ['a@b.example', 'c@b.example']
const flags: Pair = [true, false]
const texts: Pair = ['one', 'two']

const values: Readonly<Record<string, Pair>> = {
  ...{ to: [['a@b.example'], ['c@b.example']], cc: addresses, bcc: addresses, reply_to: addresses, from_: addresses },
  ...{ subject: texts, html: texts, text: texts, html_body: texts, text_body: texts, name: texts, alias: texts },
  ...{
    template_id: ['tpl_1', 'tpl_2'],
    template_vars: [{ a: 1 }, { a: 2 }],
    template_version: [1, 2],
    version: [1, 2],
  },
  ...{ headers: [{ 'X-A': '1' }, { 'X-A': '2' }], tags: [{ a: '1' }, { a: '2' }], metadata: [{ a: '1' }, { a: '2' }] },
  attachments: [[{ filename: 'a.txt', content: 'YQ==' }], [{ filename: 'b.txt', content: 'YQ==' }]],
  ...{ scheduled_at: ['PT1H', 'PT2H'], expires_in: [60, 120], on_unknown: ['hold', 'retry'], topic: texts },
  ...{ category: ['marketing', 'transactional'], retention: ['none', 'metadata'], domain_id: ['dom_1', 'dom_2'] },
  ...{
    as: ['delivered', 'failed'],
    advance: ['PT1H', 'PT2H'],
    at: later,
    overlap: ['PT1H', 'PT2H'],
    expires_at: later,
  },
  ...{
    url: ['https://a.example/', 'https://b.example/'],
    events: [['email.sent'], ['email.bounced']],
    description: texts,
  },
  ...{
    enabled: flags,
    subdomains: flags,
    require_totp: flags,
    suspended: flags,
    disabled: flags,
    mode: ['live', 'test'],
  },
  ...{ quota: flags, webhooks: flags, reputation: flags, sign_in: flags, type: ['email.sent', 'email.bounced'] },
  ...{ email: addresses, address: addresses, password: ['a long password 1', 'a long password 2'], current: texts },
  ...{
    code: ['123456', '654321'],
    token: texts,
    workspace: ['ws_1', 'ws_2'],
    workspace_name: texts,
    role: ['viewer', 'member'],
  },
  ...{ sender_name: texts, postal_address: texts, spending_cap_usd: ['1.00', '2.00'], plan: ['pro', 'free'] },
  ...{ scopes: [['emails:send'], ['emails:read']], networks: [['10.0.0.0/8'], ['11.0.0.0/8']] },
  ...{
    recipients: [['a.example'], ['b.example']],
    domains: [['a.example'], ['b.example']],
    note: texts,
    reason: texts,
  },
  ...{
    sends: [1, 2],
    amount_usd: ['1.00', '2.00'],
    from: times,
    limit: [5, 6],
    limits: [{ rate: 5 }, { rate: 6 }],
    tag: ['a:1', 'a:2'],
  },
  ...{ created_after: times, created_before: times, order: ['asc', 'desc'], wait: [1, 2], bucket: ['hour', 'day'] },
  ...{ by: ['status', 'tag'], event_id: ['evt_1', 'evt_2'], actor: ['usr_1', 'usr_2'], q: texts, deleting: flags },
  ...{ action: ['key.create', 'key.revoke'], period: ['2026-01', '2026-02'], images: ['block', 'show'] },
  status: ['paid', 'void'],
}

/** Values of a field of one operation, where they differ from those above. */
const ofOperation: Readonly<Record<string, Record<string, Pair>>> = {
  updateNotifications: { domains: flags },
  createDomain: { name: ['a.example', 'b.example'] },
  replayWebhook: { to: ['2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z'] },
  readStats: { to: ['2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z'] },
  listEmails: { status: ['queued', 'delivered'], to: addresses },
  listWebhookDeliveries: { status: ['delivered', 'pending'] },
  listAllInvoices: { status: ['open', 'paid'] },
}

const raw = { to: ['a@b.example'], subject: 's', text: 't' }
const fromTemplate = { to: ['a@b.example'], template_id: 'tpl_1', template_vars: {} }
const isOfTemplate = (field: string): boolean => field.startsWith('template_')

/** Other fields of a body, for operations that need more than the required fields. */
const rests: Readonly<Record<string, (field: string) => Body>> = {
  sendEmail: (field) => (isOfTemplate(field) ? fromTemplate : raw),
  validateEmail: (field) => (isOfTemplate(field) ? fromTemplate : raw),
  createTemplate: () => ({ name: 'n', subject: 's', text_body: 't' }),
  previewDraft: () => ({ subject: 's', text_body: 't' }),
  createAdjustment: (field) => ({ reason: 'r', ...(field === 'amount_usd' ? {} : { sends: 1 }) }),
  updateInvoice: () => ({ status: 'void', reason: 'r' }),
  updateUser: () => ({ disabled: true }),
  setWorkspaceControls: (field) => (field === 'reason' ? { suspended: true } : {}),
}

/** Fields inside of others. */
const inner: readonly [operation: string, bodies: readonly [Body, Body]][] = [
  ...['monthly', 'daily', 'rate', 'burst'].map((name): [string, [Body, Body]] => [
    'setWorkspaceControls',
    [{ limits: { [name]: 5 } }, { limits: { [name]: 6 } }],
  ]),
  ...[{ content: ['YQ==', 'Yg=='] }, { content_type: ['text/csv', 'text/html'] }, { content_id: ['a', 'b'] }].map(
    (field): [string, [Body, Body]] => {
      const [[name = '', [one, two] = ['', '']] = []] = Object.entries(field)
      const withValue = (value: string | undefined) => ({
        ...raw,
        attachments: [{ filename: 'a.txt', content: 'YQ==', [name]: value }],
      })
      return ['sendEmail', [withValue(one), withValue(two)]]
    },
  ),
]

/**
 * What the gateway does itself before and after the call of a service. `topic` is a problem in the response of
 * `validateEmail`.
 */
const doneHere: Readonly<Record<string, readonly string[]>> = {
  getEmailHtml: ['images'],
  validateEmail: ['topic'],
  listEvents: ['wait'],
  ...Object.fromEntries(
    ['listSessions', 'listApiKeys', 'listMembers', 'listInvitations', 'listOwnWorkspaces'].map((name) => [
      name,
      ['limit'],
    ]),
  ),
}

/** Opens a gateway whose services record their calls and refuse them, except for what comes before the first write. */
const recorder = async (): Promise<{ gateway: TestGateway; calls: unknown[] }> => {
  const calls: unknown[] = []
  const session = {
    token: 'new',
    csrf_token: 't1',
    email: 'jane@x.example',
    caller: aPerson({ role: 'owner', scopes: scopesOfRole('owner') }),
  }
  const recorded = (result?: unknown) => async (request: unknown) => {
    calls.push(request)
    if (result === undefined) throw new Fault('conflict', 'recorded')
    return result
  }
  const fakes: Record<string, Record<string, unknown>> = {}
  for (const [service, methods] of Object.entries(allowedCalls.gateway))
    fakes[service] = Object.fromEntries(methods.map((method) => [method, recorded()]))
  Object.assign(fakes['accounts'] ?? {}, {
    AuthenticateSession: async () => session,
    GetWorkspace: async () => aWorkspace,
    UpdateWorkspace: recorded(aWorkspace),
    SetWorkspaceControls: recorded(aWorkspace),
  })
  Object.assign(fakes['quota'] ?? {}, {
    GetLimits: async () => ({ monthly: 'plan', daily: 'plan', plan: 'free', spending_cap_cents: null }),
  })
  Object.assign(fakes['intake'] ?? {}, { Check: async () => ({ problems: [] }) })
  return { calls, gateway: await testGateway({ ...(fakes as Fakes), keepAlive: true }) }
}

/** Members that differ in each request. */
const own: ReadonlySet<string> = new Set(['emailId', 'requestId'])

/** Returns the fields of a schema with their own schemas. */
const fieldsOf = (schema: z.core.$ZodType | null): [name: string, field: z.core.$ZodType][] => {
  if (schema === null) return []
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') return Object.entries(def.shape)
  return def.type === 'pipe' ? [...fieldsOf(def.in), ...fieldsOf(def.out)] : []
}

const valuesOf = ({ name }: Route, field: string): Pair =>
  ofOperation[name]?.[field] ?? values[field] ?? assert.fail(`add two values of ${field} to this test`)

const restOf = (route: Route, field: string): Body =>
  rests[route.name]?.(field) ??
  Object.fromEntries(
    fieldsOf(route.body)
      .filter(([, one]) => !z.safeParse(one, undefined).success)
      .map(([name]) => [name, valuesOf(route, name)[0]]),
  )

describe('fields of requests', () => {
  let opened: Awaited<ReturnType<typeof recorder>>
  before(async () => {
    opened = await recorder()
  })
  after(() => opened.gateway[Symbol.asyncDispose]())

  /** Returns what a request causes: its calls, or its refusal. */
  const effectOf = async (route: Route, { json, query = '' }: Request): Promise<string> => {
    opened.calls.length = 0
    const headers =
      'operator' in route.access
        ? { authorization: `Bearer ${config.operatorToken}` }
        : { cookie: 'sid=s1', 'x-csrf-token': 't1' }
    const path = `${route.path.replaceAll(/:\w+/g, 'x_1')}${query}`
    const response = await opened.gateway.call({ method: route.method, path, headers, ...(json && { json }) })
    if (response.status === 422 && response.text.includes('not_supported')) return response.text
    assert.ok([200, 409].includes(response.status), response.text)
    return JSON.stringify(opened.calls, (name, value) => (own.has(name) ? undefined : value))
  }

  const routeNamed = (name: string): Route => routes.find((route) => route.name === name) ?? assert.fail(name)

  /** Fails unless two requests differ in what they cause, although a repeated one does not. */
  const assertEffect = async (route: Route, [one, other]: readonly [Request, Request]): Promise<void> => {
    const effect = await effectOf(route, one)
    if (effect.includes('not_supported')) return
    assert.equal(await effectOf(route, one), effect)
    assert.notEqual(await effectOf(route, other), effect)
  }

  const isDoneHere = ({ name }: Route, field: string): boolean => doneHere[name]?.includes(field) === true

  for (const route of routes.filter(({ isBatch }) => !isBatch)) {
    for (const [field] of fieldsOf(route.body).filter(([name]) => !isDoneHere(route, name)))
      it(`${field} in the body of ${route.name} has an effect or is refused`, () => {
        const [one, other] = valuesOf(route, field)
        const rest = restOf(route, field)
        return assertEffect(route, [{ json: { ...rest, [field]: one } }, { json: { ...rest, [field]: other } }])
      })
    for (const [field] of fieldsOf(route.query).filter(([name]) => name !== 'cursor' && !isDoneHere(route, name)))
      it(`${field} in the query of ${route.name} has an effect`, () => {
        const [one, other] = valuesOf(route, field)
        return assertEffect(route, [{ query: `?${field}=${one}` }, { query: `?${field}=${other}` }])
      })
  }

  for (const [name, [one, other]] of inner)
    it(`${JSON.stringify(one)} of ${name} has an effect`, () =>
      assertEffect(routeNamed(name), [{ json: one }, { json: other }]))
})
