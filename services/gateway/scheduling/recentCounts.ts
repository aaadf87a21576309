/** Counts events by name in this second and the last. */
export type RecentCounts = {
  isEmpty(): boolean
  of(name: string): number
  /** Whether there is more than one name. */
  hasSeveral(): boolean
  add(name: string, count?: number): void
}

/** @param elapsed monotonic time in milliseconds */
export const recentCounts = (elapsed: () => number): RecentCounts => {
  let second = 0
  let [current, last] = [new Map<string, number>(), new Map<string, number>()]
  const forgetOld = (): void => {
    const now = Math.floor(elapsed() / 1_000)
    if (now === second) return
    last = now === second + 1 ? current : new Map()
    current = new Map()
    second = now
  }
  return {
    isEmpty: () => current.size === 0 && last.size === 0,
    of: (name) => {
      forgetOld()
      return (current.get(name) ?? 0) + (last.get(name) ?? 0)
    },
    hasSeveral: () => {
      forgetOld()
      if (current.size > 1 || last.size > 1) return true
      const [now] = current.keys()
      const [before] = last.keys()
      return now !== undefined && before !== undefined && now !== before
    },
    add: (name, count = 1) => {
      forgetOld()
      current.set(name, (current.get(name) ?? 0) + count)
    },
  }
}
