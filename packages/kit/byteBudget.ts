import { sharesAbovePart, slowShares } from '@postrider/domain/fairness/fairBytes.ts'
import { every } from './every.ts'
import { type ByteReservation, type Endable, reservedBytes } from './reservedBytes.ts'
import { type Waiter, waitQueue } from './waitQueue.ts'

export type { Endable, EndReason } from './reservedBytes.ts'

/** A reserved part of a budget; disposing returns it. */
export type ByteShare = Disposable & {
  /** Adds `bytes` to the share if that needs no wait. @returns whether it did */
  tryGrow(bytes: number): boolean
  /** Adds `bytes` to the share, and resolves when it has them. @returns false: `signal` was aborted first */
  grow(bytes: number, signal?: AbortSignal): Promise<boolean>
  /**
   * If it waits to grow: ends what owners reserve above their equal parts until it has room. If its owner is above its
   * own part, only the first share of the owner does so, in its turn, and only shares of owners that reserve more than
   * it will.
   */
  reclaim(): void
  /** Returns all but `bytes`. */
  shrinkTo(bytes: number): void
  /** Sets what others that wait may end; null: nothing. */
  setEndable(endable: Endable | null): void
}

export type OpenShareOptions = {
  /** What others that wait may end; absent: nothing. */
  endable?: Endable | null
}

/** Bounds the bytes reserved in memory at the same time, in total and per owner. */
export type ByteBudget = {
  /** Returns a share without bytes. */
  open(owner: string, options?: OpenShareOptions): ByteShare
  /**
   * Resolves when `bytes` fit, in the order of the calls; more than the whole budget counts as all of it. An owner
   * that reserves a share already waits while its next would exceed what an owner may have, and later owners may pass
   * it.
   * @returns null when `signal` was aborted first
   */
  take(owner: string, bytes: number, signal?: AbortSignal): Promise<ByteShare | null>
  /** Returns the share if `take` would not wait, else null. */
  tryTake(owner: string, bytes: number): ByteShare | null
}

export type ByteBudgetOptions = {
  capacityBytes: number
  /**
   * Maximum number of bytes of one owner; its first share may be larger. While several owners are active, each has at
   * most an equal part.
   */
  maxBytesPerOwner: number
  /**
   * For callers with a deadline: a large request does not block smaller ones, because every waiter that fits is served.
   * Owners are served round-robin: those within their equal parts first, and an owner above its part does not get bytes
   * for which an earlier owner waits.
   */
  isFirstFit?: boolean
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
  const reserved = reservedBytes(capacityBytes, maxBytesPerOwner)
  const queue = waitQueue({ reserved, capacityBytes, isFirstFit })

  const endSlow = (waiter: Waiter): void => queue.reclaimFor(waiter, slowShares(reserved.endable()), 'slow')

  /** Ends what owners above their equal parts reserve. */
  const endAbovePart = (waiter: Waiter): void => {
    const wanted = { bytes: waiter.bytes, reserved: reserved.of(waiter.reservation.owner) }
    const above = sharesAbovePart(reserved.endable(), { wanted, part: queue.part(), reservedOf: reserved.of })
    queue.reclaimFor(waiter, above, 'part')
  }

  const wait = (reservation: ByteReservation, bytes: number, signal?: AbortSignal): Promise<boolean> => {
    if (signal?.aborted) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiter = { reservation, bytes, resolve }
    queue.add(waiter)
    queue.serve()
    // Most are served immediately and need no listener.
    if (!queue.isWaiting(waiter)) return promise
    if (signal) {
      endOnAbort(waiter, signal, () => {
        queue.remove(waiter)
        resolve(false)
        // A large waiter at the head of the line may have blocked smaller ones behind it.
        queue.serve()
      })
    }
    endSlow(waiter)
    return promise
  }

  const open: ByteBudget['open'] = (owner, { endable = null } = {}) => {
    const reservation: ByteReservation = { owner, bytes: 0, endable, isEnding: false }
    const atMost = (bytes: number): number => Math.min(bytes, capacityBytes - reservation.bytes)
    const shrinkTo = (bytesLeft: number): void => {
      if (reservation.bytes <= bytesLeft) return
      reserved.reserve(reservation, bytesLeft - reservation.bytes)
      queue.serve()
    }
    return {
      tryGrow: (more) => queue.tryTake({ reservation, bytes: atMost(more) }),
      grow: (bytes, signal) => wait(reservation, atMost(bytes), signal),
      reclaim: () => {
        const waiter = queue.find(reservation)
        if (waiter === undefined || !queue.mayReclaim(waiter)) return
        endSlow(waiter)
        endAbovePart(waiter)
      },
      shrinkTo,
      setEndable: (next) => {
        reservation.endable = next
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

/**
 * Time for which a share waits before it ends others, so that what is nearly complete can end first: at most this, and
 * this part of its time.
 */
const [reclaimAfterMs, reclaimAfterPart] = [250, 1 / 8]

const rethrow = (reason: unknown): never => {
  throw reason
}

/** Makes a share grow. @returns false: the bytes were not free within `waitMs`, or `signal` was aborted */
export const growInTime = async (share: ByteShare, { bytes, waitMs, signal }: Wait): Promise<boolean> => {
  if (share.tryGrow(bytes)) return true
  const late = AbortSignal.timeout(Math.ceil(waitMs))
  await using _reclaiming = every(share.reclaim, {
    delayMs: () => Math.min(reclaimAfterMs, waitMs * reclaimAfterPart),
    onError: rethrow,
  })
  // Awaited here: the task that reclaims ends only when the share has grown.
  return await share.grow(bytes, signal ? AbortSignal.any([signal, late]) : late)
}

/** Takes a share of a budget. @returns null: it was not free within `waitMs`, or `signal` was aborted */
export const takeInTime = async (
  budget: ByteBudget,
  { owner, ...wait }: Wait & { owner: string },
): Promise<ByteShare | null> => {
  const share = budget.open(owner)
  return (await growInTime(share, wait)) ? share : null
}
