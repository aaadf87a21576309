import type { Monotonic } from '@postrider/kit/clock.ts'

/** Remaining budget of one check of a domain. A zone whose servers are hostile cannot make it cost more. */
export type CheckAllowance = {
  /** Returns why no query may be sent: no time or no queries are left, or the caller aborted; null: one may be sent. */
  refusal(): 'timeout' | 'failed' | null
  /** Counts a query. @returns `refusal()` */
  takeQuery(): 'timeout' | 'failed' | null
  /** Counts received bytes. @returns whether they are within the allowance */
  takeBytes(bytes: number): boolean
  /** Returns the shorter one of `ms` and the time left. */
  limitMs(ms: number): number
  readonly signal: AbortSignal
}

export type AllowanceLimits = { queries: number; bytes: number; ms: number }

export type Spending = { queries: number; bytes: number; until: number }

export const startSpending = ({ queries, bytes, ms }: AllowanceLimits, elapsed: Monotonic): Spending => ({
  queries,
  bytes,
  until: elapsed() + ms,
})

/**
 * Returns the allowance of one lookup: it has the queries and bytes that are left of its check, and `lookupMs` of time
 * but not more than the check has left.
 */
export const allowanceOf = (
  spending: Spending,
  { lookupMs, elapsed, signal }: { lookupMs: number; elapsed: Monotonic; signal: AbortSignal },
): CheckAllowance => {
  const until = Math.min(spending.until, elapsed() + lookupMs)
  const refusal = (): 'timeout' | 'failed' | null => {
    if (signal.aborted) return 'failed'
    if (elapsed() >= until) return 'timeout'
    return spending.queries <= 0 || spending.bytes <= 0 ? 'failed' : null
  }
  return {
    signal,
    refusal,
    takeQuery: () => {
      const refused = refusal()
      if (refused === null) spending.queries -= 1
      return refused
    },
    takeBytes: (bytes) => {
      spending.bytes -= bytes
      return spending.bytes >= 0
    },
    limitMs: (ms) => Math.max(0, Math.min(ms, until - elapsed())),
  }
}
