import assert from 'node:assert/strict'
import { fresh, type Session, type Tenant } from '../support/client.ts'
import type { Answer } from '../support/http.ts'
import { useSystem } from '../support/suite.ts'

type Example = { summary: string; value: Record<string, unknown> }
type Operation = {
  operationId: string
  security?: Record<string, string[]>[]
  requestBody?: { content: Record<string, { examples?: Record<string, Example> }> }
  responses: Record<string, unknown>
}

/** What an example of a request needs from this system, by operation. */
type Preparation = { path?: (id: string) => string; body?: Record<string, unknown> }

describe('examples of the OpenAPI document', () => {
  const system = useSystem()
  let tenant: Tenant
  let operations: { method: string; path: string; operation: Operation }[] = []
  before(async () => {
    tenant = await system().client.tenant()
    const { body } = await system().client.call<{ paths: Record<string, Record<string, Operation>> }>({
      path: '/api/v1/openapi.json',
    })
    operations = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
  })

  /** Returns what replaces the made-up ids and names of the example, so that it can be sent. */
  const preparationOf = async (name: string, session: Session): Promise<Preparation> => {
    if (name === 'sendEmail') {
      const { id } = await tenant.template({ name: fresh('example'), subject: 'Hi {{name}}', text_body: 'Hi {{name}}' })
      return { body: { template_id: id } }
    }
    if (name === 'createTemplate') return { body: { name: fresh('example') } }
    if (name === 'signUp') return { body: { email: fresh('example') } }
    if (name === 'logIn') return { body: { email: tenant.email, password: tenant.password } }
    if (name === 'updateApiKey') {
      const { record } = await tenant.makeKey()
      return { path: (path) => path.replace('{id}', record.id) }
    }
    if (name === 'setWorkspaceControls') return { path: (path) => path.replace('{id}', session.record.workspace.id) }
    return {}
  }

  const replaced = (value: Record<string, unknown>, by: Record<string, unknown> = {}): Record<string, unknown> =>
    Object.fromEntries(Object.entries(value).map(([name, item]) => [name, name in by ? by[name] : item]))

  it('are accepted as they are, except for ids and names that must be new', async () => {
    let sent = 0
    for (const { method, path, operation } of operations) {
      const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
      // Only mail whose reply was lost can be resolved.
      if (operation.operationId === 'resolveEmail') continue
      for (const { summary, value } of examples) {
        const { session } = tenant
        const { path: pathOf, body } = await preparationOf(operation.operationId, session)
        const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one))
        const caller = schemes.includes('apiKey')
          ? tenant.api
          : schemes.includes('operatorToken')
            ? system().client.withOperatorToken()
            : schemes.length > 0
              ? session
              : system().client
        const answer: Answer<unknown> = await caller.call({
          method,
          path: pathOf ? pathOf(path) : path,
          json: replaced(value, body),
          // The other suites of this address sign up too.
          ...(schemes.length === 0 && { headers: { 'x-forwarded-for': '198.51.100.77' } }),
        })
        const expected = Object.keys(operation.responses).find((status) => status < '300')
        assert.equal(String(answer.status), expected, `${operation.operationId}, ${summary}: ${answer.text}`)
        sent += 1
      }
    }
    assert.ok(sent >= 12, String(sent))
  })
})
