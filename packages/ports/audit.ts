import type { AuditEntry, AuditQuery, Redaction } from '@postrider/domain/audit/entry.ts'

export type { AuditEntry, AuditQuery, EntryOf, Redaction } from '@postrider/domain/audit/entry.ts'

/**
 * The audit log: entries are added and never changed, except that an erased person's address is removed.
 *
 * A change and its entry are one write, so a stored change has its entry: the methods of other stores that change
 * something for a person, a key or the operator store the entry with the change. Such a method has the entry as its
 * last parameter.
 */
export type Audit = {
  /** Stores the entry of an event that changes nothing. Idempotent by id. */
  record(entry: AuditEntry): Promise<void>
  /**
   * Replaces what an entry has of an erased person (domain/audit/redaction.ts). This is the only change of an entry.
   * The store refuses a redaction whose erasure does not run in the workspace of the entry.
   */
  redact(entry: AuditEntry & { redactions: readonly Redaction[] }): Promise<void>
  /**
   * Adds to the log the entries of a workspace whose changes are stored and whose process died before they were added.
   * Entries of changes that are stored later are not waited for.
   */
  complete(workspace: string): Promise<void>
  /** Returns entries, newest first. It may return fewer when `signal` is aborted. */
  list(query: AuditQuery, signal?: AbortSignal): Promise<AuditEntry[]>
  /** Returns the address of users and the name of keys by their id, where they exist. */
  actorNames(ids: readonly string[]): Promise<Map<string, string>>
}
