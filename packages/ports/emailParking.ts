import type { Lane, StoredEmail } from '@postrider/domain/email/email.ts'
import type { Position } from '@postrider/domain/position.ts'

/** Mail that was parked, and when; see domain/email/leases.ts. */
export type StoredParkedEmail = { stored: StoredEmail; parkedAt: number }

/** Reads of the queue by the operator. Parked mail is made due again and ended with `EmailStore.change`. */
export type EmailParking = {
  /**
   * Returns parked mail, the last parked first. `before`: the page begins after this position, whose time is that of
   * parking; null: with the first.
   */
  parked(query: { before: Position | null; limit: number }): Promise<StoredParkedEmail[]>
  /** Counts parked mail, up to `max`. */
  countParked(max: number): Promise<number>
  /**
   * Gives mail that a process of version 0.1 parked the time `now`, because that version stores none, and only mail
   * with a time is listed. A call checks at most the next `limit` waiting emails. Repeatable.
   * @returns `more`: the next call continues; otherwise all were checked, and the next call starts again
   */
  timeParked(now: number, limit: number): Promise<{ more: boolean }>
  /** Returns the mail of a lane that is due first, also mail that is in flight or not due yet. */
  firstDue(lane: Lane, limit: number): Promise<StoredEmail[]>
}
