import type { Clock } from '@postrider/kit/clock.ts'

/** One timer, set on the earliest time it was told. */
export type Alarm = {
  /** Rings at `at`, or before. */
  by(at: number): void
  off(): void
}

/** @param longestMs it rings at least so often while it is set, so that a clock put forward is noticed */
export const alarm = (now: Clock, longestMs: number, ring: () => void): Alarm => {
  let timer: NodeJS.Timeout | undefined
  let earliest = Infinity
  const off = (): void => {
    clearTimeout(timer)
    earliest = Infinity
  }
  const rings = (): void => {
    earliest = Infinity
    ring()
  }
  return {
    by: (at) => {
      if (at >= earliest) return
      clearTimeout(timer)
      earliest = at
      timer = setTimeout(rings, Math.min(Math.max(at - now(), 0), longestMs))
    },
    off,
  }
}
