import type { AuditEntry, AuditState } from '@postrider/domain/audit/entry.ts'
import type { Redaction } from '@postrider/ports/audit.ts'

type Row = Record<string, unknown>

const stateOf = (text: unknown): AuditState | null =>
  typeof text === 'string' ? (JSON.parse(text) as AuditState) : null

/** Returns the line of a row. */
export const auditEntryOf = (row: Row): AuditEntry => ({
  id: String(row['id']),
  workspace: String(row['workspace']),
  at: Number(row['at']),
  actor: String(row['actor']),
  ...(typeof row['operator'] === 'string' && { operator: row['operator'] }),
  clientAddress: String(row['client_address']),
  action: String(row['action']),
  target: String(row['target']),
  before: stateOf(row['state_before']),
  after: stateOf(row['state_after']),
  ...(typeof row['redactions'] === 'string' && { redactions: JSON.parse(row['redactions']) as Redaction[] }),
})
