import type { Override } from '../quota/plans.ts'
import type { RateBucket } from './gcra.ts'

/** Requests per second, and how many at the same time. */
export type Rate = Pick<RateBucket, 'rate' | 'burst'>

/** The operator's rate and burst of a workspace as they are stored; absent: the default. 0: no limit. */
export type StoredRate = { rate?: number; burst?: number }

/** Returns the operator's override of a rate or burst as it is stored: null for the default, 0 for no limit. */
export const storedOverride = (override: Override): number | null => (override === 'plan' ? null : (override ?? 0))

/** Returns the override that a stored rate or burst means. */
export const overrideOf = (stored: number | undefined): Override => (stored === undefined ? 'plan' : stored || null)

/**
 * Returns the operator's rate and burst, or the default; null: no limit. A rate without a burst has a burst of twice
 * its size.
 */
export const effectiveRate = ({ rate, burst }: StoredRate, fallback: Rate): Rate | null => {
  if (rate === 0 || burst === 0) return null
  if (rate === undefined) return burst === undefined ? fallback : { rate: fallback.rate, burst }
  return { rate, burst: burst ?? Math.max(1, Math.ceil(rate * 2)) }
}
