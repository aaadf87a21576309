import { isExpected, isUnavailable } from './fault.ts'
import type { Log } from './log.ts'
import { outageSeverity } from './outage.ts'

/** Logs the failures of work that is repeated anyway. */
export type FailureLog = {
  /**
   * Logs a failure: an unavailable dependency as severe as its outage, an expected failure not at all, and any other as an
   * error.
   */
  failed(reason: unknown): void
  recovered(): void
}

/** @param message of the log lines */
export const failureLog = (log: Pick<Log, 'info' | 'warn' | 'error'>, message: string): FailureLog => {
  const outage = outageSeverity()
  return {
    failed: (err) => {
      if (!isExpected(err)) log[isUnavailable(err) ? outage.failed() : 'error']({ err }, message)
    },
    recovered: outage.recovered,
  }
}
