import { equalPart } from '@postrider/domain/fairness/fairBytes.ts'
import {
  type Demand,
  firstInOrder,
  firstThatFits,
  isRoomFor,
  mayPass,
  mayReclaim,
} from '@postrider/domain/fairness/grantOrder.ts'
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
    /** Returns what the waiters request, in the order of arrival. */
    demands: (): DemandOf<Waiter>[] => waiters.map(demandOf<Waiter>),
    /** Returns the equal part of the owners that reserve or want bytes. */
    part: (growths: readonly Growth[] = waiters): number => {
      const demands = reserved.byOwner()
      for (const { reservation, bytes } of growths)
        demands.set(reservation.owner, (demands.get(reservation.owner) ?? 0) + bytes)
      return equalPart([...demands.values()], capacityBytes)
    },
    countTurn: (owner: string): void => {
      grants += 1
      turns.set(owner, grants)
    },
    clear: turns.clear,
  }
}

/** The shares of a budget that wait to grow. The rules decide which of them is served; this queue has their state. */
export const waitQueue = ({ reserved, capacityBytes, isFirstFit }: WaitQueueOptions) => {
  const waiters: Waiter[] = []
  const { part, demands, demandOf, countTurn, clear } = ownerTurns(reserved, capacityBytes, waiters)

  const hasOthers = (owner: string): boolean =>
    reserved.hasOthers(owner) || waiters.some(({ reservation }) => reservation.owner !== owner)

  const mayTake = ({ reservation, bytes }: Growth, withEnding = false): boolean =>
    reserved.mayTake(reservation, bytes, hasOthers(reservation.owner), withEnding)

  const room = {
    isFree: ({ bytes }: DemandOf<Waiter>): boolean => reserved.isFree(bytes),
    mayTake: ({ growth }: DemandOf<Waiter>): boolean => mayTake(growth),
  }

  const next = (): Waiter | undefined => {
    if (waiters.length === 0) return undefined
    const demand = isFirstFit
      ? firstThatFits(demands(), room, part())
      : firstInOrder(waiters.values().map(demandOf<Waiter>), room)
    return demand?.growth
  }

  const isServedFirst = (growth: Growth): boolean =>
    waiters.length === 0 || (isFirstFit && mayPass(demandOf(growth), demands(), part([...waiters, growth])))

  const remove = (waiter: Waiter): void => {
    waiters.splice(waiters.indexOf(waiter), 1)
    if (waiters.length === 0) clear()
  }

  const add = (waiter: Waiter): void => {
    if (isFirstFit && waiters.length === 0) for (const owner of reserved.byOwner().keys()) countTurn(owner)
    waiters.push(waiter)
  }

  const take = ({ reservation, bytes }: Growth): void => {
    reserved.reserve(reservation, bytes)
    if (isFirstFit && waiters.length > 0) countTurn(reservation.owner)
  }

  return {
    /** Makes a share grow if that needs no wait. @returns whether it does */
    tryTake: (growth: Growth): boolean => {
      const isServed = mayTake(growth) && isServedFirst(growth)
      if (isServed) take(growth)
      return isServed
    },
    /** Gives the waiters what is free. */
    serve: (): void => {
      for (let waiter = next(); waiter !== undefined; waiter = next()) {
        take(waiter)
        remove(waiter)
        waiter.resolve(true)
      }
    },
    add,
    remove,
    isWaiting: (waiter: Waiter): boolean => waiters.includes(waiter),
    find: (reservation: ByteReservation): Waiter | undefined => waiters.find((one) => one.reservation === reservation),
    part,
    /** Whether shares may be ended for a waiter. */
    mayReclaim: (waiter: Waiter): boolean => {
      const waiting = demands()
      const demand = waiting.find(({ growth }) => growth === waiter)
      return demand !== undefined && mayReclaim(demand, waiting, part())
    },
    /** Ends shares, in this order, until a waiter has room. */
    reclaimFor: (waiter: Waiter, shares: readonly EndableReservation[], reason: EndReason): void => {
      for (const { owner, end } of shares) {
        if (!waiters.includes(waiter) || mayTake(waiter, true)) return
        if (isRoomFor(owner, demandOf(waiter))) end(reason)
      }
    },
  }
}
