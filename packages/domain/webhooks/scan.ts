/** Times between two reads of the feed for an endpoint, in milliseconds. */
const [soonMs, usualMs, beginningMs, beginningLastsMs] = [2_000, 30_000, 3_000, 60_000] as const

/**
 * Returns when the feed is read next for an endpoint. Hints report nearly every event at once; a read that finds further events
 * shows that hints are lost. The processes that send hints may not know a new endpoint yet, so it is scanned more often.
 */
export const nextScanAt = ({ since, found }: { since: number; found: number }, now: number): number => {
  if (found > 0) return now + soonMs
  return now + (now - since < beginningLastsMs ? beginningMs : usualMs)
}
