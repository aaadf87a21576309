import type { Role } from '@postrider/domain/accounts/roles.ts'

/**
 * Callers that may use each operation, written by hand from the contract: the tests compare it with the OpenAPI
 * document and with the responses. A key needs one of `scopes`; none means that no key may. `keys`: live keys may not.
 * A session needs the role `least`, or one above it.
 */
export type AccessRow =
  | { scopes: readonly string[]; least: Role; foreign?: Foreign; keys?: 'test' }
  | 'operator'
  | 'operator token'
  | 'open'

/** The kind of record that the ids of the path name. */
export type Foreign =
  | 'email'
  | 'template'
  | 'domain'
  | 'key'
  | 'member'
  | 'invitation'
  | 'workspace'
  | 'invoice'
  | 'session'
  | 'erasure'
  | 'webhook'

/** Returns whether only the operator may call an operation. */
export const isOperators = (row: AccessRow): row is 'operator' | 'operator token' =>
  row === 'operator' || row === 'operator token'

const row = (scopes: readonly string[], least: Role, foreign?: Foreign): AccessRow => ({
  scopes,
  least,
  ...(foreign && { foreign }),
})
const bySession = (least: Role, foreign?: Foreign): AccessRow => row([], least, foreign)

/** An operation on the test mode. */
const byTestKey = (scopes: readonly string[], least: Role): AccessRow => ({ scopes, least, keys: 'test' })

const send = ['emails:send']
const readMail = ['emails:read', 'emails:send']
const writeTemplates = ['templates:write']
const readTemplates = ['templates:read', 'templates:write']
const writeDomains = ['domains:write']
const readDomains = ['domains:read', 'domains:write']
const writeWebhooks = ['webhooks:write']
const readWebhooks = ['webhooks:read', 'webhooks:write']

