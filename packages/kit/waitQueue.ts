import { equalPart } from '@postrider/domain/fairness/fairBytes.ts'
import { compareTurns, type Demand, inTurn, isBehind, isWithinPart } from '@postrider/domain/fairness/grantOrder.ts'
import { boundedMap } from './boundedMap.ts'
import type { EndableHolding, EndReason, HeldBytes, Holding } from './heldBytes.ts'

/** Requested bytes of a share. */
type Growth = { holding: Holding; bytes: number }

export type Waiter = Growth & { resolve(isServed: boolean): void }

/** Owners whose last turn is remembered. */
const maxTurns = 10_000

export type WaitQueueOptions = {
  held: HeldBytes
  capacityBytes: number
  /** Whether every waiter that fits is served, not only the first. */
  isFirstFit: boolean
}

type DemandOf<One extends Growth> = Demand & { growth: One }

/** When owners that wait were served, as the order of turns needs it. */
const ownerTurns = (held: HeldBytes, capacityBytes: number, waiters: readonly Waiter[]) => {
  /** The number of the last grant of each owner, while there are waiters. */
  const turns = boundedMap<number>(maxTurns)
  let grants = 0

  const demandOf = <One extends Growth>(growth: One): DemandOf<One> => {
    const { holding, bytes } = growth
    return {
      growth,
      owner: holding.owner,
      bytes,
      held: holding.bytes,
      heldByOwner: held.of(holding.owner),
      isOverOwnLimit: held.isOverOwnLimit(holding, bytes),
      turn: turns.get(holding.owner) ?? 0,
    }
  }

  return {
    demandOf,
    /** Returns the equal part of the owners that hold or want bytes. */
    part: (growths: readonly Growth[] = waiters): number => {
      const demands = held.byOwner()
      for (const { holding, bytes } of growths) demands.set(holding.owner, (demands.get(holding.owner) ?? 0) + bytes)
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
const arrivals = (held: HeldBytes, waiters: readonly Waiter[]) => {
  const hasOthers = (owner: string): boolean =>
    held.hasOthers(owner) || waiters.some(({ holding }) => holding.owner !== owner)

  const mayTake = ({ holding, bytes }: Growth, withEnding = false): boolean =>
    held.mayTake(holding, bytes, hasOthers(holding.owner), withEnding)

  const isAtLimit = ({ holding, bytes }: Growth): boolean => held.isOverOwnLimit(holding, bytes)

  /**
   * The first waiter that may have its bytes. An owner at its limit keeps its order: its small shares do not overtake
   * its large ones.
   */
  const nextInLine = (): Waiter | undefined => {
    const atLimit = new Set<string>()
    for (const waiter of waiters) {
      if (atLimit.has(waiter.holding.owner)) continue
      if (mayTake(waiter)) return waiter
      if (!held.isFree(waiter.bytes) && !isAtLimit(waiter)) return undefined
      atLimit.add(waiter.holding.owner)
    }
    return undefined
  }

  return { mayTake, isAtLimit, nextInLine }
}

/** The shares of a budget that wait to grow. */
export const waitQueue = ({ held, capacityBytes, isFirstFit }: WaitQueueOptions) => {
  const waiters: Waiter[] = []
  const { part, line, demandOf, hadTurn, clear } = ownerTurns(held, capacityBytes, waiters)
  const { mayTake, isAtLimit, nextInLine } = arrivals(held, waiters)

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
    if (isFirstFit && waiters.length === 0) for (const owner of held.byOwner().keys()) hadTurn(owner)
    waiters.push(waiter)
  }

  const take = ({ holding, bytes }: Growth): void => {
    held.hold(holding, bytes)
    if (isFirstFit && waiters.length > 0) hadTurn(holding.owner)
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
    find: (holding: Holding): Waiter | undefined => waiters.find((one) => one.holding === holding),
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
     * Ends shares, in this order, until a waiter has room. What others hold is no room for one whose owner is at its
     * limit.
     */
    endFor: (waiter: Waiter, shares: readonly EndableHolding[], reason: EndReason): void => {
      for (const { owner, end } of shares) {
        if (!waiters.includes(waiter) || mayTake(waiter, true)) return
        if (owner === waiter.holding.owner || !isAtLimit(waiter)) end(reason)
      }
    },
  }
}
