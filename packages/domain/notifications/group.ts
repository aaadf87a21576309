import type { EventData, StoredEvent } from '../events/event.ts'
import { hourMs } from '../time.ts'
import { kindOf, type NotificationKind } from './kinds.ts'

/**
 * The events that one email contains: those of a workspace and a kind, or of one person's account. The first event is
 * mailed immediately. Events of the next hour wait for a digest, so a burst of events causes two emails.
 *
 * An email has three steps, each one write: the waiting events are sealed, which fixes its text and its idempotency
 * keys; it is submitted to intake for each member; the group is finished. After a crash the second step is
 * repeated with the same keys.
 */
export type NotificationGroup = {
  workspace: string
  kind: NotificationKind
  /** The only person that the emails are for; null: the members of the workspace who want the kind. */
  user: string | null
  waiting: GroupedEvents
  /** The email that is being sent; `at` identifies it. */
  sealed: (GroupedEvents & { at: number }) | null
  /** No email starts before this time. */
  quietUntil: number
  /** Ids of the events that were added last, because an event is added again after a crash. */
  recent: readonly string[]
}

/** `shown`: the first ones. `count`: all. */
export type GroupedEvents = { shown: readonly NoticedEvent[]; count: number }

export type NoticedEvent = { id: string; type: string; at: number; data: EventData }

/** Shortest time between the beginnings of two emails of a group. */
export const quietMs = hourMs
/** Events that an email shows; it counts the others. */
const maxShown = 10
/** Far more than the number of events that are added at the same time. */
const maxRecent = 1_000
/** A group without events is removed after the idempotency keys of its emails. */
const idleMs = 48 * hourMs

/** Time after which an email is repeated because its process died. */
export const mailLeaseMs = 60_000

const none: GroupedEvents = { shown: [], count: 0 }

type GroupIdentity = Pick<NotificationGroup, 'workspace' | 'kind' | 'user'>

/** Returns the group of an event; null: there is no email about the event. */
export const groupIdentityOf = ({
  type,
  workspace,
  data,
}: Pick<StoredEvent, 'type' | 'workspace' | 'data'>): GroupIdentity | null => {
  const kind = kindOf(type)
  if (kind === null) return null
  const user = kind === 'sign_in' ? String(data['user_id']) : null
  return { workspace, kind, user }
}

/** Returns the key of a group. */
export const groupKey = ({ workspace, kind, user }: GroupIdentity): string => `${kind} ${user ?? workspace}`

export const newGroup = (identity: GroupIdentity): NotificationGroup => ({
  ...identity,
  waiting: none,
  sealed: null,
  quietUntil: 0,
  recent: [],
})

/** Adds events; those that the group had before change nothing. */
export const withNewEvents = (group: NotificationGroup, events: readonly StoredEvent[]): NotificationGroup => {
  const known = new Set(group.recent)
  const added = events.filter(({ id }) => !known.has(id) && known.add(id))
  if (added.length === 0) return group
  const shown = [...group.waiting.shown, ...added.map(({ id, type, at, data }) => ({ id, type, at, data }))]
  return {
    ...group,
    waiting: { shown: shown.slice(0, maxShown), count: group.waiting.count + added.length },
    recent: [...group.recent, ...added.map(({ id }) => id)].slice(-maxRecent),
  }
}

/** Seals the waiting events as an email. */
export const withSealed = (group: NotificationGroup, at: number): NotificationGroup => ({
  ...group,
  waiting: none,
  sealed: { ...group.waiting, at },
})

/** Ends the email with this `at`; null: it has already ended. */
export const withoutSealed = (group: NotificationGroup, at: number): NotificationGroup | null =>
  group.sealed?.at === at ? { ...group, sealed: null, quietUntil: at + quietMs } : null

/** Returns when a group is due: for the repetition of an email, a new email, or its removal. */
export const groupDueAt = ({ waiting, sealed, quietUntil }: NotificationGroup, now: number): number => {
  if (sealed !== null) return now + mailLeaseMs
  return waiting.count > 0 ? quietUntil : quietUntil + idleMs
}

/** Returns the next step of a group that is due. */
export const nextStep = ({ waiting, sealed }: NotificationGroup): 'repeat' | 'mail' | 'remove' => {
  if (sealed !== null) return 'repeat'
  return waiting.count > 0 ? 'mail' : 'remove'
}
