import type { StoredEmail } from '@postrider/domain/email/email.ts'
import type { TestClock } from '@postrider/domain/email/testClock.ts'
import type { AuditEntry } from './audit.ts'

/**
 * The test clocks of workspaces (domain/email/testClock.ts). Times are milliseconds since the epoch, by the store's
 * clock.
 */
export type TestClockStore = {
  /** @returns null: the clock was never moved */
  get(workspace: string): Promise<TestClock | null>
  /**
   * Stores a clock after a move with the audit entry of the move, if the stored clock has the `rev` before; a missing
   * clock counts as 0.
   * @returns false: another request moved it; nothing is written then
   */
  move(clock: TestClock, audit: AuditEntry): Promise<boolean>
  /**
   * Returns clocks whose mail the service must check at `now` (`firstCheckAt` of the last move, `followed`), in that
   * order.
   */
  toFollow(now: number, limit: number): Promise<TestClock[]>
  /**
   * Sets when the service checks next; null: not before the clock is moved again. Changes nothing if it was moved
   * since.
   */
  followed(clock: TestClock, checkAt: number | null): Promise<void>
}

/** The operations that a move of a test clock needs from the store of emails. No query reads live mail. */
export type EmailClocks = {
  /**
   * Returns waiting mail of a workspace's test mode that no worker has leased, and whose clock offset is before
   * `offset` (`Email.clock`; absent, it is 0). Any order. Mail that has followed a later move already is not behind.
   */
  behindClock(query: { workspace: string; offset: number; now: number; limit: number }): Promise<StoredEmail[]>
  /** Counts mail of a workspace's test mode that is due or in flight, up to `max`. */
  dueTestMail(query: { workspace: string; now: number; max: number }): Promise<number>
}
