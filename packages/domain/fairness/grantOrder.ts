/*
 * The order in which owners get bytes of a memory that several share (fairBytes.ts) while some wait: first those within
 * their equal part, then those that reserve nothing, then the others; of the same rank, the one that was served least
 * recently. Budgets whose callers have no deadline serve in the order of arrival (`firstInOrder`).
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
export const mustWait = (demand: Demand, earlier: readonly Demand[], part: number): boolean => {
  if (isWithinPart(demand, part)) return false
  return earlier.some((one) => {
    if (one.owner === demand.owner || one.isOverOwnLimit || rankOf(one, part) === 2) return false
    return demand.reserved === 0 || reservedAfter(one) <= demand.reservedByOwner
  })
}

/**
 * Returns whether a new demand may be served before those that wait.
 * @param waiting in the order of arrival
 */
export const mayPass = (demand: Demand, waiting: readonly Demand[], part: number): boolean => {
  const earlier = inTurn(waiting, part).filter((one) => compareTurns(one, demand, part) <= 0)
  return !mustWait(demand, earlier, part)
}

/** Free bytes, as they concern a demand. */
export type RoomFor<One extends Demand> = {
  /** Whether as many bytes as it requests are free. */
  isFree(demand: One): boolean
  /** Whether they are free and its owner may have them. */
  mayTake(demand: One): boolean
}

/**
 * Returns the demand that is served next where every one that fits is served: the first in the order of turns that may
 * have its bytes and does not have to wait for an earlier one; undefined: none.
 * @param waiting in the order of arrival
 */
export const firstThatFits = <One extends Demand>(
  waiting: readonly One[],
  { mayTake }: Pick<RoomFor<One>, 'mayTake'>,
  part: number,
): One | undefined => {
  const line = inTurn(waiting, part)
  return line.find((one, index) => mayTake(one) && !mustWait(one, line.slice(0, index), part))
}

/**
 * Returns the demand that is served next in the order of arrival; undefined: none, because the first waits for bytes
 * that are not free. A demand whose owner may not have its bytes is passed by other owners. The owner keeps its own
 * order: its small shares do not overtake its large ones.
 * @param waiting in the order of arrival; read only as far as needed
 */
export const firstInOrder = <One extends Demand>(
  waiting: Iterable<One>,
  { isFree, mayTake }: RoomFor<One>,
): One | undefined => {
  const passed = new Set<string>()
  for (const demand of waiting) {
    if (passed.has(demand.owner)) continue
    if (mayTake(demand)) return demand
    if (!isFree(demand) && !demand.isOverOwnLimit) return undefined
    passed.add(demand.owner)
  }
  return undefined
}

/**
 * Returns whether shares of others may be ended for a demand that waits. What is freed for one above its equal part
 * goes to the first in the order of turns, so only that one ends shares.
 * @param waiting in the order of arrival, with the demand
 */
export const mayReclaim = (demand: Demand, waiting: readonly Demand[], part: number): boolean =>
  isWithinPart(demand, part) || demand.isOverOwnLimit || inTurn(waiting, part)[0] === demand

/** Returns whether bytes that an owner returns are room for a demand. At its limit, an owner needs bytes of its own. */
export const isRoomFor = (owner: string, demand: Pick<Demand, 'owner' | 'isOverOwnLimit'>): boolean =>
  owner === demand.owner || !demand.isOverOwnLimit
