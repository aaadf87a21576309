import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components, operations } from './gen/schema.ts'
import { pageAt, paging } from './paging.ts'
import { showStored } from './showStored.ts'

/* What the operator reads and changes. Each call needs the API of `createOperatorApi`. */

type Schemas = components['schemas']
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

export type Controls = Schemas['WorkspaceControls']
export type Limit = Controls['limits']['monthly']
export type PlanId = Controls['plan']
export type User = Schemas['User']
export type Operator = Schemas['Operator']
export type OperatorInvoice = Schemas['OperatorInvoice']
export type OperatorAuditEntry = Schemas['OperatorAuditEntry']
export type PlatformDomain = Schemas['PlatformDomain']
export type Health = Schemas['Health']
export type RetentionReport = Schemas['RetentionReport']
export type Queues = Schemas['Queues']
export type ParkedEmail = Schemas['ParkedEmail']

export type WorkspaceFilters = Omit<QueryOf<'listWorkspaces'>, 'limit' | 'cursor'>
export type UserFilters = Omit<QueryOf<'listUsers'>, 'limit' | 'cursor'>
export type OperatorInvoiceFilters = Omit<QueryOf<'listAllInvoices'>, 'limit' | 'cursor'>
export type OperatorAuditFilters = Omit<QueryOf<'listOperatorAuditLog'>, 'limit' | 'cursor'>

/** First part of the key of every read, so that all can be removed together. */
export const operatorArea = 'operator'
const pageSize = 50
const followMs = 30_000
/** Counting waiting mail costs the store more than reading a page. */
const countMs = 15_000

/** The position of a page of a list. @param cursor null: the first one */
const pageQuery = (cursor: string | null) => pageAt(cursor, pageSize)

const followed = { ...paging, refetchInterval: followMs } as const

const workspaceKey = (id: string) => [operatorArea, 'workspace', id]
const userKey = (id: string) => [operatorArea, 'user', id]
const invoiceKey = (id: string) => [operatorArea, 'invoice', id]

/** The workspaces that match, newest first. */
export const workspacePages = (api: Api, filters: WorkspaceFilters) =>
  infiniteQueryOptions({
    queryKey: [operatorArea, 'workspaces', filters],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/operator/workspaces', { query: { ...filters, ...pageQuery(pageParam) }, signal }),
    ...followed,
  })

/** One workspace with the operator's settings. */
export const controlsQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: workspaceKey(id),
    queryFn: ({ signal }) => api.get('/api/v1/operator/workspaces/{id}', { path: { id }, signal }),
    refetchInterval: followMs,
  })

/** Shows a workspace as a response of the API has it. Lists and the audit log are read again. */
export const storeControls = async (queries: QueryClient, controls: Controls): Promise<void> => {
  showStored(queries, workspaceKey(controls.id), controls)
  await queries.invalidateQueries({ queryKey: [operatorArea, 'workspaces'] })
}

/** The users that match, newest first. */
export const userPages = (api: Api, filters: UserFilters) =>
  infiniteQueryOptions({
    queryKey: [operatorArea, 'users', filters],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/operator/users', { query: { ...filters, ...pageQuery(pageParam) }, signal }),
    ...followed,
  })

/** One user with the workspaces that the user belongs to. */
export const userQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: userKey(id),
    queryFn: ({ signal }) => api.get('/api/v1/operator/users/{id}', { path: { id }, signal }),
    refetchInterval: followMs,
  })

/** Shows a user as a response of the API has it. */
export const storeUser = async (queries: QueryClient, user: User): Promise<void> => {
  showStored(queries, userKey(user.id), user)
  await queries.invalidateQueries({ queryKey: [operatorArea, 'users'] })
}

/** The users who are operators. */
export const operatorPages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [operatorArea, 'operators'],
    queryFn: ({ pageParam, signal }) => api.get('/api/v1/operator/operators', { query: pageQuery(pageParam), signal }),
    ...followed,
  })

/** Reads the operators again, after one was added or removed. */
export const readOperatorsAgain = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: [operatorArea, 'operators'] })

/** The invoices that match, newest first. */
export const operatorInvoicePages = (api: Api, filters: OperatorInvoiceFilters) =>
  infiniteQueryOptions({
    queryKey: [operatorArea, 'invoices', filters],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/operator/invoices', { query: { ...filters, ...pageQuery(pageParam) }, signal }),
    ...followed,
  })

/** One invoice. */
export const operatorInvoiceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: invoiceKey(id),
    queryFn: ({ signal }) => api.get('/api/v1/operator/invoices/{id}', { path: { id }, signal }),
    refetchInterval: followMs,
  })

/** Shows an invoice as a response of the API has it. */
export const storeOperatorInvoice = async (queries: QueryClient, invoice: OperatorInvoice): Promise<void> => {
  showStored(queries, invoiceKey(invoice.id), invoice)
  await queries.invalidateQueries({ queryKey: [operatorArea, 'invoices'] })
}

/** Returns a function that reads one page of the audit log of all workspaces, newest first. */
export const readOperatorAuditLog =
  (api: Api, filters: OperatorAuditFilters) =>
  ({ cursor, signal }: { cursor: string | null; signal: AbortSignal }) =>
    api.get('/api/v1/operator/audit-log', { query: { ...filters, ...pageQuery(cursor) }, signal })

/** The domain of the shared sender with its records. */
export const platformDomainQuery = (api: Api) =>
  queryOptions({
    queryKey: [operatorArea, 'platform-domain'],
    queryFn: ({ signal }) => api.get('/api/v1/operator/platform-domain', { signal }),
    refetchInterval: followMs,
  })

/** Returns the query that reads whether each part of the service works. */
export const healthQuery = (api: Api) =>
  queryOptions({
    queryKey: [operatorArea, 'health'],
    queryFn: ({ signal }) => api.get('/api/v1/operator/health', { signal }),
    refetchInterval: 5_000,
  })

/** Query of the next removals. */
export const retentionReportQuery = (api: Api) =>
  queryOptions({
    queryKey: [operatorArea, 'retention'],
    queryFn: ({ signal }) => api.get('/api/v1/operator/retention', { signal }),
    refetchInterval: followMs,
  })

/** Query of the mail that waits, by lane and destination. */
export const queuesQuery = (api: Api) =>
  queryOptions({
    queryKey: [operatorArea, 'queues'],
    queryFn: ({ signal }) => api.get('/api/v1/operator/queues', { signal }),
    refetchInterval: countMs,
  })

/** Parked mail, the last parked first. */
export const parkedPages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [operatorArea, 'parked'],
    queryFn: ({ pageParam, signal }) => api.get('/api/v1/operator/parked', { query: pageQuery(pageParam), signal }),
    ...followed,
  })

/** Reads parked mail and the queues again, after a decision by this operator or another one. */
export const readParkedAgain = async (queries: QueryClient): Promise<void> => {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [operatorArea, 'parked'] }),
    queries.invalidateQueries({ queryKey: [operatorArea, 'queues'] }),
  ])
}