export const accessTable: Readonly<Record<string, AccessRow>> = {
  'POST /api/v1/emails': row(send, 'member'),
  'POST /api/v1/emails/batch': row(send, 'member'),
  'POST /api/v1/emails/validate': row(send, 'member'),
  'GET /api/v1/emails': row(readMail, 'viewer'),
  'GET /api/v1/emails/{id}': row(readMail, 'viewer', 'email'),
  'GET /api/v1/emails/{id}/raw': row(readMail, 'viewer', 'email'),
  'GET /api/v1/emails/{id}/content': row(readMail, 'viewer', 'email'),
  'GET /api/v1/emails/{id}/html': row(readMail, 'viewer', 'email'),
  'GET /api/v1/emails/{id}/explain': row(readMail, 'viewer', 'email'),
  'PATCH /api/v1/emails/{id}': row(send, 'member', 'email'),
  'POST /api/v1/emails/{id}/cancel': row(send, 'member', 'email'),
  'POST /api/v1/emails/{id}/resolve': row(send, 'member', 'email'),
  'GET /api/v1/test/clock': byTestKey(send, 'member'),
  'POST /api/v1/test/clock': byTestKey(send, 'member'),
  'GET /api/v1/events': row(['emails:read'], 'viewer'),
  'GET /api/v1/stats/emails': row(['emails:read'], 'viewer'),
  'POST /api/v1/templates': row(writeTemplates, 'member'),
  'GET /api/v1/templates': row(readTemplates, 'viewer'),
  'GET /api/v1/templates/{id}': row(readTemplates, 'viewer', 'template'),
  'PATCH /api/v1/templates/{id}': row(writeTemplates, 'member', 'template'),
  'DELETE /api/v1/templates/{id}': row(writeTemplates, 'member', 'template'),
  'GET /api/v1/templates/{id}/versions': row(readTemplates, 'viewer', 'template'),
  'GET /api/v1/templates/{id}/versions/{version}': row(readTemplates, 'viewer'),
  'POST /api/v1/templates/{id}/restore': row(writeTemplates, 'member', 'template'),
  'POST /api/v1/templates/{id}/preview': row(readTemplates, 'viewer', 'template'),
  'POST /api/v1/templates/preview': row(readTemplates, 'viewer'),
  'POST /api/v1/domains': row(writeDomains, 'admin'),
  'GET /api/v1/domains': row(readDomains, 'viewer'),
  'GET /api/v1/domains/{id}': row(readDomains, 'viewer', 'domain'),
  'PATCH /api/v1/domains/{id}': row(writeDomains, 'admin', 'domain'),
  'DELETE /api/v1/domains/{id}': row(writeDomains, 'admin', 'domain'),
  'POST /api/v1/domains/{id}/verify': row(writeDomains, 'admin', 'domain'),
  'POST /api/v1/domains/{id}/rotate-key': row(writeDomains, 'admin', 'domain'),
  'POST /api/v1/webhooks': row(writeWebhooks, 'admin'),
  'GET /api/v1/webhooks': row(readWebhooks, 'viewer'),
  'GET /api/v1/webhooks/{id}': row(readWebhooks, 'viewer', 'webhook'),
  'PATCH /api/v1/webhooks/{id}': row(writeWebhooks, 'admin', 'webhook'),
  'DELETE /api/v1/webhooks/{id}': row(writeWebhooks, 'admin', 'webhook'),
  'POST /api/v1/webhooks/{id}/test': row(writeWebhooks, 'admin', 'webhook'),
  'POST /api/v1/webhooks/{id}/rotate-secret': row(writeWebhooks, 'admin', 'webhook'),
  'GET /api/v1/webhooks/{id}/deliveries': row(readWebhooks, 'viewer', 'webhook'),
  'GET /api/v1/webhooks/{id}/deliveries/{delivery_id}': row(readWebhooks, 'viewer', 'webhook'),
  'POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': row(writeWebhooks, 'admin', 'webhook'),
  'POST /api/v1/webhooks/{id}/replay': row(writeWebhooks, 'admin', 'webhook'),
  'GET /api/v1/webhooks/{id}/replay': row(readWebhooks, 'viewer', 'webhook'),
  'GET /api/v1/webhooks/{id}/replay/{replay_id}': row(readWebhooks, 'viewer', 'webhook'),
  'GET /api/v1/billing/usage': bySession('viewer'),
  'GET /api/v1/billing/plans': bySession('viewer'),
  'GET /api/v1/billing/plan': bySession('viewer'),
  'GET /api/v1/billing/plan/preview': bySession('viewer'),
  'POST /api/v1/billing/plan': bySession('owner'),
  'GET /api/v1/billing/invoices': bySession('viewer'),
  'GET /api/v1/billing/invoices/{id}': bySession('viewer', 'invoice'),
  'GET /api/v1/billing/invoices/{id}/print': bySession('viewer', 'invoice'),
  'POST /api/v1/billing/invoices/{id}/pay': bySession('owner', 'invoice'),
  'POST /api/v1/billing/portal': bySession('owner'),
  'POST /api/v1/auth/signup': 'open',
  'POST /api/v1/auth/login': 'open',
  'POST /api/v1/auth/logout': bySession('viewer'),
  'GET /api/v1/auth/session': bySession('viewer'),
  'POST /api/v1/auth/session': bySession('viewer'),
  'POST /api/v1/auth/invitations/accept': 'open',
  'POST /api/v1/auth/email': bySession('viewer'),
  'POST /api/v1/auth/email/confirm': 'open',
  'POST /api/v1/auth/email/resend': bySession('viewer'),
  'POST /api/v1/auth/password': bySession('viewer'),
  'POST /api/v1/auth/password-reset': 'open',
  'POST /api/v1/auth/password-reset/confirm': 'open',
  'POST /api/v1/auth/totp': bySession('viewer'),
  'DELETE /api/v1/auth/totp': bySession('viewer'),
  'POST /api/v1/auth/totp/confirm': bySession('viewer'),
  'GET /api/v1/auth/sessions': bySession('viewer'),
  'DELETE /api/v1/auth/sessions': bySession('viewer'),
  'DELETE /api/v1/auth/sessions/{id}': bySession('viewer', 'session'),
  'GET /api/v1/account/notifications': bySession('viewer'),
  'PATCH /api/v1/account/notifications': bySession('viewer'),
  'GET /api/v1/workspace': bySession('viewer'),
  'PATCH /api/v1/workspace': bySession('admin'),
  'DELETE /api/v1/workspace': bySession('owner'),
  'POST /api/v1/api-keys': bySession('admin'),
  'GET /api/v1/api-keys': bySession('viewer'),
  'PATCH /api/v1/api-keys/{id}': bySession('admin', 'key'),
  'DELETE /api/v1/api-keys/{id}': bySession('admin', 'key'),
  'POST /api/v1/api-keys/{id}/roll': bySession('admin', 'key'),
  'GET /api/v1/members': bySession('viewer'),
  'PATCH /api/v1/members/{user_id}': bySession('admin', 'member'),
  // Everyone may leave; that others are only removed by admins depends on the id.
  'DELETE /api/v1/members/{user_id}': bySession('viewer', 'member'),
  'POST /api/v1/members/{user_id}/transfer-ownership': bySession('owner', 'member'),
  'POST /api/v1/members/invitations': bySession('admin'),
  'GET /api/v1/members/invitations': bySession('viewer'),
  'DELETE /api/v1/members/invitations/{id}': bySession('admin', 'invitation'),
  'POST /api/v1/members/invitations/{id}/resend': bySession('admin', 'invitation'),
  'GET /api/v1/audit-log': bySession('admin'),
  'POST /api/v1/erasures': bySession('admin'),
  'GET /api/v1/erasures/{id}': bySession('admin', 'erasure'),
  'GET /api/v1/workspaces': bySession('viewer'),
  'POST /api/v1/workspaces': bySession('viewer'),
  'POST /api/v1/workspaces/{id}/leave': bySession('viewer', 'workspace'),
  'GET /api/v1/operator/workspaces': 'operator',
  'GET /api/v1/operator/workspaces/{id}': 'operator',
  'PATCH /api/v1/operator/workspaces/{id}': 'operator',
  'DELETE /api/v1/operator/workspaces/{id}': 'operator',
  'POST /api/v1/operator/workspaces/{id}/restore': 'operator',
  'POST /api/v1/operator/workspaces/{id}/adjustments': 'operator',
  'GET /api/v1/operator/invoices': 'operator',
  'GET /api/v1/operator/invoices/{id}': 'operator',
  'PATCH /api/v1/operator/invoices/{id}': 'operator',
  'GET /api/v1/operator/users': 'operator',
  'GET /api/v1/operator/users/{id}': 'operator',
  'PATCH /api/v1/operator/users/{id}': 'operator',
  'GET /api/v1/operator/operators': 'operator',
  'POST /api/v1/operator/operators': 'operator token',
  'DELETE /api/v1/operator/operators/{id}': 'operator token',
  'GET /api/v1/operator/queues': 'operator',
  'GET /api/v1/operator/parked': 'operator',
  'POST /api/v1/operator/parked/{id}/release': 'operator',
  'POST /api/v1/operator/parked/{id}/drop': 'operator',
  'GET /api/v1/operator/retention': 'operator',
  'GET /api/v1/operator/health': 'operator',
  'GET /api/v1/operator/platform-domain': 'operator',
  'GET /api/v1/operator/audit-log': 'operator',
  'GET /api/v1/openapi.json': 'open',
}

