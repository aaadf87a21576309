import type { Allowance } from '@postrider/domain/quota/plans.ts'
import type { PendingReservation, QuotaRefusal, Reservation, Standing } from '@postrider/domain/quota/quota.ts'
import type { EntryOf } from './audit.ts'

/**
 * The sends that each workspace has made and may still make. Lines are added and never changed, so every total can be
 * recounted. Months and days are UTC; one send is one recipient.
 */
export type Ledger = {
  /**
   * Reserves `count` sends in the month and day of `at`. Repeating it with the same id and `at` uses no additional
   * quota.
   */
  reserve(reservation: Reservation): Promise<ReserveOutcome>
  /** Writes the reserve line; its id is the email's. Repeatable. */
  commit(reservation: PendingReservation): Promise<void>
  /**
   * Releases one send for each of these recipients (their numbers in the email), in the month and day of `at`, which
   * is the reservation's. Never releases more than was reserved. The email must exist. Repeatable.
   */
  release(request: { workspace: string; id: string; recipients: readonly number[]; at: number }): Promise<void>
  /** Returns reservations before `before` that are not committed, oldest first: their process died or is slow. */
  pending(before: number, limit: number): Promise<PendingReservation[]>
  /**
   * Settles a pending reservation: writes its line if its email exists, otherwise releases its sends. The caller
   * ensures that an email which does not exist cannot be inserted any more. Repeatable.
   * @returns whether this call released sends
   */
  settle(reservation: PendingReservation, emailExists: boolean): Promise<boolean>
  usage(workspace: string, at: number): Promise<LedgerUsage>
  /**
   * Adds a correction to the month of `at`, and to none of its days: `sends` below 0 releases sends. Repeatable by id.
   * @returns false: fewer sends are used than it releases, and nothing changed
   */
  adjust(correction: { workspace: string; id: string; sends: number; at: number }): Promise<boolean>
  /** Returns whether every reservation and release that began in a month (`YYYY-MM`) has ended. */
  isSettled(workspace: string, month: string): Promise<boolean>
  allowance(workspace: string): Promise<Allowance>
  /** Changes the given fields. @param entryOf absent: the change gets its audit entry elsewhere */
  setAllowance(workspace: string, change: Partial<Allowance>, entryOf?: EntryOf<Allowance>): Promise<Allowance>
  /** Removes the allowance of a workspace whose creation failed. Repeatable. */
  deleteAllowance(workspace: string): Promise<void>
}

export type ReserveOutcome =
  /** `token` must be passed to `commit`. `standing`: both quotas after this call. */
  | { kind: 'reserved'; token: string; standing: Standing }
  /** It does not fit completely; nothing was reserved. */
  | { kind: 'refused'; refusal: QuotaRefusal }

export type LedgerUsage = Standing & {
  /** Days of the month that have sends, oldest first. */
  history: { date: string; sends: number }[]
}
