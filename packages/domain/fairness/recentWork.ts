import { minuteMs } from '../time.ts'

/*
 * How much work owners had recently. It decides who goes first while tasks wait: the one that had least. A flood from
 * any number of owners has had work after its first tasks, so it does not delay an owner that had none.
 */

/** The work of an owner decreases by one task in this time. */
const forgetTaskMs = 5 * minuteMs
/** Maximum number of tasks that count. Owners that reached it take turns, so none waits until all others have ended. */
const maxWork = 20
/** A task counts for the area of its owner with this part, so an area of 16 owners has as much work as each of them. */
const areaShare = 1 / 16
/** Entries that are stored before those without work are removed. */
const firstPurgeAt = 1_000

/** The owner of work. `area`: a wider set of owners that may all belong to one person, such as a /32 of IPv6. */
export type WorkOwner = { owner: string; area?: string | undefined }

/** Counts tasks of owners and areas, and forgets them with time. An owner without recent work uses no memory. */
export type RecentWork = {
  /** Counts a task that starts. */
  add(owner: WorkOwner): void
  /** Returns the number of recent tasks, which need not be whole: that of the owner, or of its area if it is more. */
  of(owner: WorkOwner): number
}

type Counted = { work: number; at: number }

/** @param elapsed monotonic time in milliseconds */
export const recentWork = (elapsed: () => number): RecentWork => {
  const owners = new Map<string, Counted>()
  const areas = new Map<string, Counted>()
  let purgeAt = firstPurgeAt

  const workOf = ({ work, at }: Counted): number => Math.max(0, work - (elapsed() - at) / forgetTaskMs)
  const read = (counts: Map<string, Counted>, name: string): number => {
    const counted = counts.get(name)
    return counted ? workOf(counted) : 0
  }
  const count = (counts: Map<string, Counted>, name: string, part: number): void => {
    counts.set(name, { work: Math.min(maxWork, read(counts, name) + part), at: elapsed() })
  }
  const purge = (): void => {
    for (const counts of [owners, areas])
      for (const [name, counted] of counts) if (workOf(counted) === 0) counts.delete(name)
    purgeAt = Math.max(firstPurgeAt, 2 * (owners.size + areas.size))
  }
  return {
    add: ({ owner, area }) => {
      count(owners, owner, 1)
      if (area !== undefined) count(areas, area, areaShare)
      if (owners.size + areas.size > purgeAt) purge()
    },
    of: ({ owner, area }) => Math.max(read(owners, owner), area === undefined ? 0 : read(areas, area)),
  }
}
