import { type UniqueQueue, uniqueQueue } from './fairQueue.ts'

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
  /** The owners that have a number of items. */
  const ownersWith = new Map<number, UniqueQueue<string>>()
  let max = 0

  /** Moves an owner after one item more or less. So if no owner is left with the most, some have one less. */
  const move = (owner: string, from: number, to: number): void => {
    const left = ownersWith.get(from)
    left?.remove(owner)
    const emptied = left?.size() === 0 ? left : undefined
    if (emptied) ownersWith.delete(from)
    if (to > 0) {
      // With few owners each move leaves a queue empty and needs another one.
      const joined = ownersWith.get(to) ?? emptied ?? uniqueQueue<string>()
      joined.add(owner)
      ownersWith.set(to, joined)
    }
    if (to > max || !ownersWith.has(max)) max = to
  }

  const onTaken = (owner: string, queue: UniqueQueue<Item>): void => {
    if (queue.size() === 0) queues.delete(owner)
    move(owner, queue.size() + 1, queue.size())
  }

  const add = (owner: string, item: Item): void => {
    const queue = queues.get(owner) ?? uniqueQueue<Item>()
    if (!queue.add(item)) return
    queues.set(owner, queue)
    move(owner, queue.size() - 1, queue.size())
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
      const owner = ownersWith.get(max)?.shift()
      const queue = owner === undefined ? undefined : queues.get(owner)
      const oldest = queue?.shift()
      if (owner !== undefined && queue) onTaken(owner, queue)
      return oldest
    },
  }
}
