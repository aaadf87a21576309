import type { Api } from './client.ts'
import type { components, operations } from './gen/schema.ts'

export type AuditEntry = components['schemas']['AuditEntry']
type Query = NonNullable<operations['listAuditLog']['parameters']['query']>
/** An action, or all actions of a noun such as `key.*`. */
export type AuditActionFilter = NonNullable<Query['action']>
export type AuditFilters = Pick<Query, 'actor' | 'action' | 'created_after' | 'created_before'>

const pageSize = 50

/** Returns a function that reads one page of the audit log, newest first. */
export const readAuditLog =
  (api: Api, filters: AuditFilters, limit = pageSize) =>
  ({ cursor, signal }: { cursor: string | null; signal?: AbortSignal }) =>
    api.get('/api/v1/audit-log', {
      query: { ...filters, limit, ...(cursor !== null && { cursor }) },
      ...(signal && { signal }),
    })

/** Reads the entries of a filter, newest first. @param max how many at most */
export const readWholeAuditLog = async (api: Api, filters: AuditFilters, max: number): Promise<AuditEntry[]> => {
  const read = readAuditLog(api, filters, 100)
  const entries: AuditEntry[] = []
  for (let cursor: string | null = null; entries.length < max; ) {
    const page = await read({ cursor })
    entries.push(...page.data)
    cursor = page.next_cursor
    if (!page.has_more || cursor === null) break
  }
  return entries.slice(0, max)
}
