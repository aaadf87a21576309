export type RetryOnConflictOptions<Result> = {
  /** How often a change is tried. The write that wins ends in one step, so each round one of several changes ends. */
  rounds: number
  /** Decides when other changes won in every round: returns the error to throw, or the result. */
  onBusy(): Error | Result
  /** Waits before the next round; `round` counts from 1. Absent: the next round begins immediately. */
  pause?(round: number): Promise<unknown>
}

/**
 * Makes a change whose write is guarded by what was read: if something else was written in between, it reads and decides again.
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
