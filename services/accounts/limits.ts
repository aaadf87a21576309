/** What an account may do; every breach names its limit. Rates are requests a second. */
export type AccountLimits = {
  /** A client address. */
  signUp: { rate: number; burst: number }
  /** An account from one client address. */
  logIn: { rate: number; burst: number }
  /** Keys of a workspace that aren't revoked. */
  keys: number
  /** A session nobody used for this long is over. */
  sessionIdleMs: number
  /** A session this old is over, however much it is used. */
  sessionAgeMs: number
}

const hourMs = 3_600_000

export const defaultLimits: AccountLimits = {
  signUp: { rate: 30 / 3600, burst: 10 },
  logIn: { rate: 5 / 60, burst: 5 },
  keys: 100,
  sessionIdleMs: 12 * hourMs,
  sessionAgeMs: 30 * 24 * hourMs,
}

/**
 * What failed log-ins cost beside: after ten the next is a minute away, after twenty a quarter of an hour. Never longer,
 * so nobody can lock another out for good.
 */
export const failureBuckets = [
  { name: 'few', rate: 1 / 60, burst: 10 },
  { name: 'many', rate: 1 / 900, burst: 20 },
] as const
