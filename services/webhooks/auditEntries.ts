import type { Requester } from '@postrider/contracts/services.ts'
import { type AuditBy, auditedChange } from '@postrider/domain/audit/entry.ts'
import { objectEntries } from '@postrider/domain/audit/objectEntries.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'

/** Returns the person or the key that makes a request. */
export const byRequest = ({ actor, clientAddress }: Requester, at: number): AuditBy => ({ actor, clientAddress, at })

const stateOf = ({ url, mode, events, description, enabled, disabledReason }: WebhookEndpoint) => ({
  url,
  mode,
  events,
  description,
  enabled,
  disabled_reason: disabledReason,
})

const { of: entryOf, ...entries } = objectEntries<'webhook', WebhookEndpoint>({
  noun: 'webhook',
  view: stateOf,
  newId: () => newId('aud'),
})

export const { created: createEntry, deleted: deleteEntry } = entries

/** @returns null: nothing that is visible to people has changed */
export const updateEntry = (before: WebhookEndpoint, after: WebhookEndpoint, by: AuditBy): AuditEntry | null => {
  const change = auditedChange(before, after, stateOf)
  return change && Object.keys(change.after ?? {}).length > 0 ? entryOf(after, by, 'update', change) : null
}

export const rotateEntry = (endpoint: WebhookEndpoint, by: AuditBy): AuditEntry =>
  entryOf(endpoint, by, 'rotate_secret')

export const testEntry = (endpoint: WebhookEndpoint, type: string, by: AuditBy): AuditEntry =>
  entryOf(endpoint, by, 'test', { before: null, after: { type } })

export const redeliverEntry = (endpoint: WebhookEndpoint, eventId: string, by: AuditBy): AuditEntry =>
  entryOf(endpoint, by, 'redeliver', { before: null, after: { event_id: eventId } })

export const replayEntry = (endpoint: WebhookEndpoint, window: { from: number; to: number }, by: AuditBy): AuditEntry =>
  entryOf(endpoint, by, 'replay', { before: null, after: { from: isoTime(window.from), to: isoTime(window.to) } })
