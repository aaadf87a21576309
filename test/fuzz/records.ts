/* The records that responses have shown, so that later requests name records that exist. */

/** The ids of a path, by parameter: a delivery is named with its webhook. */
export type Ids = Readonly<Record<string, string>>

export type Records = {
  /** Remembers every record in a response. */
  learn(body: unknown): void
  /** Remembers every record in a response as one that no request may change. */
  protect(body: unknown): void
  forget(kind: string, id: string): void
  /** Returns the ids of records of a kind; `changeable`: without those that are protected. */
  of(kind: string, changeable: boolean): readonly Ids[]
  /** Returns the mode whose keys see a record; null: keys of both, or it is not known. */
  modeOf(ids: Ids): Mode | null
}

export type Mode = 'live' | 'test'

type Json = Record<string, unknown>

const isMode = (value: unknown): value is Mode => value === 'live' || value === 'test'

/** Older ones are removed, so that requests meet records in all states. */
const maxPerKind = 30

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the kind of a record and the ids that name it; null: it is not named in a path. */
const namesOf = (record: Json): { kind: string; ids: Ids } | null => {
  const { object, id, webhook_id: webhook, user, status } = record
  if (object === 'member' && isJson(user)) return { kind: 'member', ids: { user_id: text(user['id']) } }
  if (typeof object !== 'string' || typeof id !== 'string') return null
  if (object === 'webhook_delivery') return { kind: object, ids: { id: text(webhook), delivery_id: id } }
  if (object === 'webhook_replay') return { kind: object, ids: { id: text(webhook), replay_id: id } }
  return { kind: object === 'email' && status === 'scheduled' ? 'scheduled' : object, ids: { id } }
}

/** Calls `use` with each record in a value. */
const walk = (value: unknown, use: (record: Json) => void): void => {
  if (Array.isArray(value)) for (const item of value) walk(item, use)
  if (!isJson(value)) return
  use(value)
  for (const item of Object.values(value)) walk(item, use)
}

export const makeRecords = (kept: readonly string[]): Records => {
  const isProtected = new Set(kept)
  const byKind = new Map<string, Map<string, Ids>>()
  const modes = new Map<string, Mode>()
  const keyOf = (ids: Ids): string => Object.values(ids).join(' ')
  const learn = (body: unknown): void =>
    walk(body, (record) => {
      const named = namesOf(record)
      if (!named) return
      const { mode } = record
      if (isMode(mode)) modes.set(text(record['id']), mode)
      const known = byKind.get(named.kind) ?? new Map<string, Ids>()
      byKind.set(named.kind, known)
      known.set(keyOf(named.ids), named.ids)
      const [oldest] = known.keys()
      if (known.size > maxPerKind && oldest !== undefined) known.delete(oldest)
    })
  return {
    learn,
    protect: (body) => {
      walk(body, (record) => {
        if (typeof record['id'] === 'string') isProtected.add(record['id'])
      })
      learn(body)
    },
    forget: (kind, id) => {
      byKind.get(kind)?.delete(id)
    },
    of: (kind, changeable) => {
      const all = [...(byKind.get(kind)?.values() ?? [])]
      return changeable ? all.filter((ids) => !Object.values(ids).some((id) => isProtected.has(id))) : all
    },
    modeOf: (ids) => Object.values(ids).flatMap((id) => modes.get(id) ?? [])[0] ?? null,
  }
}
