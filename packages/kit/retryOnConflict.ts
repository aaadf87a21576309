import { Fault } from './fault.ts'

/**
 * Maximum number of tries of a change: each round one of the concurrent changes is written, and the others try again.
 */
const conflictRounds = {
  /** An installation that moved while this process started has another name at each try. */
  installation: 3,
  /** Another process inserts the document of an upsert, which the next try finds. */
  upsert: 3,
  /** A claim that lost all chosen documents to other processes chooses others. Its caller polls again anyway. */
  claim: 4,
  /**
   * A record whose state only moves forward: an email that waits, a batch, an idempotency key. Its life has fewer
   * steps, and after most of them the next round changes nothing more: a claimed email is not canceled.
   */
  forwardState: 5,
  /** A record that a few requests and the jobs of the service change. */
  plainRecord: 8,
  /**
   * A record that all requests of a workspace may change, such as a month of the ledger, or that several processes
   * write.
   */
  sharedRecord: 20,
  /** All members and invitations of a workspace are one record, and a person may change many of them together. */
  people: 40,
  /** The number of an invoice, for which the invoices of all workspaces compete. */
  invoiceNumber: 50,
  /** A test clock, which all tests of a customer may move at the same time. */
  testClock: 100,
  /**
   * A slot of a workspace, for which its concurrent inserts compete. They rarely choose the same slot, unless few are
   * free; then each round fills at least one.
   */
  slot: 100,
} as const

/** Name of a maximum number of tries. */
export type ConflictLimit = keyof typeof conflictRounds

/** Returns the fault of a change that lost every round. @param noun what others change, such as `template` */
export const busyFault = (noun: string): Fault =>
  new Fault('unavailable', `Other requests are changing the ${noun} at the same time; try again in a second.`, {
    retryAfterMs: 1_000,
    expected: true,
  })

/** Limits the number of tries. `maxTries` is for a change that waits for a time, from which its number follows. */
type Limit = { rounds: ConflictLimit } | { maxTries: number }

export type RetryOnConflictOptions<Result> = Limit & {
  /** Decides when other changes won in every round: returns the error to throw, or the result. */
  onBusy(): Error | Result
  /** Waits before the next round; `round` counts from 1. Absent: the next round begins immediately. */
  pause?(round: number): Promise<unknown>
}

/**
 * Makes a change whose write is guarded by what was read: if something else was written in between, it reads and
 * decides again.
 * @param attempt reads, decides and writes; undefined: something else was written since it read
 * @throws the error of `onBusy`; what `attempt` throws
 */
export const retryOnConflict = async <Result>(
  attempt: () => Promise<Result | undefined>,
  { onBusy, pause, ...limit }: RetryOnConflictOptions<Result>,
): Promise<Result> => {
  const maxTries = 'rounds' in limit ? conflictRounds[limit.rounds] : limit.maxTries
  for (let round = 1; round <= maxTries; round++) {
    const result = await attempt()
    if (result !== undefined) return result
    await pause?.(round)
  }
  const ended = onBusy()
  if (ended instanceof Error) throw ended
  return ended
}
