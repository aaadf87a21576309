/** A map with a limited number of entries. */
export type BoundedMap<Value> = {
  get(key: string): Value | undefined
  /** Stores a value. If the map is full, removes the least recently set entry. */
  set(key: string, value: Value): void
  delete(key: string): void
  deleteWhere(matches: (value: Value) => boolean): void
  clear(): void
}

/** @param max entries */
export const boundedMap = <Value>(max: number): BoundedMap<Value> => {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      // A Map is in the order of insertion, so that the first entry is the oldest.
      entries.delete(key)
      entries.set(key, value)
      const oldest = entries.size > max ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => void entries.delete(key),
    deleteWhere: (matches) => {
      for (const [key, value] of entries) if (matches(value)) entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
