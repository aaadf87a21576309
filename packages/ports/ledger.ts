import type { Allowance, Reservation, Standing } from '@postrider/domain/quota/quota.ts'

/**
 * What each workspace may still send, and every send it made. Lines are only ever added; any total can be recounted
 * from them. Months and days are UTC; one send is one recipient.
 */
export type Ledger = {
  /**
   * Takes `count` sends from the month and day of `at`. Repeating an id, with the `at` it had, takes nothing more.
   * @returns a token that `commit` must carry, and where both quotas stand after this call
   * @throws Fault `quota_exceeded`: it doesn't fit wholly, nothing was taken
   */
  reserve(entry: Reservation): Promise<Standing & { token: string }>
  /** Writes the reserve line; its id is the email's. May be repeated. */
  commit(entry: Reservation & { token: string }): Promise<void>
  /** Gives back one send each for these recipients (their numbers in the email), in the month and day of `at`,
   * the reserve line's. May be repeated; what wasn't reserved gives nothing back. The email is there, so its
   * reservation is pending no more. */
  release(entry: { workspace: string; id: string; recipients: readonly number[]; at: number }): Promise<void>
  /** Reservations older than `before` that have no line yet, the oldest first: what a crash left, or a slow request. */
  pending(before: number, limit: number): Promise<Pending[]>
  /**
   * Ends such a reservation: where its email is there it gets its line, else its sends are taken back. The caller made
   * sure that an email which isn't there can't come any more. May be repeated.
   * @returns whether sends were taken back
   */
  settle(entry: Pending, there: boolean): Promise<boolean>
  usage(workspace: string, at: number): Promise<LedgerUsage>
  /** What a month's lines and the reservations that have none yet come to, counted anew. */
  recount(workspace: string, month: string): Promise<{ used: number; days: Record<string, number> }>
  allowance(workspace: string): Promise<Allowance>
  setAllowance(workspace: string, change: Partial<Allowance>): Promise<Allowance>
}

/** A reservation without a line. */
export type Pending = Reservation & { token: string }

export type LedgerUsage = Standing & {
  /** Sends of each day of the month that had any, oldest first. */
  history: { date: string; sends: number }[]
}
