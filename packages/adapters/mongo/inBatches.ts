import { setImmediate as nextTurn } from 'node:timers/promises'

type Waiting<Call, Result> = { call: Call; resolve(result: Result): void; reject(reason: unknown): void }

/**
 * Does calls about one key together, and one batch after the other: what comes while a batch is at work waits for the
 * next. So a busy key costs one round of the store for many calls, and never waits for itself there.
 * @param most calls of one batch
 * @param work does a batch; its results stand in the order of the calls. What it throws, all of its calls throw.
 */
export const inBatches = <Call, Result>(
  most: number,
  work: (key: string, calls: readonly Call[]) => Promise<readonly Result[]>,
): ((key: string, call: Call) => Promise<Result>) => {
  const queues = new Map<string, Waiting<Call, Result>[]>()

  const doBatch = async (key: string, batch: readonly Waiting<Call, Result>[]): Promise<void> => {
    try {
      const results = await work(
        key,
        batch.map(({ call }) => call),
      )
      if (results.length !== batch.length) throw new Error('a batch has a result for each of its calls')
      for (const [index, result] of results.entries()) batch[index]?.resolve(result)
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown)
    }
  }

  const empty = async (key: string, queue: Waiting<Call, Result>[]): Promise<void> => {
    // The calls of one turn come one by one: the first waits for the others.
    await nextTurn()
    while (queue.length > 0) await doBatch(key, queue.splice(0, most))
    queues.delete(key)
  }

  return (key, call) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key)
      if (queue) {
        queue.push({ call, resolve, reject })
        return
      }
      const opened = [{ call, resolve, reject }]
      queues.set(key, opened)
      void empty(key, opened)
    })
}