type Media = { examples?: Record<string, { value: unknown }> }

export type DocumentedOperation = {
  /** `POST /api/v1/emails/{id}/cancel`. */
  name: string
  method: string
  path: string
  /** The first example of the request body; undefined: the operation has no body. */
  body: unknown
  /** `?` and the examples of the query parameters that it requires; empty: it requires none. */
  query: string
  access: { scopes: string[]; permission: string | null; roles: Role[] }
}

type Parameter = { in: string; name: string; required?: boolean; schema: { example?: unknown } }

type Operation = {
  requestBody?: { content: Record<string, Media> }
  parameters?: Parameter[]
  'x-access': DocumentedOperation['access']
}

const queryOf = (parameters: readonly Parameter[]): string => {
  const required = parameters.filter((one) => one.in === 'query' && one.required === true)
  const query = new URLSearchParams(
    required.map(({ name, schema }): [string, string] => [name, String(schema.example)]),
  )
  return required.length === 0 ? '' : `?${query}`
}

/** Returns the operations of an OpenAPI document of this service. */
export const operationsOf = (document: unknown): DocumentedOperation[] => {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase()
      const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
      const query = queryOf(operation.parameters ?? [])
      return { name: `${method} ${path}`, method, path, query, body: example?.value, access: operation['x-access'] }
    }),
  )
}

/** Returns the row of an operation. @throws Error: the operation has none */
export const rowOf = ({ name }: Pick<DocumentedOperation, 'name'>): AccessRow => {
  const found = accessTable[name]
  if (found === undefined) throw new Error(`${name} has no row in test/support/accessTable.ts`)
  return found
}

/** Returns a path with an id in place of each parameter, and with the query that it requires. */
export const pathWith = ({ path, query }: Pick<DocumentedOperation, 'path' | 'query'>, id: string): string =>
  path.replace('{version}', '1').replaceAll(/\{\w+\}/g, id) + query
