import { type TtlCacheOptions, ttlCache } from './ttlCache.ts'

/** Values that are read one by one, cached for a short time, and shared by concurrent callers. */
export type CachedRead<Value> = {
  /**
   * Returns the value of a key by a read that began at most `freshMs` ago; a promise only while it is read.
   * @throws what `read` throws, which is not cached
   */
  get(key: string): Value | Promise<Value>
  /** Caches a value that was read in another way. @param at when that read began, as `elapsed` returned it */
  set(key: string, value: Value, at: number): void
  /** Makes the next call read again, even while a read runs: it may return the value before a change. */
  forget(key: string): void
  /** Removes the values that match, and does not cache the results of reads in flight. */
  forgetWhere(matches: (value: Value) => boolean): void
}

export type CachedReadOptions<Value> = TtlCacheOptions & { read(key: string): Promise<Value> }

type Entry<Value> = { value: Value } | { reading: Promise<Value> }

export const cachedRead = <Value>({ read, ...options }: CachedReadOptions<Value>): CachedRead<Value> => {
  const entries = ttlCache<Entry<Value>>(options)

  const begin = (key: string): Promise<Value> => {
    const at = options.elapsed()
    const reading = read(key)
    const entry = { reading }
    entries.set(key, entry, at)
    reading.then(
      (value) => entries.get(key) === entry && entries.set(key, { value }, at),
      () => entries.get(key) === entry && entries.delete(key),
    )
    return reading
  }
  return {
    get: (key) => {
      const entry = entries.get(key)
      if (entry === null) return begin(key)
      return 'value' in entry ? entry.value : entry.reading
    },
    set: (key, value, at) => entries.set(key, { value }, at),
    forget: entries.delete,
    forgetWhere: (matches) => entries.deleteWhere((entry) => !('value' in entry) || matches(entry.value)),
  }
}
