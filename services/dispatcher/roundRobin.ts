import { makeQueue, type Queue } from './queue.ts'

/** What waits for several owners: they have their turns in a circle, and of each its oldest comes first. */
export type RoundRobin<Item> = {
  /** @returns false: it waits already */
  add(owner: string, item: Item): boolean
  /** The oldest of the next owner that `may` have a turn; whoever may not is passed over. */
  next(may: (owner: string) => boolean): { owner: string; item: Item } | undefined
  /** Takes out the owner's oldest, out of turn. */
  shift(owner: string): Item | undefined
  remove(owner: string, item: Item): boolean
  sizeOf(owner: string): number
  size(): number
}

export const roundRobin = <Item>(): RoundRobin<Item> => {
  const queues = new Map<string, Queue<Item>>()
  const turns = makeQueue<string>()
  let size = 0

  const left = (owner: string, queue: Queue<Item>): void => {
    size -= 1
    if (queue.size() > 0) return
    queues.delete(owner)
    turns.remove(owner)
  }

  const shift = (owner: string): Item | undefined => {
    const queue = queues.get(owner)
    const item = queue?.shift()
    if (queue && item !== undefined) left(owner, queue)
    return item
  }

  return {
    add: (owner, item) => {
      const queue = queues.get(owner) ?? makeQueue<Item>()
      if (!queue.add(item)) return false
      queues.set(owner, queue)
      turns.add(owner)
      size += 1
      return true
    },
    next: (may) => {
      for (let asked = turns.size(); asked > 0; asked--) {
        const owner = turns.shift() ?? ''
        turns.add(owner)
        if (!may(owner)) continue
        const item = shift(owner)
        if (item !== undefined) return { owner, item }
      }
      return undefined
    },
    shift,
    remove: (owner, item) => {
      const queue = queues.get(owner)
      if (!queue?.remove(item)) return false
      left(owner, queue)
      return true
    },
    sizeOf: (owner) => queues.get(owner)?.size() ?? 0,
    size: () => size,
  }
}
