import { type UniqueQueue, uniqueQueue } from './fairQueue.ts'

/** Finds the owner with the largest size at any time, in constant time. Sizes change by one at a time. */
export type SizeRanks = {
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
