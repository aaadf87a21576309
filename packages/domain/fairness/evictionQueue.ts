import { type UniqueQueue, uniqueQueue } from './fairQueue.ts'

/** Finds the owner with the largest size at any time, in constant time. Sizes change by one at a time. */
type SizeRanks = {
  /** @param size the new size, one more than before */
  grown(owner: string, size: number): void
  /** @param size the new size, one less than before */
  shrunk(owner: string, size: number): void
  /** Removes and returns an owner of the largest size, the first that reached it. `shrunk` ranks it again. */
  takeLargest(): string | undefined
}

export const rankBySize = (): SizeRanks => {
  const bySize = new Map<number, UniqueQueue<string>>()
  let largest = 0

  const move = (owner: string, from: number, to: number): void => {
    const left = bySize.get(from)
    left?.remove(owner)
    const emptied = left?.size() === 0 ? left : undefined
    if (emptied) bySize.delete(from)
    if (to > 0) {
      // With few owners each move leaves a queue empty and needs another one.
      const joined = bySize.get(to) ?? emptied ?? uniqueQueue<string>()
      joined.add(owner)
      bySize.set(to, joined)
    }
    // If no owner is left with the largest size, some have one less.
    if (to > largest || !bySize.has(largest)) largest = to
  }
  return {
    grown: (owner, size) => move(owner, size - 1, size),
    shrunk: (owner, size) => move(owner, size + 1, size),
    takeLargest: () => bySize.get(largest)?.shift(),
  }
}

/**
 * Chooses which item of several owners is dropped: the oldest of the owner with the most items. A busy process changes
 * it with each request, and a flood of connections takes one item for each new one, so every operation takes constant
 * time.
 */
export type EvictionQueue<Item> = {
  /** Adds an item as the newest of its owner; one that is there already keeps its position. */
  add(owner: string, item: Item): void
  /** Adds an item, or makes one that is there already the newest of its owner. */
  renew(owner: string, item: Item): void
  remove(owner: string, item: Item): void
  /** Removes and returns the oldest item of the owner that has the most; undefined: there is none. */
  take(): Item | undefined
}

export const evictionQueue = <Item>(): EvictionQueue<Item> => {
  const queues = new Map<string, UniqueQueue<Item>>()
  const ranks = rankBySize()

  const onTaken = (owner: string, queue: UniqueQueue<Item>): void => {
    if (queue.size() === 0) queues.delete(owner)
    ranks.shrunk(owner, queue.size())
  }

  const add = (owner: string, item: Item): void => {
    const queue = queues.get(owner) ?? uniqueQueue<Item>()
    if (!queue.add(item)) return
    queues.set(owner, queue)
    ranks.grown(owner, queue.size())
  }

  return {
    add,
    renew: (owner, item) => {
      const queue = queues.get(owner)
      if (queue?.remove(item)) queue.add(item)
      else add(owner, item)
    },
    remove: (owner, item) => {
      const queue = queues.get(owner)
      if (queue?.remove(item)) onTaken(owner, queue)
    },
    take: () => {
      const owner = ranks.takeLargest()
      const queue = owner === undefined ? undefined : queues.get(owner)
      const oldest = queue?.shift()
      if (owner !== undefined && queue) onTaken(owner, queue)
      return oldest
    },
  }
}
