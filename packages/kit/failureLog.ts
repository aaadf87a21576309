import { boundedMap } from './boundedMap.ts'
import type { Clock, Monotonic } from './clock.ts'
import { isExpected, isUnavailable } from './fault.ts'
import type { Log } from './log.ts'

/** How long processes of a cold start may wait for each other in milliseconds. */
const coldStartMs = 60_000

export type Outage = {
  /** Counts a failure. @returns the level of its log line */
  failed(): 'info' | 'warn'
  recovered(): void
}

/**
 * Returns how severe the absence of a dependency is. Processes start in any order, so an operator need not act on a
 * dependency that has not been available yet, until that lasts longer than a cold start.
 * @param elapsed in milliseconds
 */
export const outageSeverity = ({
  elapsed = performance.now.bind(performance),
}: {
  elapsed?: Monotonic
} = {}): Outage => {
  let wasAvailable = false
  let since: number | null = null
  return {
    failed: () => {
      since ??= elapsed()
      return wasAvailable || elapsed() - since >= coldStartMs ? 'warn' : 'info'
    },
    recovered: () => {
      wasAvailable = true
      since = null
    },
  }
}

/** Logs the absence of a dependency that is tried again anyway. */
export type OutageLog = {
  /** Logs a failure when it is the first, its reason differs from the last one, or a wait at start lasts too long. */
  failed(reason: unknown): void
  /** Logs the end of the outage, if there was one. */
  recovered(): void
}

export type OutageLogOptions = {
  /** Message of the line about a failure. */
  failed: string
  /** Message of the line about the end of an outage; without it there is none. */
  recovered?: string
  /** Fields of every line. */
  fields?: object
  /** Name of the field with the reason. */
  reasonField?: string
  elapsed?: Monotonic
}

/** Returns a log that reports an outage once for each reason and level, however many tries fail. */
export const outageLog = (
  log: Pick<Log, 'info' | 'warn'>,
  { failed, recovered, fields = {}, reasonField = 'err', elapsed }: OutageLogOptions,
): OutageLog => {
  const outage = outageSeverity({ ...(elapsed && { elapsed }) })
  /** Level and reason of the last logged failure; empty: there is no outage. */
  let logged = ''
  return {
    failed: (reason) => {
      const level = outage.failed()
      const line = `${level} ${reason instanceof Error ? reason.message : String(reason)}`
      if (line !== logged) log[level]({ ...fields, [reasonField]: reason }, failed)
      logged = line
    },
    recovered: () => {
      outage.recovered()
      if (logged !== '' && recovered !== undefined) log.info(fields, recovered)
      logged = ''
    },
  }
}

/** Logs the failures of work that is repeated anyway. */
export type FailureLog = {
  /**
   * Logs a failure: an unavailable dependency as severe as its outage, an expected failure not at all, and any other as
   * an error.
   */
  failed(reason: unknown): void
  recovered(): void
}

/** Whether every failure in an `AggregateError`, or the only one, is an unavailable dependency. */
const areUnavailable = (reason: unknown): boolean =>
  reason instanceof AggregateError ? reason.errors.every(areUnavailable) : isUnavailable(reason)

/** @param message of the log lines */
export const failureLog = (log: Pick<Log, 'info' | 'warn' | 'error'>, message: string): FailureLog => {
  const outage = outageSeverity()
  return {
    failed: (err) => {
      if (!isExpected(err)) log[areUnavailable(err) ? outage.failed() : 'error']({ err }, message)
    },
    recovered: outage.recovered,
  }
}

/** How often a line that repeats with every call or item is logged, in milliseconds. */
const repeatedLineMs = 60_000
const maxRepeatedLines = 1_000

/**
 * Returns a function that calls `write` at most once a minute for each name, with how many calls it omitted since the
 * last one.
 */
export const oncePerMinute = (now: Clock): ((name: string, write: (omitted: number) => void) => void) => {
  const last = boundedMap<{ at: number; omitted: number }>(maxRepeatedLines)
  return (name, write) => {
    const known = last.get(name)
    if (known && Math.abs(now() - known.at) < repeatedLineMs) {
      known.omitted += 1
      return
    }
    last.set(name, { at: now(), omitted: 0 })
    write(known?.omitted ?? 0)
  }
}

/**
 * Logs the failure of one of many items, whose work is repeated anyway: an unavailable dependency as a warning, an
 * expected failure not at all, and any other as an error.
 */
export const logFailure = (
  log: Pick<Log, 'warn' | 'error'>,
  { err, ...fields }: { err: unknown; [field: string]: unknown },
  message: string,
): void => {
  if (!isExpected(err)) log[isUnavailable(err) ? 'warn' : 'error']({ err, ...fields }, message)
}
