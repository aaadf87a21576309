import { every, spread } from './every.ts'
import { failureLog } from './failureLog.ts'
import type { Log } from './log.ts'

export type PeriodicJobOptions = {
  /** Average time from the end of a run to the next one in milliseconds; see `spread`. */
  everyMs: number
  /** Runs the task at once instead of after the first delay. */
  startNow?: boolean
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Message of the log line of a failure. */
  message: string
  random?: () => number
}

/** Runs a task periodically, as `every` does, and logs its failures, as `failureLog` does. */
export const periodicJob = (
  task: () => Promise<unknown>,
  { everyMs, startNow = false, log, message, random = Math.random }: PeriodicJobOptions,
): AsyncDisposable => {
  const { failed, recovered } = failureLog(log, message)
  const run = async (): Promise<void> => {
    await task()
    recovered()
  }
  return every(run, { delayMs: spread(everyMs, random), startNow, onError: failed })
}
