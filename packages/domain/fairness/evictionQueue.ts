import { type UniqueQueue, uniqueQueue } from './fairQueue.ts'
import { rankBySize } from './rankBySize.ts'

/**
 * Chooses which item of several owners is dropped: the oldest of the owner with the most items. A busy process changes it with
 * each request, and a flood of connections takes one item for each new one, so every operation takes constant time.
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
