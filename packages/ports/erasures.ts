import type { AuditEntry } from './audit.ts'

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
  update(erasure: StoredErasure): Promise<void>
}
