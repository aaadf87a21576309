import type { Clock } from './clock.ts'

/** Values that were read a short time ago, by key. */
export type Recent<Value> = {
  /** Returns the value of a key; null: there is none, or it is too old. */
  get(key: string): Value | null
  /** @param at when the value was read */
  set(key: string, value: Value, at: number): void
  delete(key: string): void
}

export type RecentOptions = {
  freshMs: number
  /** Most values; the one that was set least recently makes room. */
  most: number
  now: Clock
}

/** A clock that is set back makes a value too old, not fresh for longer. */
export const recent = <Value>({ freshMs, most, now }: RecentOptions): Recent<Value> => {
  const entries = new Map<string, { at: number; value: Value }>()
  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry && Math.abs(now() - entry.at) <= freshMs ? entry.value : null
    },
    set: (key, value, at) => {
      // A Map is in the order of insertion, so that the first entry is the oldest.
      entries.delete(key)
      entries.set(key, { at, value })
      const oldest = entries.size > most ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => void entries.delete(key),
  }
}
