import type { Mode } from '@postrider/domain/email/email.ts'
import type { AuditEntry } from './audit.ts'

/**
 * Results of batches or responses of a mode, and the last of them that was read: the id of a batch or the key of a
 * response; empty: none.
 */
export type ResponsePosition = { part: 'results' | Mode; after: string }

/** A request to erase what is stored of one recipient in a workspace. */
export type StoredErasure = {
  id: string
  workspace: string
  /** Removed when it is done. */
  address: string
  createdAt: number
  /** Null: it is not done. */
  completedAt: number | null
  /** When it is worked on next. */
  nextAt: number
  /** Numbers of emails with erased data, and of emails that are not final yet. */
  emails: number
  waiting: number
  /**
   * The last stored response to a batch that was read; all mail is done then. Absent: none was read yet. Null: all were
   * read. The position is removed then, because a key may contain the address.
   */
  responsePosition?: ResponsePosition | null
  /**
   * The last entry of the audit log that was read, newest first. All mail and stored responses are done then. Absent:
   * the log is not begun.
   */
  logPosition?: { at: number; id: string }
}

export type ErasureStore = {
  /** Stores a new erasure with its audit entry. */
  insert(erasure: StoredErasure, audit: AuditEntry): Promise<void>
  get(workspace: string, id: string): Promise<StoredErasure | null>
  /** Returns how many of a workspace are not done, up to `max`. */
  countOpen(workspace: string, max: number): Promise<number>
  /**
   * Returns those that are due: first the longest overdue one of each workspace, so that many of one workspace do not
   * delay those of others, and then the rest. In both parts the longest overdue comes first.
   */
  due(now: number, limit: number): Promise<StoredErasure[]>
  /**
   * Claims a due erasure: it is due again at `until`.
   * @returns false: another process has claimed it since it was read
   */
  claim(erasure: StoredErasure, until: number): Promise<boolean>
  /**
   * Stores what was done under a claim until `claimedUntil`.
   * @returns false: another process has claimed it since, and nothing was changed
   */
  update(erasure: StoredErasure, claimedUntil: number): Promise<boolean>
}
