/** First in, first out, each item once; any of it can be taken out before its turn. */
export type Queue<Item> = {
  /** @returns false: it is in already, and keeps its place */
  add(item: Item): boolean
  /** Takes the oldest out. */
  shift(): Item | undefined
  remove(item: Item): boolean
  size(): number
}

/** Each step takes the same time however much waits: an array would move all of it, or look through it. */
export const makeQueue = <Item>(): Queue<Item> => {
  const items = new Set<Item>()
  // One walk for all steps: a new one would pass over the holes that earlier items left. What it comes to is taken out,
  // so nothing is ever behind it.
  const walk = items.values()
  return {
    add: (item) => {
      if (items.has(item)) return false
      items.add(item)
      return true
    },
    shift: () => {
      // A walk that once came to the end goes on no more.
      if (items.size === 0) return undefined
      const { value } = walk.next()
      if (value !== undefined) items.delete(value)
      return value
    },
    remove: (item) => items.delete(item),
    size: () => items.size,
  }
}
