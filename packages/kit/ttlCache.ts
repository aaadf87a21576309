import { boundedMap } from './boundedMap.ts'
import type { Monotonic } from './clock.ts'

/** Values that were read a short time ago, by key. */
export type TtlCache<Value> = {
  /** Returns the value of a key; null: there is none, or it is too old. */
  get(key: string): Value | null
  /** @param at when the value was read, as `elapsed` returned it */
  set(key: string, value: Value, at: number): void
  delete(key: string): void
  deleteWhere(matches: (value: Value) => boolean): void
}

export type TtlCacheOptions = {
  freshMs: number
  /** Maximum number of values; the value that was set least recently is removed. */
  max: number
  elapsed: Monotonic
}

/** Returns an empty cache of values that are fresh for `freshMs`; 0 caches nothing. */
export const ttlCache = <Value>({ freshMs, max, elapsed }: TtlCacheOptions): TtlCache<Value> => {
  const entries = boundedMap<{ at: number; value: Value }>(max)
  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry && freshMs > 0 && elapsed() - entry.at <= freshMs ? entry.value : null
    },
    set: (key, value, at) => entries.set(key, { at, value }),
    delete: entries.delete,
    deleteWhere: (matches) => entries.deleteWhere(({ value }) => matches(value)),
  }
}
