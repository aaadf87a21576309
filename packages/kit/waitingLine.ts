import { equalPart } from '@postrider/domain/fairness/fairBytes.ts'
import { boundedMap } from './boundedMap.ts'
import type { EndableHolding, EndReason, HeldBytes, Holding } from './heldBytes.ts'

/** Bytes that a share wants. */
type Claim = { holding: Holding; bytes: number }

export type Waiter = Claim & { resolve(isServed: boolean): void }

/** Owners whose last turn is remembered. */
const maxTurns = 10_000

export type WaitingLineOptions = {
  held: HeldBytes
  capacityBytes: number
  /** Whether every waiter that fits is served, not only the first. */
  isFirstFit: boolean
}

/** The order in which owners that wait are served. */
const ownerTurns = (held: HeldBytes, capacityBytes: number, waiters: readonly Waiter[]) => {
  /** The number of the last grant of each owner, while there are waiters. */
  const turns = boundedMap<number>(maxTurns)
  let grants = 0

  /** Returns what the owner holds if its share grows. */
  const heldAfter = ({ holding, bytes }: Claim): number => held.of(holding.owner) + bytes

  /** Returns the equal part of the owners that hold or want bytes. */
  const part = (claims: readonly Claim[] = waiters): number => {
    const demands = held.byOwner()
    for (const { holding, bytes } of claims) demands.set(holding.owner, (demands.get(holding.owner) ?? 0) + bytes)
    return equalPart([...demands.values()], capacityBytes)
  }

  /** Owners within their equal parts are first, then those that hold nothing, then the others. */
  const rankOf = (claim: Claim, equal: number): number => {
    if (heldAfter(claim) <= equal) return 0
    return held.of(claim.holding.owner) === 0 ? 1 : 2
  }
  const turnOf = ({ holding }: Claim): number => turns.get(holding.owner) ?? 0

  /** Compares the turns of claims. Of owners of the same rank, the one that was served least recently is first, then the one that holds less. */
  const compare = (one: Claim, other: Claim, equal: number): number =>
    rankOf(one, equal) - rankOf(other, equal) || turnOf(one) - turnOf(other) || heldAfter(one) - heldAfter(other)

  /** Returns the first waiter of each owner, in the order of their turns. */
  const inTurn = (equal: number): Waiter[] => {
    const first = new Map<string, Waiter>()
    for (const waiter of waiters) if (!first.has(waiter.holding.owner)) first.set(waiter.holding.owner, waiter)
    return [...first.values()].toSorted((one, other) => compare(one, other, equal))
  }

  const hadTurn = (owner: string): void => {
    grants += 1
    turns.set(owner, grants)
  }

  /**
   * Whether a claim leaves what is free to those whose turn is earlier. One within its equal part passes. One above it waits, so that a body
   * that needs much is not passed until it gives up. A share that holds bytes has to end, so it only waits for an owner that holds less.
   */
  const isBehind = (claim: Claim, earlier: readonly Waiter[], equal: number): boolean => {
    const { holding } = claim
    if (rankOf(claim, equal) === 0) return false
    return earlier.some((waiter) => {
      if (
        waiter.holding.owner === holding.owner ||
        held.isOverOwnLimit(waiter.holding, waiter.bytes) ||
        rankOf(waiter, equal) === 2
      )
        return false
      return holding.bytes === 0 || heldAfter(waiter) <= held.of(holding.owner)
    })
  }

  /** Whether shares may be ended for a waiter: what is freed for one above its equal part goes to the first of them. */
  const mayInsist = (waiter: Waiter): boolean => {
    const equal = part()
    return (
      rankOf(waiter, equal) === 0 || held.isOverOwnLimit(waiter.holding, waiter.bytes) || inTurn(equal)[0] === waiter
    )
  }

  return { part, compare, inTurn, isBehind, mayInsist, hadTurn, clear: turns.clear }
}

/** Which claims may be served, and the first of them in the order of arrival. */
const arrivals = (held: HeldBytes, waiters: readonly Waiter[]) => {
  const hasOthers = (owner: string): boolean =>
    held.hasOthers(owner) || waiters.some(({ holding }) => holding.owner !== owner)

  const mayTake = ({ holding, bytes }: Claim, withEnding = false): boolean =>
    held.mayTake(holding, bytes, hasOthers(holding.owner), withEnding)

  const isAtLimit = ({ holding, bytes }: Claim): boolean => held.isOverOwnLimit(holding, bytes)

  /** The first waiter that may have its bytes. An owner at its limit keeps its order: its small shares do not overtake its large ones. */
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
export const waitingLine = ({ held, capacityBytes, isFirstFit }: WaitingLineOptions) => {
  const waiters: Waiter[] = []
  const { part, compare, inTurn, isBehind, mayInsist, hadTurn, clear } = ownerTurns(held, capacityBytes, waiters)
  const { mayTake, isAtLimit, nextInLine } = arrivals(held, waiters)

  const mayPass = (claim: Claim): boolean => {
    if (waiters.length === 0) return true
    if (!isFirstFit) return false
    const equal = part([...waiters, claim])
    const earlier = inTurn(equal).filter((waiter) => compare(waiter, claim, equal) <= 0)
    return !isBehind(claim, earlier, equal)
  }

  const firstThatFits = (): Waiter | undefined => {
    const equal = part()
    const line = inTurn(equal)
    return line.find((waiter, index) => mayTake(waiter) && !isBehind(waiter, line.slice(0, index), equal))
  }

  const remove = (waiter: Waiter): void => {
    waiters.splice(waiters.indexOf(waiter), 1)
    if (waiters.length === 0) clear()
  }

  const add = (waiter: Waiter): void => {
    if (isFirstFit && waiters.length === 0) for (const owner of held.byOwner().keys()) hadTurn(owner)
    waiters.push(waiter)
  }

  const take = ({ holding, bytes }: Claim): void => {
    held.hold(holding, bytes)
    if (isFirstFit && waiters.length > 0) hadTurn(holding.owner)
  }

  return {
    /** Makes a share grow if that needs no wait. @returns whether it does */
    tryTake: (claim: Claim): boolean => {
      const isServed = mayTake(claim) && mayPass(claim)
      if (isServed) take(claim)
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
    mayInsist,
    /** Ends shares, in this order, until a waiter has room. What others hold is no room for one whose owner is at its limit. */
    endFor: (waiter: Waiter, shares: readonly EndableHolding[], reason: EndReason): void => {
      for (const { owner, end } of shares) {
        if (!waiters.includes(waiter) || mayTake(waiter, true)) return
        if (owner === waiter.holding.owner || !isAtLimit(waiter)) end(reason)
      }
    },
  }
}
