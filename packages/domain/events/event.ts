import { type ActorType, typedActor } from '../audit/entry.ts'
import {
  type Email,
  type EmailEvent,
  type EmailEventType,
  type EventCause,
  emailEventTypes,
  type Mode,
  type SystemReason,
} from '../email/email.ts'
import type { Position } from '../position.ts'
import type { Problem } from '../problem.ts'
import { type EventData, fitted } from './data.ts'

export type { EventData, EventValue } from './data.ts'

/** Types of events that are about no email. */
export const workspaceEventTypes = [
  'domain.verified',
  'domain.failed',
  'quota.warning',
  'quota.exhausted',
  'webhook.disabled',
] as const
export type WorkspaceEventType = (typeof workspaceEventTypes)[number]

/**
 * Types of events that only cause mail to members of the workspace: neither the feed nor webhooks have them.
 * `webhook.failing`: all attempts of a message to an endpoint failed, the first since it worked.
 */
const internalEventTypes = [
  'domain.warning',
  'webhook.failing',
  'reputation.warning',
  'reputation.critical',
  'sign_in.new_device',
] as const
export type InternalEventType = (typeof internalEventTypes)[number]

/** Types that are in the contract, and that nothing in this version causes. */
export const reservedEventTypes: readonly EventType[] = ['email.opened', 'email.clicked', 'email.unsubscribed']

/** Every type of event, as the feed and webhooks name them. */
export const eventTypes = [...emailEventTypes, ...workspaceEventTypes] as const
export type EventType = (typeof eventTypes)[number]

/** One event as the feed and webhooks show it. `at`: milliseconds since the epoch. */
export type PublicEvent = {
  /** `evt_…`; the same in the feed, in webhooks and in the record of the email. */
  id: string
  type: EventType
  at: number
  /** When it happened by the test clock, if that was moved. */
  clockAt?: number
  workspace: string
  mode: Mode
  data: EventData
  /** Its email has personal data until it is final only, so nothing is stored that may repeat it. Not shown. */
  isShortLived?: true
}

/**
 * An event without an email, as it is stored. Its id is determined by what caused it, so that it is stored once. `at`
 * is when it was stored, which may be later than what it reports.
 */
export type WorkspaceEvent = {
  id: string
  type: WorkspaceEventType
  at: number
  workspace: string
  mode: Mode
  data: EventData
}

/** The mode of events that no feed has: a feed reads the events of `live` and `test`. */
export const internalMode = 'internal'

/** An event without an email as stores have it. Internal ones have the mode `internal`. */
export type StoredEvent = Omit<WorkspaceEvent, 'type' | 'mode'> & {
  type: WorkspaceEventType | InternalEventType
  mode: Mode | typeof internalMode
}

/** `webhook.disabled`: why an endpoint gets no more events. */
export type WorkspaceEventData = {
  'domain.verified': DomainEventData
  'domain.failed': DomainEventData
  'quota.warning': QuotaEventData
  'quota.exhausted': QuotaEventData
  'webhook.disabled': { webhook_id: string; url: string; reason: string; disabled_at: string }
}

export type DomainEventData = {
  domain_id: string
  name: string
  status: string
  sequence: number
  /** When the status changed. */
  changed_at: string
  /** The required records that are missing or wrong. */
  problems: readonly { purpose: string; type: string; name: string; status: string; problem: string | null }[]
}

export type QuotaEventData = {
  period: 'daily' | 'monthly'
  starts_at: string
  resets_at: string
  limit: number
  used: number
  remaining: number
  threshold_percent: number
}

/**
 * Maximum number of characters of a reply in an event. The email's record has the whole reply. Half of a character,
 * which a cut can leave, becomes U+FFFD, because many JSON parsers refuse it.
 */
const maxReplyLength = 1_000

const shortened = (reply: string): string =>
  (reply.length > maxReplyLength ? `${reply.slice(0, maxReplyLength)}…` : reply).toWellFormed()

/** A cause, named as the API names it. */
type ShownCause = {
  type: EventCause['kind']
  actor?: { type: ActorType; id: string | null }
  attempt_id?: string | null
  code?: number
  enhanced_code?: string | null
  reason?: SystemReason
}

/** Returns why an email's event happened, as the API shows it; null: written by a release that did not record it. */
export const shownCause = ({ cause }: Pick<EmailEvent, 'cause'>): ShownCause | null => {
  if (cause === undefined) return null
  switch (cause.kind) {
    case 'request':
      return { type: 'request', actor: typedActor(cause.actor) }
    case 'attempt':
    case 'connection':
      return { type: cause.kind, attempt_id: cause.attempt }
    case 'reply':
      return { type: 'reply', attempt_id: cause.attempt, code: cause.code, enhanced_code: cause.enhanced ?? null }
    case 'system':
      return { type: 'system', reason: cause.reason, attempt_id: cause.attempt ?? null }
  }
}

type Labeled = Pick<
  Email,
  'id' | 'workspace' | 'mode' | 'category' | 'messageId' | 'tags' | 'metadata' | 'retention'
> & {
  recipients: readonly Pick<Email['recipients'][number], 'address'>[]
}

/** Returns an email's event as the feed and webhooks show it. The body of a webhook has fewer than 20,000 bytes. */
export const publicEmailEvent = (email: Labeled, event: EmailEvent): PublicEvent => ({
  id: event.id,
  type: event.type satisfies EmailEventType,
  at: event.at,
  ...(event.clockAt !== undefined && { clockAt: event.clockAt }),
  workspace: email.workspace,
  mode: email.mode,
  data: fitted({
    email_id: email.id,
    recipient: event.recipient === null ? null : (email.recipients[event.recipient]?.address ?? null),
    sequence: event.sequence,
    mode: email.mode,
    category: email.category,
    message_id: email.messageId,
    reply: event.reply === undefined ? null : shortened(event.reply),
    class: event.class ?? null,
    cause: shownCause(event),
    tags: email.tags,
    metadata: email.metadata,
  }),
  ...(email.retention === 'none' && { isShortLived: true }),
})

/** Returns an event without an email as the feed and webhooks show it. */
export const publicWorkspaceEvent = (event: WorkspaceEvent): PublicEvent => event

/** A position in the feed. Events are ordered by time, then by id. */
export type FeedPosition = Position

/** Compares positions: negative if the first is earlier. */
export const byPosition = (one: FeedPosition, other: FeedPosition): number =>
  one.at - other.at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)

/** Age from which a reader in ascending order sees an event: no event of an earlier time is stored after that. */
export const feedDelayMs = 10_000

export const isEventType = (text: string): text is EventType => (eventTypes as readonly string[]).includes(text)

/** Returns the problem of a field whose text is no event type. */
export const unknownType = (path: string): Problem => ({
  path,
  code: 'unknown_event_type',
  message: `Must be one of ${eventTypes.join(', ')}.`,
})
