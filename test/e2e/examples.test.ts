import assert from 'node:assert/strict'
import { type Caller, fresh, freshDomain, type Session, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { securedColleague } from '../support/operatorUser.ts'
import { colleague } from '../support/people.ts'
import type { DomainRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

type Example = { summary: string; value: Record<string, unknown> }
type Operation = {
  operationId: string
  security?: Record<string, string[]>[]
  requestBody?: { content: Record<string, { examples?: Record<string, Example> }> }
  responses: Record<string, unknown>
}

/** What an example of a request needs from this system, by operation. */
type Preparation = { path?: (id: string) => string; body?: Record<string, unknown>; caller?: Caller }

/**
 * Only mail whose reply was lost can be resolved. The others need a token of an email or a code of an app, or end the
 * session of the other examples; account.test.ts and members.test.ts send them.
 */
const needMore: ReadonlySet<string> = new Set([
  'resolveEmail',
  'confirmEmail',
  'resetPassword',
  'acceptInvitation',
  'changePassword',
  'confirmTotp',
  'disableTotp',
])

describe('examples of the OpenAPI document', () => {
  const system = useSystem()
  let tenant: Tenant
  /** A key with every scope that an example needs. */
  let api: Caller
  let operations: { method: string; path: string; operation: Operation }[] = []
  before(async () => {
    tenant = await system().client.tenant()
    api = await tenant.makeKey({
      scopes: ['emails:send', 'emails:read', 'templates:write', 'domains:write', 'webhooks:write'],
    })
    const { body } = await system().client.call<{ paths: Record<string, Record<string, Operation>> }>({
      path: '/api/v1/openapi.json',
    })
    operations = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
  })

  const withId = (id: string): Preparation => ({ path: (path) => path.replace(/\{\w+\}/, id) })

  const aWebhook = async (): Promise<Preparation> => {
    const json = { url: 'https://example.com/hooks', enabled: true }
    return withId((await api.call<{ id: string }>({ path: '/api/v1/webhooks', json })).body.id)
  }

  const aTemplate = async (): Promise<Preparation> =>
    withId((await tenant.template({ name: fresh('example'), subject: 'Hi {{name}}', text_body: 'Hi {{name}}' })).id)

  /** What replaces the made-up ids and names of an example, so that it can be sent, by operation. */
  const preparations: Record<string, (session: Session) => Preparation | Promise<Preparation>> = {
    sendEmail: async () => {
      const { id } = await tenant.template({ name: fresh('example'), subject: 'Hi {{name}}', text_body: 'Hi {{name}}' })
      return { body: { template_id: id } }
    },
    rescheduleEmail: async () => {
      const json = { to: [fresh()], subject: 'Hi', text: 'Hi', scheduled_at: 'PT2H' }
      return withId((await api.call<{ id: string }>({ path: '/api/v1/emails', json })).body.id)
    },
    moveTestClock: (session) => ({
      caller: session,
      body: { at: new Date(Date.now() + 200 * 86_400_000).toISOString() },
    }),
    createTemplate: () => ({ body: { name: fresh('example') } }),
    updateTemplate: aTemplate,
    restoreTemplate: aTemplate,
    previewTemplate: aTemplate,
    createDomain: () => ({ body: { name: freshDomain() } }),
    updateDomain: async () => {
      const { body } = await api.call<DomainRecord>({ path: '/api/v1/domains', json: { name: freshDomain() } })
      return withId(body.id)
    },
    updateWebhook: aWebhook,
    testWebhook: aWebhook,
    replayWebhook: async () => ({
      ...(await aWebhook()),
      body: { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString() },
    }),
    signUp: () => ({ body: { email: fresh('example') } }),
    changeEmail: () => ({ body: { email: fresh('example'), password: tenant.password } }),
    logIn: () => ({ body: { email: tenant.email, password: tenant.password } }),
    updateApiKey: async () => withId((await tenant.makeKey()).record.id),
    rollApiKey: async () => withId((await tenant.makeKey()).record.id),
    updateInvoice: async () => {
      const { session: owner } = await system().client.tenant()
      await owner.call({ path: '/api/v1/billing/plan', json: { plan: 'pro' } })
      const { body } = await owner.call<{ data: { id: string }[] }>({ path: '/api/v1/billing/invoices' })
      return withId(body.data[0]?.id ?? '')
    },
    createInvitation: () => ({ body: { email: fresh('example') } }),
    updateMember: async () => withId((await colleague(system(), tenant, 'member')).id),
    updateUser: async () => withId((await system().client.tenant()).session.record.user.id),
    addOperator: async () => ({ body: { email: (await securedColleague(system(), tenant)).email } }),
    switchWorkspace: async () => {
      // A session gets a new CSRF token, which the other examples do not have.
      const { session } = await system().client.tenant()
      return { caller: session, body: { workspace: session.record.workspace.id } }
    },
    deleteOwnWorkspace: async () => {
      const { session: caller, password } = await system().client.tenant()
      return { caller, body: { password } }
    },
    setWorkspaceControls: (session) => withId(session.record.workspace.id),
    createAdjustment: (session) => withId(session.record.workspace.id),
  }

  const replaced = (value: Record<string, unknown>, by: Record<string, unknown> = {}): Record<string, unknown> =>
    Object.fromEntries(Object.entries(value).map(([name, item]) => [name, name in by ? by[name] : item]))

  it('are accepted as they are, except for ids and names that must be new', async () => {
    let sent = 0
    for (const { method, path, operation } of operations) {
      const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
      if (needMore.has(operation.operationId)) continue
      for (const { summary, value } of examples) {
        const { session } = tenant
        const { path: pathOf, body, caller: own } = (await preparations[operation.operationId]?.(session)) ?? {}
        const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one))
        const callerOf = () => {
          if (schemes.includes('apiKey')) return api
          if (schemes.includes('operatorToken')) return system().client.withOperatorToken()
          return schemes.length > 0 ? session : system().client
        }
        const caller = own ?? callerOf()
        const response: HttpResponse<unknown> = await caller.call({
          method,
          path: pathOf ? pathOf(path) : path,
          json: replaced(value, body),
          // The other suites of this address sign up too.
          ...(schemes.length === 0 && { headers: { 'x-forwarded-for': '198.51.100.77' } }),
        })
        const expected = Object.keys(operation.responses).find((status) => status < '300')
        assert.equal(String(response.status), expected, `${operation.operationId}, ${summary}: ${response.text}`)
        sent += 1
      }
    }
    assert.ok(sent >= 12, String(sent))
  })
})
