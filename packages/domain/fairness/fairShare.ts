/** An owner may use at most this many times the free amount, so some capacity is always free for a new owner. */
const shareOfFree = 8

/**
 * Returns whether an owner that uses `held` units may take one more while `free` are left. An owner alone gets 8/9 of
 * everything; several owners get equal parts, and a part stays free for the next one. An owner above its part gets
 * nothing until it has returned enough.
 */
export const mayTakeMore = (held: number, free: number): boolean => held < shareOfFree * free

/** Returns how much stays free for other owners when an owner alone has `count`. */
export const spareOf = (count: number): number => count / shareOfFree

/** Returns how much there must be in total for an owner alone to get `count`. */
export const withSpare = (count: number): number => Math.floor(count + spareOf(count))

/** Returns what an owner alone gets of `total`. */
export const withoutSpare = (total: number): number => (total * shareOfFree) / (shareOfFree + 1)

/** Counts by owner. An owner whose count is 0 uses no memory. */
export type OwnerCounts = {
  add(owner: string, change: number): void
  of(owner: string): number
  total(): number
  /** Owners with a count. */
  owners(): string[]
}

export const ownerCounts = (): OwnerCounts => {
  const counts = new Map<string, number>()
  let total = 0
  return {
    add: (owner, change) => {
      const count = (counts.get(owner) ?? 0) + change
      if (count === 0) counts.delete(owner)
      else counts.set(owner, count)
      total += change
    },
    of: (owner) => counts.get(owner) ?? 0,
    total: () => total,
    owners: () => [...counts.keys()],
  }
}
