import { type After, afterInBackground } from './after.ts'
import { failureLog } from './failureLog.ts'
import type { Log } from './log.ts'

export type EveryOptions = {
  /** Delay before each run in milliseconds; `failed` is true when the last run threw. */
  delayMs(failed: boolean): number
  /** Runs the task immediately instead of after the first delay. */
  startNow?: boolean
  onError(reason: unknown): void
  /** The timer; default: one that does not keep the process alive. */
  after?: After
}

/** Returns delays of 5/6 to 7/6 of the average in milliseconds, so that several processes spread out. */
export const spread =
  (averageMs: number, random: () => number): (() => number) =>
  () =>
    Math.round(averageMs * (5 / 6 + random() / 3))

/**
 * Runs a task periodically: the next delay starts when the task has ended, so runs never overlap. Disposing stops the
 * timer and waits for the running task.
 */
export const every = (
  task: () => unknown,
  { delayMs, startNow = false, onError, after = afterInBackground }: EveryOptions,
): AsyncDisposable => {
  let stopped = false
  let timer: Disposable | undefined
  let running: Promise<void> = Promise.resolve()

  const run = async (): Promise<void> => {
    let failed = false
    try {
      await task()
    } catch (thrown) {
      failed = true
      onError(thrown)
    }
    schedule(delayMs(failed))
  }
  const schedule = (ms: number): void => {
    if (stopped) return
    timer = after(ms, () => {
      running = run()
    })
  }

  if (startNow) running = run()
  else schedule(delayMs(false))
  return {
    [Symbol.asyncDispose]: async () => {
      stopped = true
      timer?.[Symbol.dispose]()
      await running
    },
  }
}

export type PeriodicJobOptions = {
  /** Average time from the end of a run to the next one in milliseconds; see `spread`. */
  everyMs: number
  /** Runs the task immediately instead of after the first delay. */
  startNow?: boolean
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Message of the log line of a failure. */
  message: string
  /** Runs the task a last time when the job is disposed, with an aborted signal, and logs its failure. */
  runsAtEnd?: boolean
  random?: () => number
}

export type PeriodicJob<T> = AsyncDisposable & {
  /** Runs the task once more now, after the run in progress. @throws what the task throws, which is not logged */
  run(): Promise<T>
  /** Runs the task after the run in progress and logs its failure. A call while such a run waits does nothing. */
  wake(): void
}

/**
 * Runs a task periodically, as `every` does, and logs its failures, as `failureLog` does. Its runs never overlap.
 * Disposing aborts the signal of the task and waits for the runs that have begun.
 */
export const periodicJob = <T>(
  task: (stopping: AbortSignal) => Promise<T>,
  { everyMs, startNow = false, log, message, runsAtEnd = false, random = Math.random }: PeriodicJobOptions,
): PeriodicJob<T> => {
  const stopping = new AbortController()
  const { failed, recovered } = failureLog(log, message)
  let last: Promise<void> = Promise.resolve()
  let isWoken = false
  const run = (): Promise<T> => {
    const next = last.then(() => task(stopping.signal))
    last = next.then(recovered, () => {})
    return next
  }
  const wake = (): void => {
    if (isWoken || stopping.signal.aborted) return
    isWoken = true
    const next = last.then(() => {
      isWoken = false
      return task(stopping.signal)
    })
    last = next.then(recovered, failed)
  }
  const periodic = every(run, { delayMs: spread(everyMs, random), startNow, onError: failed })
  return {
    run,
    wake,
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await periodic[Symbol.asyncDispose]()
      await (runsAtEnd ? run().catch(failed) : last)
    },
  }
}
