/** Times between two reads of the feed for an endpoint, in milliseconds. */
const [soonMs, usualMs, beginningMs, beginningLastsMs] = [2_000, 30_000, 3_000, 60_000] as const

/**
 * Returns when the feed is read next for an endpoint. Hints bring nearly every event at once; a read that found others shows
 * that hints are lost. At the beginning of an endpoint, the processes that send hints may not know it yet.
 */
export const nextScanAt = ({ since, found }: { since: number; found: number }, now: number): number => {
  if (found > 0) return now + soonMs
  return now + (now - since < beginningLastsMs ? beginningMs : usualMs)
}
