/** The breaks of somebody who can't go on just now: each longer than the one before, until something succeeds. */
export type Rest = Disposable & {
  resting(): boolean
  begin(): void
  /** Ends the break before its time, without a call of `over`. */
  end(): void
  succeeded(): void
}

const [firstMs, longestMs] = [500, 5_000]

/**
 * @param random uniform in [0, 1): workers that were stopped by one fault don't come back together
 * @param over called when a break has lasted its time
 */
export const makeRest = (random: () => number, over: () => void): Rest => {
  let breaks = 0
  let timer: NodeJS.Timeout | null = null
  const end = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  return {
    resting: () => timer !== null,
    begin: () => {
      if (timer) return
      const ms = Math.min(firstMs * 2 ** breaks, longestMs) * (0.5 + 0.5 * random())
      breaks += 1
      timer = setTimeout(() => {
        timer = null
        over()
      }, ms)
    },
    end,
    succeeded: () => {
      breaks = 0
    },
    [Symbol.dispose]: end,
  }
}
