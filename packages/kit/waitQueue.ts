import { equalPart } from '@postrider/domain/fairness/fairBytes.ts'
import { compareTurns, type Demand, inTurn, isBehind, isWithinPart } from '@postrider/domain/fairness/grantOrder.ts'
import { boundedMap } from './boundedMap.ts'
import type { ByteReservation, EndableReservation, EndReason, ReservedBytes } from './reservedBytes.ts'

/** Requested bytes of a share. */
type Growth = { reservation: ByteReservation; bytes: number }

export type Waiter = Growth & { resolve(isServed: boolean): void }

/** Owners whose last turn is remembered. */
const maxTurns = 10_000

export type WaitQueueOptions = {
  reserved: ReservedBytes
  capacityBytes: number
  /** Whether every waiter that fits is served, not only the first. */
  isFirstFit: boolean
}

type DemandOf<One extends Growth> = Demand & { growth: One }

/** When owners that wait were served, as the order of turns needs it. */
const ownerTurns = (reserved: ReservedBytes, capacityBytes: number, waiters: readonly Waiter[]) => {
  /** The number of the last grant of each owner, while there are waiters. */
  const turns = boundedMap<number>(maxTurns)
  let grants = 0

  const demandOf = <One extends Growth>(growth: One): DemandOf<One> => {
    const { reservation, bytes } = growth
    return {
      growth,
      owner: reservation.owner,
      bytes,
      reserved: reservation.bytes,
      reservedByOwner: reserved.of(reservation.owner),
      isOverOwnLimit: reserved.isOverOwnLimit(reservation, bytes),
      turn: turns.get(reservation.owner) ?? 0,
    }
  }

  return {
    demandOf,
    /** Returns the equal part of the owners that reserve or want bytes. */
    part: (growths: readonly Growth[] = waiters): number => {
      const demands = reserved.byOwner()
      for (const { reservation, bytes } of growths)
        demands.set(reservation.owner, (demands.get(reservation.owner) ?? 0) + bytes)
      return equalPart([...demands.values()], capacityBytes)
    },
    /** Returns the first waiter of each owner, in the order of their turns. */
    line: (part: number): DemandOf<Waiter>[] => inTurn(waiters.map(demandOf<Waiter>), part),
    hadTurn: (owner: string): void => {
      grants += 1
      turns.set(owner, grants)
    },
    clear: turns.clear,
  }
}

/** Which growths may be served, and the first of them in the order of arrival. */
const arrivals = (reserved: ReservedBytes, waiters: readonly Waiter[]) => {
  const hasOthers = (owner: string): boolean =>
    reserved.hasOthers(owner) || waiters.some(({ reservation }) => reservation.owner !== owner)

  const mayTake = ({ reservation, bytes }: Growth, withEnding = false): boolean =>
    reserved.mayTake(reservation, bytes, hasOthers(reservation.owner), withEnding)

  const isAtLimit = ({ reservation, bytes }: Growth): boolean => reserved.isOverOwnLimit(reservation, bytes)

  /**
   * The first waiter that may have its bytes. An owner at its limit keeps its order: its small shares do not overtake
   * its large ones.
   */
  const nextInLine = (): Waiter | undefined => {
    const atLimit = new Set<string>()
    for (const waiter of waiters) {
      if (atLimit.has(waiter.reservation.owner)) continue
      if (mayTake(waiter)) return waiter
      if (!reserved.isFree(waiter.bytes) && !isAtLimit(waiter)) return undefined
      atLimit.add(waiter.reservation.owner)
    }
    return undefined
  }

  return { mayTake, isAtLimit, nextInLine }
}

/** The shares of a budget that wait to grow. */
export const waitQueue = ({ reserved, capacityBytes, isFirstFit }: WaitQueueOptions) => {
  const waiters: Waiter[] = []
  const { part, line, demandOf, hadTurn, clear } = ownerTurns(reserved, capacityBytes, waiters)
  const { mayTake, isAtLimit, nextInLine } = arrivals(reserved, waiters)

  const mayPass = (growth: Growth): boolean => {
    if (waiters.length === 0) return true
    if (!isFirstFit) return false
    const equal = part([...waiters, growth])
    const demand = demandOf(growth)
    const earlier = line(equal).filter((waiting) => compareTurns(waiting, demand, equal) <= 0)
    return !isBehind(demand, earlier, equal)
  }

  const firstThatFits = (): Waiter | undefined => {
    const equal = part()
    const waiting = line(equal)
    return waiting.find((one, index) => mayTake(one.growth) && !isBehind(one, waiting.slice(0, index), equal))?.growth
  }

  const remove = (waiter: Waiter): void => {
    waiters.splice(waiters.indexOf(waiter), 1)
    if (waiters.length === 0) clear()
  }

  const add = (waiter: Waiter): void => {
    if (isFirstFit && waiters.length === 0) for (const owner of reserved.byOwner().keys()) hadTurn(owner)
    waiters.push(waiter)
  }

  const take = ({ reservation, bytes }: Growth): void => {
    reserved.reserve(reservation, bytes)
    if (isFirstFit && waiters.length > 0) hadTurn(reservation.owner)
  }

  return {
    /** Makes a share grow if that needs no wait. @returns whether it does */
    tryTake: (growth: Growth): boolean => {
      const isServed = mayTake(growth) && mayPass(growth)
      if (isServed) take(growth)
      return isServed
    },
    /** Gives the waiters what is free. */
    serve: (): void => {
      while (waiters.length > 0) {
        const next = isFirstFit ? firstThatFits() : nextInLine()
        if (next === undefined) return
        take(next)
        remove(next)
        next.resolve(true)
      }
    },
    add,
    remove,
    isWaiting: (waiter: Waiter): boolean => waiters.includes(waiter),
    find: (reservation: ByteReservation): Waiter | undefined => waiters.find((one) => one.reservation === reservation),
    part,
    /**
     * Whether shares may be ended for a waiter: what is freed for one above its equal part goes to the first of them.
     */
    mayInsist: (waiter: Waiter): boolean => {
      const equal = part()
      const demand = demandOf(waiter)
      return isWithinPart(demand, equal) || demand.isOverOwnLimit || line(equal)[0]?.growth === waiter
    },
    /**
     * Ends shares, in this order, until a waiter has room. What others reserve is no room for one whose owner is at its
     * limit.
     */
    endFor: (waiter: Waiter, shares: readonly EndableReservation[], reason: EndReason): void => {
      for (const { owner, end } of shares) {
        if (!waiters.includes(waiter) || mayTake(waiter, true)) return
        if (owner === waiter.reservation.owner || !isAtLimit(waiter)) end(reason)
      }
    },
  }
}
