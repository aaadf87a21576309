/** A reserved part of a budget; disposing returns it. */
export type ByteShare = Disposable & {
  /** Returns all but `bytes`; a share never grows. */
  shrinkTo(bytes: number): void
}

/** Bounds the bytes held in memory at the same time, in total and per owner. */
export type ByteBudget = {
  /**
   * Resolves when `bytes` fit, in the order of the calls; more than the whole budget counts as all of it. An owner
   * that holds a share already waits while its next would exceed `mostOfOneBytes`, and later owners may pass it.
   * @returns null when `signal` was aborted first
   */
  take(owner: string, bytes: number, signal?: AbortSignal): Promise<ByteShare | null>
  /** Returns the share if `take` would not wait, else null. */
  tryTake(owner: string, bytes: number): ByteShare | null
}

export type ByteBudgetOptions = {
  capacityBytes: number
  /** Most bytes of one owner; its first share may be larger. */
  mostOfOneBytes: number
  /** Serves every waiter that fits, not only the first: for callers that give up, so that a large waiter blocks no small one. */
  isFirstFit?: boolean
}

type Wanted = { owner: string; bytes: number }
type Waiter = Wanted & { resolve(share: ByteShare | null): void }

/** What is held of a budget, by owner. */
const heldBytes = (capacityBytes: number, mostOfOneBytes: number) => {
  const heldBy = new Map<string, number>()
  let free = capacityBytes
  return {
    hold: (owner: string, change: number): void => {
      const held = (heldBy.get(owner) ?? 0) + change
      free -= change
      if (held === 0) heldBy.delete(owner)
      else heldBy.set(owner, held)
    },
    mayTake: ({ owner, bytes }: Wanted): boolean => {
      const held = heldBy.get(owner) ?? 0
      return held === 0 || held + bytes <= mostOfOneBytes
    },
    isFree: (bytes: number): boolean => bytes <= free,
  }
}

export const byteBudget = ({ capacityBytes, mostOfOneBytes, isFirstFit = false }: ByteBudgetOptions): ByteBudget => {
  const waiters: Waiter[] = []
  const { hold, mayTake, isFree } = heldBytes(capacityBytes, mostOfOneBytes)

  const shareOf = ({ owner, bytes }: Wanted): ByteShare => {
    let held = bytes
    hold(owner, held)
    const shrinkTo = (rest: number): void => {
      if (held <= rest) return
      hold(owner, rest - held)
      held = rest
      serve()
    }
    return { shrinkTo, [Symbol.dispose]: () => shrinkTo(0) }
  }

  /** The first waiter that is below its owner's limit. An owner at its limit keeps its order: its small shares do not overtake its large ones. */
  const nextInLine = (): number => {
    const atLimit = new Set<string>()
    return waiters.findIndex((waiter) => {
      if (atLimit.has(waiter.owner)) return false
      const may = mayTake(waiter)
      if (!may) atLimit.add(waiter.owner)
      return may
    })
  }

  const serve = (): void => {
    for (;;) {
      const index = isFirstFit ? waiters.findIndex((one) => isFree(one.bytes) && mayTake(one)) : nextInLine()
      const next = waiters[index]
      if (!next || !isFree(next.bytes)) return
      waiters.splice(index, 1)
      next.resolve(shareOf(next))
    }
  }

  /** Ends the wait with null when the signal is aborted. */
  const endOnAbort = (waiter: Waiter, signal: AbortSignal): void => {
    const { resolve } = waiter
    const giveUp = (): void => {
      waiters.splice(waiters.indexOf(waiter), 1)
      resolve(null)
      // A large waiter at the head of the line may have blocked smaller ones behind it.
      serve()
    }
    waiter.resolve = (share) => {
      signal.removeEventListener('abort', giveUp)
      resolve(share)
    }
    signal.addEventListener('abort', giveUp, { once: true })
  }

  return {
    tryTake: (owner, bytes) => {
      const waiter = { owner, bytes: Math.min(bytes, capacityBytes) }
      const isNext = isFirstFit || waiters.length === 0
      return isNext && isFree(waiter.bytes) && mayTake(waiter) ? shareOf(waiter) : null
    },
    take: (owner, bytes, signal) => {
      if (signal?.aborted) return Promise.resolve(null)
      const { promise, resolve } = Promise.withResolvers<ByteShare | null>()
      const waiter: Waiter = { owner, bytes: Math.min(bytes, capacityBytes), resolve }
      waiters.push(waiter)
      serve()
      // Most are served immediately and need no listener.
      if (signal && waiters.at(-1) === waiter) endOnAbort(waiter, signal)
      return promise
    },
  }
}

/** Takes a share of a budget. @returns null: it was not free within `waitMs`, or `signal` was aborted */
export const takeInTime = async (
  budget: ByteBudget,
  { owner, bytes, waitMs, signal }: { owner: string; bytes: number; waitMs: number; signal?: AbortSignal },
): Promise<ByteShare | null> => {
  const free = budget.tryTake(owner, bytes)
  if (free) return free
  const waiting = new AbortController()
  const giveUp = (): void => waiting.abort()
  const timer = setTimeout(giveUp, waitMs)
  signal?.addEventListener('abort', giveUp, { once: true })
  const share = await budget.take(owner, bytes, waiting.signal)
  clearTimeout(timer)
  signal?.removeEventListener('abort', giveUp)
  return share
}
