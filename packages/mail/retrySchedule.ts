import { hourMs, minuteMs } from './units.ts'

/** Delays between tries: short at first because of greylisting, about 32 h in total (RFC 5321 §4.5.4.1). */
const gapsMs = [
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  1 * hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
  16 * hourMs,
] as const

/** Tries of the schedule, the first one included. */
export const maxEmailAttempts = gapsMs.length + 1

/** Share by which a delay may be shorter or longer, so that mail deferred together is not retried together. */
const jitter = 0.1

/**
 * Returns the time of the next try.
 * @param tries used tries of the schedule, the last one included; 0: the next try is due immediately
 * @param at time of the last try, in milliseconds since the epoch
 * @param random uniform in [0, 1)
 * @returns milliseconds since the epoch; null: the schedule is used up
 */
export const nextTry = ({ tries, at, random }: { tries: number; at: number; random: () => number }): number | null => {
  if (tries <= 0) return at
  const gapMs = gapsMs[tries - 1]
  return gapMs === undefined ? null : Math.round(at + gapMs * (1 - jitter + 2 * jitter * random()))
}
