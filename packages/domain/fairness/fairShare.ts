/** An owner may use at most this many times the free amount, so some capacity is always free for a new owner. */
const shareOfFree = 8

/**
 * Returns whether an owner that uses `used` units may take one more while `free` are left. An owner alone gets 8/9 of
 * everything; several owners get equal parts, and a part stays free for the next one. An owner above its part gets
 * nothing until it has returned enough.
 */
export const mayTakeMore = (used: number, free: number): boolean => used < shareOfFree * free

/** Returns how much stays free for other owners when an owner alone has `count`. */
const spareOf = (count: number): number => count / shareOfFree

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

/*
 * How many emails of a lane a process claims in advance, and which share of them a workspace gets. `concurrency` is how
 * many emails of one workspace the lane delivers at the same time.
 */

/**
 * Returns how many emails of a lane may be claimed and not yet delivered. Claims by hint and scans have separate
 * limits, each of twice the concurrency, so neither waits for the other. Shares of a scan are limited by the store's
 * claim (fairClaim.ts).
 */
export const claimCapacity = (concurrency: number): { hinted: number; scanned: number } => ({
  hinted: withSpare(2 * concurrency),
  scanned: 2 * concurrency,
})

/** A smaller claim is not worth its update. @param free how much of the capacity is free */
export const isWorthwhile = (free: number, concurrency: number): boolean => free >= concurrency / 2

type HintedShare = {
  /** Emails of the workspace that were claimed by hint and are not delivered yet. */
  used: number
  /** Hints of the workspace in the claim so far. */
  taken: number
}

type HintedRoom = {
  /** How much of the capacity was free at the start of the claim. */
  free: number
  /** Hints of all workspaces in the claim so far. */
  taken: number
  concurrency: number
}

/**
 * Returns whether a claim may include one more hint of a workspace. If it is small, only a workspace that has almost
 * nothing claimed may.
 */
export const mayTakeHint = (share: HintedShare, { free, taken, concurrency }: HintedRoom): boolean =>
  (isWorthwhile(free, concurrency) || share.used < Math.ceil(spareOf(concurrency))) &&
  mayTakeMore(share.used + share.taken, free - taken)
