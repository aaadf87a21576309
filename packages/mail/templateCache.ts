/**
 * Keeps what was made of a template by `id@version`, the least recently used dropped first. Versions never change, so
 * nothing in here is ever stale.
 * @param maxWeight what all of it may weigh together, in any unit
 */
export const templateCache = <Value>(maxWeight: number) => {
  const kept = new Map<string, { value: Value; weight: number }>()
  let total = 0
  const drop = (key: string): void => {
    total -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }
  return {
    /** The value kept, or the one made now. What weighs more than everything may isn't kept. */
    get: (key: string, make: () => { value: Value; weight: number }): Value => {
      const entry = kept.get(key) ?? make()
      drop(key)
      // A Map keeps the order of insertion: put in again, the entry is the last to go.
      kept.set(key, entry)
      total += entry.weight
      for (const oldest of kept.keys()) {
        if (total <= maxWeight) break
        drop(oldest)
      }
      return entry.value
    },
  }
}
