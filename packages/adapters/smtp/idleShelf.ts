/** What waits to be used again; the last put is the first taken, so what is not needed grows old and leaves. */
export type IdleShelf<T> = {
  put(item: T): void
  take(): T | undefined
  /** @returns false: it wasn't here */
  remove(item: T): boolean
  /** Empties the shelf and stops its timer. */
  clear(): T[]
}

/** @param onOld told of each item that nobody took for `idleMs`; it is off the shelf by then */
export const idleShelf = <T>(idleMs: number, onOld: (item: T) => void): IdleShelf<T> => {
  /** Oldest first. */
  let items: { item: T; since: number }[] = []
  let timer: NodeJS.Timeout | null = null

  const sweepIn = (ms: number): void => {
    timer = setTimeout(sweep, ms)
    timer.unref()
  }

  const sweep = (): void => {
    timer = null
    const before = performance.now() - idleMs
    const old = items.filter(({ since }) => since <= before)
    items = items.slice(old.length)
    const [oldest] = items
    if (oldest !== undefined) sweepIn(oldest.since - before)
    for (const { item } of old) onOld(item)
  }

  return {
    put: (item) => {
      items.push({ item, since: performance.now() })
      if (timer === null) sweepIn(idleMs)
    },
    take: () => items.pop()?.item,
    remove: (item) => {
      const count = items.length
      items = items.filter((entry) => entry.item !== item)
      return items.length < count
    },
    clear: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      return items.splice(0).map(({ item }) => item)
    },
  }
}
