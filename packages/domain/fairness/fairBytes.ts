import { mayTakeMore, withoutSpare } from './fairShare.ts'

/*
 * Who may reserve bytes of a memory that several owners share. An owner alone has a fixed part; several get equal
 * parts, and some room stays free for the next one. What a client still sends can be ended, so that an owner below its
 * part gets room.
 */

/** An owner that requests more bytes. */
export type WantedBytes = {
  bytes: number
  /** Bytes that its owner reserves already. */
  reserved: number
  /**
   * Whether they belong to the first share of the owner: then it may have all that is free, so that one of its bodies
   * can be completed.
   */
  isFirst: boolean
}

export type SharedBytes = {
  free: number
  /** Maximum number of bytes of one owner. */
  maxBytesPerOwner: number
  /** Whether another owner reserves or wants bytes. */
  hasOthers: boolean
}

/** Returns whether the owner gets nothing more, however much is free. */
export const isOverOwnLimit = (
  { reserved, bytes, isFirst }: WantedBytes,
  { maxBytesPerOwner }: Pick<SharedBytes, 'maxBytesPerOwner'>,
): boolean => !isFirst && reserved + bytes > maxBytesPerOwner

/** Returns whether the bytes are free and the owner may have them. */
export const mayTakeBytes = (wanted: WantedBytes, all: SharedBytes): boolean => {
  if (wanted.bytes > all.free) return false
  if (wanted.isFirst) return true
  if (isOverOwnLimit(wanted, all)) return false
  return !all.hasOthers || mayTakeMore(wanted.reserved, all.free - wanted.bytes)
}

/**
 * Returns the equal part of each owner. Owners that reserve and want less than it leave the remaining bytes to the
 * others, so many owners with a few bytes do not reduce the share of other owners.
 * @param demands bytes that each owner reserves and wants
 */
export const equalPart = (demands: readonly number[], capacityBytes: number): number => {
  let [remaining, left] = [withoutSpare(capacityBytes), demands.length]
  for (const demand of demands.toSorted((one, other) => one - other)) {
    const part = remaining / left
    if (demand >= part) return part
    remaining -= demand
    left -= 1
  }
  return capacityBytes
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
 * Returns the shares that are ended, in this order, until an owner has room: those of the owner that reserves the most,
 * the slowest first, while it reserves more than its part; then those of the next owner. The first share of an owner
 * may be above its part, because a body cannot be divided: it ends shares of owners that reserve more than it will.
 * @param wanted an owner that reserves bytes and is above its equal part gets none
 */
export const sharesAbovePart = <Share extends EndableShare>(
  shares: readonly Share[],
  {
    wanted,
    part,
    reservedOf,
  }: { wanted: Pick<WantedBytes, 'bytes' | 'reserved'>; part: number; reservedOf(owner: string): number },
): Share[] => {
  const total = wanted.reserved + wanted.bytes
  if (wanted.reserved > 0 && total > part) return []
  const bound = Math.max(part, total)
  const byOwner = Map.groupBy(
    shares.filter(({ onlyIfSlow }) => !onlyIfSlow),
    ({ owner }) => owner,
  )
  return [...byOwner]
    .toSorted(([one], [other]) => reservedOf(other) - reservedOf(one))
    .flatMap(([owner, own]) => {
      let reserved = reservedOf(owner)
      return own
        .toSorted((one, other) => one.spareMs - other.spareMs)
        .filter(({ bytes }) => {
          const isAbove = reserved > bound
          if (isAbove) reserved -= bytes
          return isAbove
        })
    })
}
