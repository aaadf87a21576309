import { sharesAbovePart, slowShares } from '@postrider/domain/fairness/fairBytes.ts'
import {
  type Endable,
  type EndableHolding,
  type EndReason,
  type HeldBytes,
  type Holding,
  heldBytes,
} from './heldBytes.ts'

export type { Endable, EndReason } from './heldBytes.ts'

/** A reserved part of a budget; disposing returns it. */
export type ByteShare = Disposable & {
  /** Holds so many bytes more if that needs no wait. @returns whether it does */
  tryGrow(bytes: number): boolean
  /** Resolves when it holds so many bytes more. @returns false: `signal` was aborted first */
  grow(bytes: number, signal?: AbortSignal): Promise<boolean>
  /** If it waits to grow: ends what owners hold above their equal parts until it has room, unless its owner is above its own part. */
  insist(): void
  /** Returns all but `bytes`. */
  shrinkTo(bytes: number): void
  /** Sets what others that wait may end; null: nothing. */
  endBy(endable: Endable | null): void
}

export type OpenShareOptions = {
  /** What others that wait may end; absent: nothing. */
  endable?: Endable | null
  /** Bytes that the share will hold. Other shares of its owner that would not fit in addition wait, those of other owners do not. */
  expectedBytes?: number
}

/** Bounds the bytes held in memory at the same time, in total and per owner. */
export type ByteBudget = {
  /** Returns a share without bytes. */
  open(owner: string, options?: OpenShareOptions): ByteShare
  /**
   * Resolves when `bytes` fit, in the order of the calls; more than the whole budget counts as all of it. An owner
   * that holds a share already waits while its next would exceed what an owner may have, and later owners may pass it.
   * @returns null when `signal` was aborted first
   */
  take(owner: string, bytes: number, signal?: AbortSignal): Promise<ByteShare | null>
  /** Returns the share if `take` would not wait, else null. */
  tryTake(owner: string, bytes: number): ByteShare | null
}

export type ByteBudgetOptions = {
  capacityBytes: number
  /** Most bytes of one owner; its first share may be larger. While several owners are active, each has at most an equal part. */
  maxBytesPerOwner: number
  /**
   * Serves every waiter that fits, not only the first: for callers that give up, so that a large waiter blocks no small one. Those of
   * the owner that holds the least are first, and no owner that holds more takes the room that they wait for.
   */
  isFirstFit?: boolean
}

type Waiter = { holding: Holding; bytes: number; resolve(isServed: boolean): void }

/** The shares that wait to grow. */
const waitingLine = (held: HeldBytes, isFirstFit: boolean) => {
  const waiters: Waiter[] = []

  const hasOthers = (owner: string): boolean =>
    held.hasOthers(owner) || waiters.some(({ holding }) => holding.owner !== owner)

  const mayTake = ({ holding, bytes }: Omit<Waiter, 'resolve'>, withEnding = false): boolean =>
    held.mayTake(holding, bytes, hasOthers(holding.owner), withEnding)

  /** Whether an owner waits for room that holds less than this one, and would after it. */
  const isPassed = (owner: string): boolean =>
    waiters.some(({ holding, bytes }) => !held.isFree(bytes) && held.of(holding.owner) + bytes <= held.of(owner))

  const isAtLimit = ({ holding, bytes }: Waiter): boolean => held.isOverOwnLimit(holding, bytes)

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

  const firstThatFits = (): Waiter | undefined =>
    waiters
      .toSorted((one, other) => held.of(one.holding.owner) - held.of(other.holding.owner))
      .find((waiter) => mayTake(waiter) && !isPassed(waiter.holding.owner))

  const remove = (waiter: Waiter): void => {
    waiters.splice(waiters.indexOf(waiter), 1)
  }

  return {
    /** Whether a share may grow without waiting. */
    mayPass: (holding: Holding, bytes: number): boolean =>
      (isFirstFit ? !isPassed(holding.owner) : waiters.length === 0) && mayTake({ holding, bytes }),
    /** Gives the waiters what is free. */
    serve: (): void => {
      while (waiters.length > 0) {
        const next = isFirstFit ? firstThatFits() : nextInLine()
        if (next === undefined) return
        remove(next)
        held.hold(next.holding, next.bytes)
        next.resolve(true)
      }
    },
    add: (waiter: Waiter): void => void waiters.push(waiter),
    remove,
    isWaiting: (waiter: Waiter): boolean => waiters.includes(waiter),
    find: (holding: Holding): Waiter | undefined => waiters.find((one) => one.holding === holding),
    owners: (): string[] => waiters.map(({ holding }) => holding.owner),
    /** Ends shares, in this order, until a waiter has room. What others hold is no room for one whose owner is at its limit. */
    endFor: (waiter: Waiter, shares: readonly EndableHolding[], reason: EndReason): void => {
      for (const { owner, end } of shares) {
        if (!waiters.includes(waiter) || mayTake(waiter, true)) return
        if (owner === waiter.holding.owner || !isAtLimit(waiter)) end(reason)
      }
    },
  }
}

