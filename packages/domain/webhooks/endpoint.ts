import type { Mode } from '../email/email.ts'
import type { EventType, PublicEvent } from '../events/event.ts'

/*
 * Rules of webhooks. This file has endpoints: their fields, and which events they receive.
 *
 *   endpoint     endpointProblems (fields), url with embeddedAddress (where requests may go), secrets (rotation), life
 *                (when it is disabled, how many requests run, when the feed is read)
 *   delivery     delivery (one event to one endpoint), schedule (attempts and retries), signature, testClock
 *   replay       replay: the events of a time window, sent again
 */

/**
 * Reason why an endpoint receives nothing: a person disabled it, it returned 410, or its attempts failed for too long.
 */
export const disabledReasons = ['request', 'gone', 'failures'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** A signing secret, `whsec_…`, encrypted. */
export type WebhookSecret = {
  /** Part of the context that the sealed text is bound to. */
  id: string
  /** The text of the secret box, and the id of the master key that it needs. */
  sealed: { secretId: string; box: string }
  createdAt: number
  /** Time until which it signs; null: it is the current one. */
  expiresAt: number | null
}

/** Endpoint where a workspace receives its events. Times are milliseconds since the epoch. */
export type WebhookEndpoint = {
  /** `wh_…` */
  id: string
  workspace: string
  /** It receives events of this mode only; null: of both. */
  mode: Mode | null
  url: string
  /** The types that it receives; empty: all. */
  events: EventType[]
  description: string
  enabled: boolean
  /** Null: it is enabled. */
  disabledReason: DisabledReason | null
  /** The current one first. */
  secrets: WebhookSecret[]
  /** It receives the events from this time on: its creation, or the last time it was enabled. */
  since: number
  /** The first failure after the last success; null: none. */
  failingSince: number | null
  /** When the first message after the last success had used all its attempts; null: none has. */
  exhaustedAt: number | null
  /** What is still to be reported about it. */
  notices: WebhookNotice[]
  createdAt: number
  updatedAt: number
}

/** `exhausted`: a message has used all its attempts. `disabled`: the service disabled the endpoint. */
export type WebhookNotice = { kind: 'exhausted' | 'disabled'; at: number; reason: DisabledReason | null }

/**
 * An endpoint with its guards: `rev` of changes, and the position up to which its events are known to have deliveries.
 */
export type StoredEndpoint = { endpoint: WebhookEndpoint; rev: number }

/**
 * Returns the type and mode of a test event: those of the events that the endpoint receives, unless a type is
 * requested.
 * @param type as requested, perhaps unknown; null: none is
 */
export const testEventOf = (
  { events, mode }: Pick<WebhookEndpoint, 'events' | 'mode'>,
  type: string | null,
): { type: string; mode: Mode } => ({ type: type ?? events[0] ?? 'email.delivered', mode: mode ?? 'test' })

/** Returns whether an event is sent to an endpoint. */
export const isWanted = (
  { mode, events, since }: Pick<WebhookEndpoint, 'mode' | 'events' | 'since'>,
  event: Pick<PublicEvent, 'type' | 'mode' | 'at'>,
): boolean =>
  (mode === null || event.mode === mode) && (events.length === 0 || events.includes(event.type)) && event.at >= since

/** Returns the query of the feed for the events that are sent to an endpoint, oldest first. */
export const wantedQuery = ({ workspace, mode, events }: Pick<WebhookEndpoint, 'workspace' | 'mode' | 'events'>) => ({
  workspace,
  mode,
  ...(events.length > 0 && { types: new Set(events) }),
  order: 'asc' as const,
})

/** An event that an endpoint receives. */
export type WantedEvent = { endpoint: WebhookEndpoint; event: PublicEvent }

/** Returns what each endpoint receives of some events. */
export const wantedBy = (endpoints: readonly WebhookEndpoint[], events: readonly PublicEvent[]): WantedEvent[] =>
  events.flatMap((event) => endpoints.flatMap((endpoint) => (isWanted(endpoint, event) ? [{ endpoint, event }] : [])))

/** Purpose of the encryption of signing secrets. */
export const webhookSecretPurpose = 'webhook'

/** Returns what a sealed secret is bound to: it cannot be opened as the secret of another endpoint. */
export const webhookSecretContext = (
  { id }: Pick<WebhookEndpoint, 'id'>,
  secret: Pick<WebhookSecret, 'id'>,
): readonly string[] => [id, secret.id]

/** Maximum length of the description of an endpoint, in characters. */
export const maxDescriptionLength = 500

/** Fields of a new endpoint that a person chooses, with its id. */
export type NewEndpoint = Pick<
  WebhookEndpoint,
  'id' | 'workspace' | 'mode' | 'url' | 'events' | 'description' | 'enabled'
>

/** Returns a new endpoint. It receives the events from now on. */
export const newEndpoint = (
  { id, workspace, mode, url, events, description, enabled }: NewEndpoint,
  secret: WebhookSecret,
  now: number,
): WebhookEndpoint => ({
  id,
  workspace,
  mode,
  url,
  events,
  description,
  enabled,
  disabledReason: enabled ? null : 'request',
  secrets: [secret],
  since: now,
  failingSince: null,
  exhaustedAt: null,
  notices: [],
  createdAt: now,
  updatedAt: now,
})

/** Fields of an endpoint that a person may change. */
export type EndpointChange = Partial<Pick<WebhookEndpoint, 'url' | 'events' | 'description' | 'enabled'>>

/**
 * Returns an endpoint after a change by a person. An endpoint that is enabled, or gets another URL, begins without
 * failures; an endpoint that is enabled receives events from then on.
 */
export const changedEndpoint = (before: WebhookEndpoint, change: EndpointChange, now: number): WebhookEndpoint => {
  const after = { ...before, ...change }
  const isFresh = (after.enabled && !before.enabled) || after.url !== before.url
  return {
    ...after,
    disabledReason: after.enabled ? null : before.enabled ? 'request' : before.disabledReason,
    ...(after.enabled && !before.enabled && { since: now }),
    ...(isFresh && { failingSince: null, exhaustedAt: null }),
    updatedAt: now,
  }
}
