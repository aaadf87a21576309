import { makeTally } from './tally.ts'

/** A part of the budget: taken for the most it may need, cut to what it does need, given back when disposed of. */
export type Share = Disposable & {
  /** Gives back all but `bytes`; a share never grows. */
  shrinkTo(bytes: number): void
}

/** Bounds the bytes in memory at once, so that many long messages can't use it up. */
export type ByteBudget = {
  /**
   * Resolves when there is room for `bytes`, in the order of asking. More than the whole budget counts as all of it.
   * An owner that has a share already waits while its next would take what is spared for others.
   */
  take(owner: string, bytes: number): Promise<Share>
}

type Waiting = { owner: string; bytes: number; resolve: (share: Share) => void }

/** @param sparedBytes of all, that no owner gets beside what it has: slow servers must not keep others from theirs */
export const byteBudget = (capacityBytes: number, sparedBytes: number): ByteBudget => {
  const waiting: Waiting[] = []
  const heldBy = makeTally()
  let free = capacityBytes

  const mayTake = (owner: string, bytes: number): boolean => {
    const held = heldBy.of(owner)
    return held === 0 || held + bytes <= capacityBytes - sparedBytes
  }

  /** Who waits longest, but for those who have theirs: no small one overtakes a large one of its own for ever. */
  const nextInLine = (): number => {
    const passedOver = new Set<string>()
    return waiting.findIndex(({ owner, bytes }) => {
      if (passedOver.has(owner)) return false
      const may = mayTake(owner, bytes)
      if (!may) passedOver.add(owner)
      return may
    })
  }

  const serve = (): void => {
    for (;;) {
      const index = nextInLine()
      const next = waiting[index]
      if (!next || next.bytes > free) return
      waiting.splice(index, 1)
      next.resolve(shareOf(next.owner, next.bytes))
    }
  }

  const shareOf = (owner: string, bytes: number): Share => {
    let held = 0
    const hold = (change: number): void => {
      held += change
      free -= change
      heldBy.add(owner, change)
    }
    hold(bytes)
    const shrinkTo = (rest: number): void => {
      if (held <= rest) return
      hold(rest - held)
      serve()
    }
    return { shrinkTo, [Symbol.dispose]: () => shrinkTo(0) }
  }

  return {
    take: (owner, asked) => {
      const bytes = Math.min(asked, capacityBytes)
      const { promise, resolve } = Promise.withResolvers<Share>()
      waiting.push({ owner, bytes, resolve })
      serve()
      return promise
    },
  }
}
