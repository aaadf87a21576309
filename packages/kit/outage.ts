import type { Clock } from './clock.ts'

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
 * @param now a monotonic clock in milliseconds
 */
export const outageSeverity = ({ now = performance.now.bind(performance) }: { now?: Clock } = {}): Outage => {
  let wasAvailable = false
  let since: number | null = null
  return {
    failed: () => {
      since ??= now()
      return wasAvailable || now() - since >= coldStartMs ? 'warn' : 'info'
    },
    recovered: () => {
      wasAvailable = true
      since = null
    },
  }
}
