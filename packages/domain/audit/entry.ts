import { isoTime } from '../time.ts'
import type { AuditAction } from './actions.ts'

/** Plain data. It contains no secrets, password hashes or key material. */
export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [name: string]: AuditValue }

/** Fields of an object, named as the API names them. */
export type AuditState = { readonly [name: string]: AuditValue }

/** Returns the text of a state as stores have it; null: there is none. */
export const auditStateText = (state: AuditState | null): string | null =>
  state === null ? null : JSON.stringify(state)

/** One entry of the audit log. */
export type AuditEntry = {
  /** `aud_…`, generated with the entry: an entry that is stored again under its id is stored once. */
  id: string
  /** Empty when it belongs to no workspace. */
  workspace: string
  /** Milliseconds since the epoch, by the store's clock. */
  at: number
  /** A user or key id, `operator`, or `system`. */
  actor: string
  /** Id of the user who acted as the operator. Absent: the operator's token was used, or the actor is another one. */
  operator?: string
  /** The address of the client that requested the change; empty: not known, or none did. */
  clientAddress: string
  /** `noun.verb`, such as `key.revoke`. */
  action: string
  /** Id of the object; empty: the workspace. */
  target: string
  /** The changed fields before the change; null: the object did not exist, or nothing changed. */
  before: AuditState | null
  /** The changed fields after the change; null: the object does not exist any more, or nothing changed. */
  after: AuditState | null
  /** What was removed of it since, and why. Absent: nothing was. */
  redactions?: readonly Redaction[]
}

/** Actor and time of a change. */
export type AuditBy = Pick<AuditEntry, 'actor' | 'operator' | 'at'> & { clientAddress?: string | undefined }

/** The service itself. */
export const bySystem = (at: number): AuditBy => ({ actor: 'system', at })

type Act = { action: AuditAction } & Pick<AuditEntry, 'workspace' | 'target'> &
  Partial<Pick<AuditEntry, 'before' | 'after'>>

/** Returns a new entry. @param id a new id of `aud_…` @param act `before` and `after` absent: null */
export const auditEntry = (
  id: string,
  { actor, operator, clientAddress = '', at }: AuditBy,
  { before = null, after = null, ...act }: Act,
): AuditEntry => ({ id, at, actor, ...(operator !== undefined && { operator }), clientAddress, ...act, before, after })

/** A person's address was replaced in these fields of an entry, such as `before.email`. */
export type Redaction = {
  at: number
  /** Id of the erasure that a person requested. */
  erasure: string
  fields: readonly string[]
}

/**
 * Returns the entry of a change, from the object before and after it. It may be called again with a newer version of
 * the object.
 * @returns null: nothing changes, and nothing is written
 */
export type EntryOf<Stored> = (before: Stored, after: Stored) => AuditEntry | null

/** The changed fields before and after a change. */
export type AuditedChange = Pick<AuditEntry, 'before' | 'after'>

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Returns the changed fields of what an entry shows of an object.
 * @param view returns the object's fields for the log, without secrets
 * @returns null: the objects are equal
 */
export const auditedChange = <Stored>(
  before: Stored,
  after: Stored,
  view: (stored: Stored) => AuditState,
): AuditedChange | null => {
  if (isSame(before, after)) return null
  const [old, fresh] = [view(before), view(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (name) => !isSame(old[name], fresh[name]),
  )
  const partOf = (state: AuditState): AuditState =>
    Object.fromEntries(names.flatMap((name) => (state[name] === undefined ? [] : [[name, state[name]]])))
  return { before: partOf(old), after: partOf(fresh) }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Returns the fields of a stored object for the log: named as the API names them, times as text.
 * @param shown false: a field that is secret, or that is no part of a change. A field that is not named is not shown
 */
export const auditState = <Stored extends object>(
  stored: Stored,
  shown: Readonly<Record<keyof Stored, boolean>>,
): AuditState =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]) => {
      if (shown[name as keyof Stored] !== true || value instanceof Uint8Array) return []
      const isTime = name.endsWith('At') && typeof value === 'number'
      return [[snakeCase(name), isTime ? isoTime(value) : (value as AuditValue)]]
    }),
  )

export const actorTypes = ['user', 'key', 'operator', 'system'] as const
export type ActorType = (typeof actorTypes)[number]

const idPrefixes = { user: 'usr_', key: 'key_' } as const

/** Returns the type of an actor, and its id if it has one. */
export const typedActor = (actor: string): { type: ActorType; id: string | null } => {
  if (actor.startsWith(idPrefixes.user)) return { type: 'user', id: actor }
  if (actor.startsWith(idPrefixes.key)) return { type: 'key', id: actor }
  return { type: actor === 'operator' ? 'operator' : 'system', id: null }
}

/** Returns who an entry is about: the user who acted as the operator has an id too. */
export const actorOfEntry = ({ actor, operator }: Pick<AuditEntry, 'actor' | 'operator'>) => {
  const found = typedActor(actor)
  return found.type === 'operator' ? { ...found, id: operator ?? null } : found
}

/**
 * Returns the actor of an entry of the operator.
 * @param user who acted; undefined: the holder of the operator's token
 */
export const byOperator = (user: string | undefined): Pick<AuditEntry, 'actor' | 'operator'> => ({
  actor: 'operator',
  ...(user !== undefined && { operator: user }),
})

/** Value that a filter compares with: the whole text, or its beginning. */
export type TextMatch = { is: string } | { startsWith: string }

/** Returns what an `actor` filter compares with: an id, or a type of actors. */
export const actorMatch = (filter: string): TextMatch =>
  filter === 'user' || filter === 'key' ? { startsWith: idPrefixes[filter] } : { is: filter }

/** Returns what an `action` filter compares with: an action, or all of a noun (`key.*`). */
export const actionMatch = (filter: string): TextMatch =>
  filter.endsWith('.*') ? { startsWith: filter.slice(0, -1) } : { is: filter }

/** A position in the log: entries are ordered by time, then by id. */
export type AuditPosition = Pick<AuditEntry, 'at' | 'id'>

export type AuditQuery = {
  /** Null: entries of all workspaces, and those without one. */
  workspace: string | null
  actor: TextMatch | null
  /** Id of a user: also entries of what this user did as the operator; absent: those that `actor` matches. */
  orOperator?: string
  action: TextMatch | null
  /** Entries after this time; null: all. */
  createdAfter: number | null
  /** Entries before this time; null: all. */
  createdBefore: number | null
  /** The page begins with the entry before this position; null: with the newest. */
  before: AuditPosition | null
  limit: number
}

/** The newest entries of every actor, action and time. */
export const noAuditFilter = {
  actor: null,
  action: null,
  createdAfter: null,
  createdBefore: null,
  before: null,
} as const satisfies Partial<AuditQuery>

/** Fields that only the operator reads. */
const operatorFields: readonly string[] = ['note']

/**
 * Returns an entry as the people of its workspace see it: without the name of the operator, and what only the operator
 * reads.
 */
export const forWorkspace = ({ operator: _, ...entry }: AuditEntry): AuditEntry => {
  if (entry.actor !== 'operator') return entry
  const visible = (state: AuditState | null): AuditState | null =>
    state && Object.fromEntries(Object.entries(state).filter(([name]) => !operatorFields.includes(name)))
  return { ...entry, before: visible(entry.before), after: visible(entry.after) }
}
