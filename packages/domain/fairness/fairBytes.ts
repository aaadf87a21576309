import { mayTakeMore } from './fairShare.ts'

/*
 * Who may hold bytes of a memory that several owners share. An owner alone has a fixed part; several get equal parts, and some room
 * stays free for the next one. What a client still sends can be ended, so that an owner below its part gets room.
 */

/** An owner that wants more bytes. */
export type WantedBytes = {
  bytes: number
  /** Bytes that its owner holds already. */
  held: number
  /** Bytes that all shares of its owner will hold, as far as that is known: a share that grows may have announced more than it holds. */
  expected: number
  /** Whether they belong to the first share of the owner, and this share may be ended: then it may have all that is free. */
  isFirstAndEndable: boolean
}

export type SharedBytes = {
  free: number
  /** Most bytes of one owner. */
  maxBytesPerOwner: number
  /** Whether another owner holds or wants bytes. */
  hasOthers: boolean
}

/** Whether the bytes are part of the first share of their owner, which may have all that is free. */
const isFirst = ({ held, isFirstAndEndable }: WantedBytes): boolean => held === 0 || isFirstAndEndable

/**
 * Whether the owner gets nothing more, however much is free. What an owner announces counts against itself only: of its bodies, those that
 * cannot be completed at the same time wait.
 */
export const isOverOwnLimit = (
  wanted: WantedBytes,
  { maxBytesPerOwner }: Pick<SharedBytes, 'maxBytesPerOwner'>,
): boolean => !isFirst(wanted) && wanted.expected > maxBytesPerOwner

/** Whether the owner may have the bytes if they are free. An owner without any may have all that is free. */
export const mayTakeBytes = (wanted: WantedBytes, all: SharedBytes): boolean => {
  if (isFirst(wanted)) return true
  if (isOverOwnLimit(wanted, all)) return false
  return !all.hasOthers || mayTakeMore(wanted.held, all.free - wanted.bytes)
}

/** A share that its client still fills or empties. */
export type EndableShare = {
  owner: string
  bytes: number
  /** Milliseconds until its client counts as slow; negative: it does. */
  spareMs: number
  /** Whether it is ended only if its client is slow. */
  onlyIfSlow: boolean
}

/** Returns the shares of slow clients in the order in which they are ended for others that wait: the slowest first. */
export const slowShares = <Share extends EndableShare>(shares: readonly Share[]): Share[] =>
  shares.filter(({ spareMs }) => spareMs < 0).toSorted((one, other) => one.spareMs - other.spareMs)

/**
 * Returns the shares that are ended, in this order, until an owner at or below its equal part has room: those of the owner that holds the most,
 * the slowest first, while it holds more than its part; then those of the next owner.
 * @param wanted an owner above its equal part gets none
 */
export const sharesAbovePart = <Share extends EndableShare>(
  shares: readonly Share[],
  {
    wanted,
    equalPart,
    heldOf,
  }: { wanted: Pick<WantedBytes, 'bytes' | 'held'>; equalPart: number; heldOf(owner: string): number },
): Share[] => {
  if (wanted.held + wanted.bytes > equalPart) return []
  const byOwner = Map.groupBy(
    shares.filter(({ onlyIfSlow }) => !onlyIfSlow),
    ({ owner }) => owner,
  )
  return [...byOwner]
    .toSorted(([one], [other]) => heldOf(other) - heldOf(one))
    .flatMap(([owner, own]) => {
      let held = heldOf(owner)
      return own
        .toSorted((one, other) => one.spareMs - other.spareMs)
        .filter(({ bytes }) => {
          const isAbove = held > equalPart
          if (isAbove) held -= bytes
          return isAbove
        })
    })
}