/** Calls `giveUp` when the signal is aborted, unless the waiter is served before. */
const endOnAbort = (waiter: Waiter, signal: AbortSignal, giveUp: () => void): void => {
  const { resolve } = waiter
  waiter.resolve = (isServed) => {
    signal.removeEventListener('abort', giveUp)
    resolve(isServed)
  }
  signal.addEventListener('abort', giveUp, { once: true })
}

export const byteBudget = ({ capacityBytes, maxBytesPerOwner, isFirstFit = false }: ByteBudgetOptions): ByteBudget => {
  const held = heldBytes(capacityBytes, maxBytesPerOwner)
  const line = waitingLine(held, isFirstFit)

  const endSlow = (waiter: Waiter): void => line.endFor(waiter, slowShares(held.endable()), 'slow')

  /** Ends what owners above their equal parts hold. */
  const endAbovePart = (waiter: Waiter): void => {
    const owners = new Set([...held.owners(), ...line.owners()])
    const wanted = { bytes: waiter.bytes, held: held.of(waiter.holding.owner) }
    const above = { wanted, equalPart: capacityBytes / owners.size, heldOf: held.of }
    line.endFor(waiter, sharesAbovePart(held.endable(), above), 'part')
  }

  const wait = (holding: Holding, bytes: number, signal?: AbortSignal): Promise<boolean> => {
    if (signal?.aborted) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiter = { holding, bytes, resolve }
    line.add(waiter)
    line.serve()
    // Most are served immediately and need no listener.
    if (!line.isWaiting(waiter)) return promise
    if (signal) {
      endOnAbort(waiter, signal, () => {
        line.remove(waiter)
        resolve(false)
        // A large waiter at the head of the line may have blocked smaller ones behind it.
        line.serve()
      })
    }
    endSlow(waiter)
    return promise
  }

  const open: ByteBudget['open'] = (owner, { endable = null, expectedBytes = 0 } = {}) => {
    const holding: Holding = { owner, bytes: 0, expectedBytes, endable, isEnding: false }
    const atMost = (bytes: number): number => Math.min(bytes, capacityBytes - holding.bytes)
    const shrinkTo = (rest: number): void => {
      if (holding.bytes <= rest) return
      held.hold(holding, rest - holding.bytes)
      line.serve()
    }
    return {
      tryGrow: (more) => {
        const bytes = atMost(more)
        const mayGrow = line.mayPass(holding, bytes)
        if (mayGrow) held.hold(holding, bytes)
        return mayGrow
      },
      grow: (bytes, signal) => wait(holding, atMost(bytes), signal),
      insist: () => {
        const waiter = line.find(holding)
        if (waiter) endSlow(waiter)
        if (waiter) endAbovePart(waiter)
      },
      shrinkTo,
      endBy: (next) => {
        holding.endable = next
      },
      [Symbol.dispose]: () => shrinkTo(0),
    }
  }

  return {
    open,
    tryTake: (owner, bytes) => {
      const share = open(owner)
      return share.tryGrow(bytes) ? share : null
    },
    take: async (owner, bytes, signal) => {
      const share = open(owner)
      return (await share.grow(bytes, signal)) ? share : null
    },
  }
}

type Wait = { bytes: number; waitMs: number; signal?: AbortSignal }

/** How long a share that waits does not insist, so that what is nearly complete can end first: at most this, and this part of its time. */
const [patienceMs, patiencePart] = [250, 1 / 8]

/** Makes a share grow. @returns false: the bytes were not free within `waitMs`, or `signal` was aborted */
export const growInTime = async (share: ByteShare, { bytes, waitMs, signal }: Wait): Promise<boolean> => {
  if (share.tryGrow(bytes)) return true
  const waiting = new AbortController()
  const giveUp = (): void => waiting.abort()
  const timers = [setTimeout(giveUp, waitMs), setInterval(share.insist, Math.min(patienceMs, waitMs * patiencePart))]
  signal?.addEventListener('abort', giveUp, { once: true })
  const hasGrown = await share.grow(bytes, waiting.signal)
  for (const timer of timers) clearTimeout(timer)
  signal?.removeEventListener('abort', giveUp)
  return hasGrown
}

/** Takes a share of a budget. @returns null: it was not free within `waitMs`, or `signal` was aborted */
export const takeInTime = async (
  budget: ByteBudget,
  { owner, ...wait }: Wait & { owner: string },
): Promise<ByteShare | null> => {
  const share = budget.open(owner)
  return (await growInTime(share, wait)) ? share : null
}
