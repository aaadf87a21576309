import { mayTakeMore, spareOf, withSpare } from './fairShare.ts'

/*
 * How many emails of a lane a process claims in advance, and which share of them a workspace gets. `concurrency` is how many emails
 * of one workspace the lane delivers at the same time.
 */

/**
 * Returns how many emails of a lane may be claimed and not yet delivered. Claims by hint and scans have separate limits, each
 * of twice the concurrency, so neither waits for the other. Shares of a scan are limited by the store's claim (fairClaim.ts).
 */
export const claimCapacity = (concurrency: number): { hinted: number; scanned: number } => ({
  hinted: withSpare(2 * concurrency),
  scanned: 2 * concurrency,
})

/** A smaller claim is not worth its update. @param free how much of the capacity is free */
export const isWorthwhile = (free: number, concurrency: number): boolean => free >= concurrency / 2

type HintedShare = {
  /** Emails of the workspace that were claimed by hint and are not delivered yet. */
  held: number
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

/** Returns whether a claim may include one more hint of a workspace. If it is small, only a workspace that has almost nothing claimed may. */
export const mayTakeHint = (share: HintedShare, { free, taken, concurrency }: HintedRoom): boolean =>
  (isWorthwhile(free, concurrency) || share.held < Math.ceil(spareOf(concurrency))) &&
  mayTakeMore(share.held + share.taken, free - taken)
