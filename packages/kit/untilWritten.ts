export type UntilWrittenOptions = {
  /** How often a change is tried. The write that wins ends in one step, so each round one of several changes ends. */
  rounds: number
  /** Returns the error when other changes won in every round. */
  onBusy(): Error
}

/**
 * Makes a change whose write is guarded by what was read: if something else was written in between, it reads and decides again.
 * @param attempt reads, decides and writes; undefined: something else was written since it read
 * @throws `onBusy()`; what `attempt` throws
 */
export const untilWritten = async <Result>(
  attempt: () => Promise<Result | undefined>,
  { rounds, onBusy }: UntilWrittenOptions,
): Promise<Result> => {
  for (let round = 0; round < rounds; round++) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw onBusy()
}
