/** A part of the budget: taken for the most it may need, cut to what it does need, given back when disposed of. */
export type Share = Disposable & {
  /** Gives back all but `bytes`; a share never grows. */
  shrinkTo(bytes: number): void
}

/** Bounds the bytes in memory at once, so that many long messages can't use it up. */
export type ByteBudget = {
  /** Resolves when there is room for `bytes`, in the order of asking. More than the whole budget counts as all of it. */
  take(bytes: number): Promise<Share>
}

export const byteBudget = (capacityBytes: number): ByteBudget => {
  const waiting: { bytes: number; resolve: (share: Share) => void }[] = []
  let free = capacityBytes

  const giveBack = (bytes: number): void => {
    free += bytes
    for (let next = waiting[0]; next && next.bytes <= free; next = waiting[0]) {
      waiting.shift()
      next.resolve(shareOf(next.bytes))
    }
  }

  const shareOf = (bytes: number): Share => {
    free -= bytes
    let held = bytes
    const shrinkTo = (rest: number): void => {
      const excess = held - rest
      if (excess <= 0) return
      held = rest
      giveBack(excess)
    }
    return { shrinkTo, [Symbol.dispose]: () => shrinkTo(0) }
  }

  return {
    take: (asked) => {
      const bytes = Math.min(asked, capacityBytes)
      if (waiting.length === 0 && bytes <= free) return Promise.resolve(shareOf(bytes))
      const { promise, resolve } = Promise.withResolvers<Share>()
      waiting.push({ bytes, resolve })
      return promise
    },
  }
}
