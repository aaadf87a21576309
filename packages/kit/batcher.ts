import { isUnavailable } from './fault.ts'
import { currentContext, runInContext, type TraceContext } from './trace.ts'

/**
 * Returns a function that schedules `work` for the end of the current event loop iteration; until then further calls
 * have no effect.
 */
export const atIterationEnd = (work: () => void): (() => void) => {
  let scheduled = false
  const run = (): void => {
    scheduled = false
    work()
  }
  return () => {
    if (scheduled) return
    scheduled = true
    setImmediate(run)
  }
}

type Waiting<Input, Result> = {
  input: Input
  /** Trace of the call: the batch must not count as part of the trace that happened to start it. */
  context: TraceContext
  resolve(result: Result): void
  reject(reason: unknown): void
}

export type BatcherOptions<Input, Result> = {
  /** Calls in a batch. */
  max: number
  /** Batches in flight. */
  maxInFlight: number
  /**
   * Returns the results of a batch in its order. An Error as a result is thrown to that call alone; an error that `run`
   * throws is thrown to every call of the batch. A Fault `unavailable` is also thrown to the calls that wait for the
   * next batch: they would wait as long for the same error.
   */
  run(batch: readonly Input[]): Promise<readonly (Result | Error)[]>
}

/**
 * Combines concurrent calls into batches: the calls of one event loop iteration form a batch, and calls that arrive
 * while `maxInFlight` batches are in flight wait for the next. So batches grow with the load, and without load no call
 * waits.
 */
export const batcher = <Input, Result>({
  max,
  maxInFlight,
  run,
}: BatcherOptions<Input, Result>): ((input: Input) => Promise<Result>) => {
  const waiting: Waiting<Input, Result>[] = []
  let inFlight = 0

  const fail = (calls: readonly Waiting<Input, Result>[], reason: unknown): void => {
    for (const { reject } of calls) reject(reason)
  }

  const send = async (batch: readonly Waiting<Input, Result>[]): Promise<void> => {
    inFlight += 1
    try {
      const contexts = batch.map(({ context }) => context)
      const results = await runInContext(contexts, () => run(batch.map(({ input }) => input)))
      if (results.length !== batch.length) throw new Error('a batch returned the wrong number of results')
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index] as Result | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      }
    } catch (thrown) {
      fail(batch, thrown)
      if (isUnavailable(thrown)) fail(waiting.splice(0), thrown)
    }
    inFlight -= 1
    sendNext()
  }

  const start = atIterationEnd(() => {
    while (inFlight < maxInFlight && waiting.length > 0) void send(waiting.splice(0, max))
  })
  const sendNext = (): void => {
    if (inFlight < maxInFlight && waiting.length > 0) start()
  }

  return (input) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ input, context: currentContext(), resolve, reject })
      sendNext()
    })
}
