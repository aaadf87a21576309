/*
 * Fairness among owners, usually workspaces or addresses of clients. Which rule is for which work:
 *
 *   order        fairQueue     owners take turns in a circle
 *                workTurns     the same for requests and background work, which alternate (CPU of a process)
 *                taskTurns     groups of owners; the group with the least recentWork is next (few long tasks)
 *                knownTurns    taskTurns in two classes, known origins and others (hashes of passwords)
 *   what waits   admission     how much mail of a workspace may wait, in the whole queue
 *                boundedHints  hints of a dispatcher; when they are too many, the largest owner loses its oldest
 *                evictionQueue which connection or request is ended for a new one: the oldest of the largest owner
 *   parts        fairShare     how many of some equal slots an owner may use, and how many a claim may have
 *                fairClaim     which due mail a claim of a store gets: equal parts of it for each workspace
 *   memory       fairBytes     how many bytes an owner may reserve, and whose are ended for others
 *                grantOrder    who gets bytes next while several wait
 *                minRate       how slowly a client may use its bytes while others wait
 */

/** Items of several owners. Owners take turns in a circle; the items of one owner are first in, first out. */
export type FairQueue<Item> = {
  /** @returns false when the item is already queued; it keeps its position */
  add(owner: string, item: Item): boolean
  /** Removes and returns the oldest item of the next owner that `may` take a turn. Other owners are skipped. */
  next(may: (owner: string) => boolean): { owner: string; item: Item } | undefined
  /** Removes and returns the owner's oldest item without using its turn. */
  shift(owner: string): Item | undefined
  remove(owner: string, item: Item): boolean
  sizeOf(owner: string): number
  size(): number
  /** Returns how many owners have items. */
  owners(): number
}

export const fairQueue = <Item>(): FairQueue<Item> => {
  const queues = new Map<string, UniqueQueue<Item>>()
  const turns = uniqueQueue<string>()
  let size = 0

  const onRemoved = (owner: string, queue: UniqueQueue<Item>): void => {
    size -= 1
    if (queue.size() > 0) return
    queues.delete(owner)
    turns.remove(owner)
  }

  const shift = (owner: string): Item | undefined => {
    const queue = queues.get(owner)
    const item = queue?.shift()
    if (queue && item !== undefined) onRemoved(owner, queue)
    return item
  }

  return {
    add: (owner, item) => {
      const queue = queues.get(owner) ?? uniqueQueue<Item>()
      if (!queue.add(item)) return false
      queues.set(owner, queue)
      turns.add(owner)
      size += 1
      return true
    },
    next: (may) => {
      for (let left = turns.size(); left > 0; left--) {
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
      onRemoved(owner, queue)
      return true
    },
    sizeOf: (owner) => queues.get(owner)?.size() ?? 0,
    size: () => size,
    owners: turns.size,
  }
}

/** First in, first out, without duplicates; any item can be removed early. */
export type UniqueQueue<Item> = {
  /** @returns false when the item is already queued; it keeps its position */
  add(item: Item): boolean
  /** Removes and returns the oldest item. */
  shift(): Item | undefined
  remove(item: Item): boolean
  size(): number
}

/** An item with its neighbors. */
type Link<Item> = { item: Item; before: Link<Item> | null; after: Link<Item> | null }

/**
 * Returns a queue that contains each item once. Each operation takes constant time. Removing from an array would move
 * or search all of it. An iterator of a Set that is used for all calls would hold every table that the Set has replaced
 * since the last call, with the items that were in it.
 */
export const uniqueQueue = <Item>(): UniqueQueue<Item> => {
  const links = new Map<Item, Link<Item>>()
  let [first, last]: [Link<Item> | null, Link<Item> | null] = [null, null]

  const unlink = ({ item, before, after }: Link<Item>): void => {
    links.delete(item)
    if (before === null) first = after
    else before.after = after
    if (after === null) last = before
    else after.before = before
  }
  return {
    add: (item) => {
      if (links.has(item)) return false
      const link: Link<Item> = { item, before: last, after: null }
      links.set(item, link)
      if (last === null) first = link
      else last.after = link
      last = link
      return true
    },
    shift: () => {
      if (first === null) return undefined
      const { item } = first
      unlink(first)
      return item
    },
    remove: (item) => {
      const link = links.get(item)
      if (link !== undefined) unlink(link)
      return link !== undefined
    },
    size: () => links.size,
  }
}
