import { Fault } from './fault.ts'

/**
 * Maximum number of tries of a change: each round one of the concurrent changes is written, and the others try again.
 */
export const conflictRounds = {
  /** An installation that moved while this process started has another name at each try. */
  installation: 3,
  /** Another process inserts the document of an upsert, which the next try finds. */
  upsert: 3,
  /** A claim that lost all chosen documents to other processes chooses others. Its caller polls again anyway. */
  claim: 4,
  /** A record that a few requests and the jobs of the service change. */
  record: 8,
  /**
   * A record that all requests of a workspace may change, such as a month of the ledger, or that several processes
   * write.
   */
  sharedRecord: 20,
  /** All members and invitations of a workspace are one record, and a person may change many of them together. */
  people: 40,
  /** The number of an invoice, for which the invoices of all workspaces compete. */
  invoiceNumber: 50,
} as const

/** Returns the fault of a change that lost every round. @param noun what others change, such as `template` */
export const busyFault = (noun: string): Fault =>
  new Fault('unavailable', `Other requests are changing the ${noun} at the same time; try again in a second.`, {
    retryAfterMs: 1_000,
    expected: true,
  })

export type RetryOnConflictOptions<Result> = {
  /** Maximum number of tries: a limit of `conflictRounds`. */
  rounds: number
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
  { rounds, onBusy, pause }: RetryOnConflictOptions<Result>,
): Promise<Result> => {
  for (let round = 1; round <= rounds; round++) {
    const result = await attempt()
    if (result !== undefined) return result
    await pause?.(round)
  }
  const ended = onBusy()
  if (ended instanceof Error) throw ended
  return ended
}
