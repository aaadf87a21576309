/*
 * The order in which owners get bytes of a memory that several share (fairBytes.ts) while some wait: first those within
 * their equal part, then those that reserve nothing, then the others; of the same rank, the one that was served least
 * recently.
 */

/** A share that requests more bytes. */
export type Demand = {
  owner: string
  /** Requested bytes. */
  bytes: number
  /** Bytes that it reserves. */
  reserved: number
  /** Bytes that all shares of its owner reserve. */
  reservedByOwner: number
  /** Whether its owner gets nothing more, however much is free. */
  isOverOwnLimit: boolean
  /** Number of the last grant to its owner; 0: none. */
  turn: number
}

const reservedAfter = ({ reservedByOwner, bytes }: Demand): number => reservedByOwner + bytes

const rankOf = (demand: Demand, part: number): 0 | 1 | 2 => {
  if (reservedAfter(demand) <= part) return 0
  return demand.reservedByOwner === 0 ? 1 : 2
}

/** Returns whether the owner stays within its equal part if it gets the requested bytes. */
export const isWithinPart = (demand: Demand, part: number): boolean => rankOf(demand, part) === 0

/** Compares the turns of two demands; negative: the first is earlier. */
export const compareTurns = (one: Demand, other: Demand, part: number): number =>
  rankOf(one, part) - rankOf(other, part) || one.turn - other.turn || reservedAfter(one) - reservedAfter(other)

/** Returns the first demand of each owner, in the order of their turns. */
export const inTurn = <One extends Demand>(demands: readonly One[], part: number): One[] => {
  const first = new Map<string, One>()
  for (const demand of demands) if (!first.has(demand.owner)) first.set(demand.owner, demand)
  return [...first.values()].toSorted((one, other) => compareTurns(one, other, part))
}

/**
 * Returns whether a demand leaves what is free to those whose turn is earlier. One within its equal part does not. One
 * above it waits, so that a body that needs much is not passed until it gives up. A share that reserves bytes has to
 * end, so it only waits for an owner that reserves less.
 */
export const isBehind = (demand: Demand, earlier: readonly Demand[], part: number): boolean => {
  if (isWithinPart(demand, part)) return false
  return earlier.some((one) => {
    if (one.owner === demand.owner || one.isOverOwnLimit || rankOf(one, part) === 2) return false
    return demand.reserved === 0 || reservedAfter(one) <= demand.reservedByOwner
  })
}
