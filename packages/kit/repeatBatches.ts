import { setImmediate as nextIteration } from 'node:timers/promises'

export type Batches = {
  /** Maximum number of items of a batch. */
  size: number
  /** Maximum number of batches; the rest is left to the next call. */
  max: number
  /** Works on one batch. @returns how many items were found */
  run(size: number): Promise<number>
}

/**
 * Repeats a batch of a job in the background until one is not full. A store in this process works synchronously, so
 * requests run between two batches.
 */
export const repeatBatches = async ({ size, max, run }: Batches): Promise<void> => {
  for (let count = 0; count < max; count++) {
    if ((await run(size)) < size) return
    await nextIteration()
  }
}
