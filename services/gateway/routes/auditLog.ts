import {
  AuditList,
  type ListAuditLog as AuditQuery,
  type AuditRecord,
  ListAuditLog,
  ListOperatorAuditLog,
  OperatorAuditList,
} from '@postrider/contracts/http/audit.ts'
import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { AuditList as FoundEntries, ShownAuditEntry } from '@postrider/contracts/services.ts'
import type { Redaction } from '@postrider/domain/audit/entry.ts'
import { firstThatFit, jsonBytes, maxPageBytes } from '@postrider/domain/listPage.ts'
import { isoTime, isoTimeOrAbsent } from '@postrider/domain/time.ts'
import type { z } from 'zod'
import { type Cursors, listPage } from '../lists.ts'
import { operatorRoute, present, sessionRoute } from '../route.ts'

type PageQuery = z.output<typeof AuditQuery> & { workspace?: string | undefined }

/** @param workspace that of the caller; empty: the caller is the operator */
const auditPage = (cursors: Cursors, path: string, workspace: string, query: PageQuery) => {
  const { created_after, created_before, ...rest } = query
  // A cursor signs times as text.
  const times = { created_after: isoTimeOrAbsent(created_after), created_before: isoTimeOrAbsent(created_before) }
  const page = listPage(cursors, path, workspace, { ...rest, ...times })
  const { actor, action } = query
  return {
    request: {
      limit: page.limit,
      before: page.position(),
      ...present({ actor, action, created_after, created_before }),
    },
    /**
     * Returns the body of the response. A position in the log is a time and an id, because entries of one time exist.
     */
    body: <Item>({ entries, has_more, last_position }: FoundEntries, records: readonly Item[]) => {
      const data = firstThatFit(records, jsonBytes)
      const last = entries[data.length - 1]
      const isCut = data.length < records.length
      const position = isCut && last ? { at: last.created_at, id: last.id } : last_position
      const more = has_more || isCut
      return {
        object: 'list' as const,
        data,
        has_more: more,
        next_cursor: page.nextCursor(more, position),
      }
    },
  }
}

const path = '/api/v1/audit-log'

export const listAuditLog = sessionRoute({
  name: 'listAuditLog',
  method: 'GET',
  path,
  session: 'audit:read',
  tag: 'Accounts',
  summary: 'List what was changed in the workspace, and by whom',
  description:
    'Newest first. Owners and admins read it. It has every change by a person, an API key, the operator and the service itself, and logins; sends are not in it (`GET /api/v1/emails` lists them). An entry never changes, except that an erasure replaces the erased address in it, and entries are removed only with their workspace. They contain no secrets.',
  limit: 'read',
  query: ListAuditLog,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: AuditList, description: 'A page of entries.' },
  errors: ['forbidden'],
  handle: async ({ query, caller, disconnected }, { accounts, cursors }) => {
    const page = auditPage(cursors, path, caller.workspace, query)
    const who = { workspace: caller.workspace, user: caller.userId }
    const found = await accounts.ListAudit({ ...who, ...page.request }, disconnected())
    return { json: page.body(found, found.entries.map(auditRecord)) }
  },
})

const operatorPath = '/api/v1/operator/audit-log'

export const listOperatorAuditLog = operatorRoute({
  name: 'listOperatorAuditLog',
  method: 'GET',
  path: operatorPath,
  operator: true,
  tag: 'Operator',
  summary: 'List what was changed in all workspaces, and by whom',
  description: 'Newest first. It also has entries that belong to no workspace, and the operator’s notes.',
  limit: null,
  query: ListOperatorAuditLog,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: OperatorAuditList, description: 'A page of entries.' },
  handle: async ({ query, disconnected }, { accounts, cursors }) => {
    const page = auditPage(cursors, operatorPath, '', query)
    const listRequest = { user: '', ...present({ workspace: query.workspace }), ...page.request }
    const found = await accounts.ListAudit(listRequest, disconnected())
    const records = found.entries.map((entry) => ({ ...auditRecord(entry), workspace: entry.workspace || null }))
    return { json: page.body(found, records) }
  },
})

const redactionRecord = ({ at, erasure, fields }: Redaction) => ({
  redacted_at: isoTime(at),
  erasure,
  fields: [...fields],
})

/** An entry of the audit log. */
const auditRecord = (entry: ShownAuditEntry) => {
  const { actor_type: type, actor_id: id, actor_name: name } = entry
  return {
    object: 'audit_entry',
    id: entry.id,
    created_at: isoTime(entry.created_at),
    actor: {
      type,
      id: id || null,
      email: (type !== 'key' && name) || null,
      name: (type === 'key' && name) || null,
    },
    action: entry.action,
    target: entry.target || null,
    before: entry.before,
    after: entry.after,
    client_address: entry.client_address || null,
    ...(entry.redactions && { redactions: entry.redactions.map(redactionRecord) }),
  } satisfies RecordOf<typeof AuditRecord>
}
