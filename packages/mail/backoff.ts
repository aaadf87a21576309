const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** From one try to the next: dense at first for greylisting, then out to about 32 h (RFC 5321 §4.5.4.1). */
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

/** Share of a gap by which it may be shorter or longer, so that mail deferred together doesn't come back together. */
const jitter = 0.1

/**
 * When to try again.
 * @param tries how many tries of the schedule were used, this one included; none: at once
 * @param at the time of the last try, in milliseconds since the epoch
 * @param random uniform in [0, 1)
 * @returns milliseconds since the epoch; null: the schedule is used up
 */
export const nextTry = ({ tries, at, random }: { tries: number; at: number; random: () => number }): number | null => {
  if (tries <= 0) return at
  const gapMs = gapsMs[tries - 1]
  return gapMs === undefined ? null : Math.round(at + gapMs * (1 - jitter + 2 * jitter * random()))
}
