import type { ClaimedEmail, Content, Email, Lane, StoredEmail } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'

/**
 * The record is the queue: one document an email, changed only by guarded single updates. Every write under a claim
 * carries its fence; a holder that lost the lease is refused. Times are milliseconds since the epoch.
 */
export type EmailStore = {
  /** Keeps a new email with its content. Idempotent by id. `void`: the id was taken back, a new one is needed. */
  insert(email: Email, content: Content): Promise<'inserted' | 'exists' | 'void'>
  /** Takes an id that no email has, so that none can come later. @returns false: an email has it */
  tombstone(id: string): Promise<boolean>
  get(id: string): Promise<StoredEmail | null>
  content(id: string): Promise<Content | null>
  /** Newest first, `before` excluded. */
  list(query: EmailQuery): Promise<{ emails: StoredEmail[]; hasMore: boolean }>

  /**
   * Takes what is due in a lane (`nextAt` has come, no live lease) for `leaseMs`, oldest first; raises each fence.
   * Where several workspaces have due mail, each has its share of the limit, however much another has.
   */
  claim(query: ClaimQuery): Promise<ClaimedEmail[]>
  /** Prolongs every lease still held, in one update. @returns the ids still held */
  renew(held: readonly { id: string; fence: number }[], leaseUntil: number): Promise<Set<string>>
  /** Replaces the document under a claim. `done` ends the lease and forgets the deaths before it. @returns false: the fence was raised, nothing written */
  write(id: string, fence: number, change: { email: Email; nextAt: number | null; done: boolean }): Promise<boolean>
  /** Ends a lease without a change: the email is due again at once. */
  releaseLeases(held: readonly { id: string; fence: number }[]): Promise<void>
  /** Replaces the document of an email nobody holds, where `fence` is still the one read; raises it.
   * @returns false: somebody was faster, or holds it */
  change(id: string, fence: number, now: number, change: { email: Email; nextAt: number | null }): Promise<boolean>

  /** When the next email of a lane is due; null: nothing waits. */
  nextDue(lane: Lane): Promise<number | null>
  backlog(now: number): Promise<{ lane: Lane; waiting: number; due: number; oldestDueAt: number | null }[]>
  /** Emails that owe the ledger a release; see `Email.owed`. */
  pendingRefunds(limit: number): Promise<StoredEmail[]>
  /** Ends every lease; for a composition that knows it is alone. Counts as a death of the worker for each. */
  clearLeases(): Promise<number>
}

/** `ids`: only of these, what is due of them. */
export type ClaimQuery = { lane: Lane; now: number; limit: number; leaseMs: number; ids?: readonly string[] }
