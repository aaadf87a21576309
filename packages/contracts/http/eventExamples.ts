import type { Email, EmailEvent, EmailEventType } from '@postrider/domain/email/email.ts'
import {
  type EventType,
  type PublicEvent,
  publicEmailEvent,
  type WorkspaceEventData,
} from '@postrider/domain/events/event.ts'
import { isoTime } from '@postrider/domain/time.ts'

/*
 * One event of each type, as the API shows it: for the documents, and for test events that people send to their
 * endpoint. The functions that make the payloads of real events make these too.
 */

const acceptedAt = Date.UTC(2026, 10, 21, 10)
const attempt = 'att_01jd7w3k5vf2ya4m9x0q8r6t1n'
const keyId = 'key_01jd7w3k5vf2ya4m9x0q8r6t1n'
const userId = 'usr_01jd7w3k5vf2ya4m9x0q8r6t1n'
const eventId = 'evt_01jd7w3k5vf2ya4m9x0q8r6t1n'

const email: Parameters<typeof publicEmailEvent>[0] = {
  id: 'em_01jd7w3k5vf2ya4m9x0q8r6t1n',
  workspace: 'ws_01jd7w3k5vf2ya4m9x0q8r6t1n',
  mode: 'live',
  category: 'transactional',
  messageId: '<em_01jd7w3k5vf2ya4m9x0q8r6t1n@mail.example.com>',
  recipients: [{ address: 'jane@example.com' }],
  tags: { team: 'billing' } satisfies Email['tags'],
  metadata: { order_id: '4711' } satisfies Email['metadata'],
}

type Example = Pick<EmailEvent, 'sequence' | 'recipient' | 'reply' | 'class' | 'cause'> & { afterMs: number }

const byKey = { kind: 'request', actor: keyId } as const
const ofJane = { recipient: 0 } as const

const emailExamples: Record<EmailEventType, Example> = {
  'email.accepted': { sequence: 1, recipient: null, cause: byKey, afterMs: 0 },
  'email.scheduled': { sequence: 2, recipient: null, cause: byKey, afterMs: 0 },
  'email.sent': { sequence: 2, ...ofJane, cause: { kind: 'attempt', attempt }, afterMs: 60 },
  'email.delivered': {
    sequence: 3,
    ...ofJane,
    reply: '250 2.0.0 Ok: queued as 4XyZ',
    cause: { kind: 'reply', attempt, code: 250, enhanced: '2.0.0' },
    afterMs: 120,
  },
  'email.deferred': {
    sequence: 3,
    ...ofJane,
    reply: '451 4.7.1 Greylisted, try again later',
    class: 'transient',
    cause: { kind: 'reply', attempt, code: 451, enhanced: '4.7.1' },
    afterMs: 120,
  },
  'email.bounced': {
    sequence: 3,
    ...ofJane,
    reply: '550 5.1.1 No such user',
    class: 'invalid',
    cause: { kind: 'reply', attempt, code: 550, enhanced: '5.1.1' },
    afterMs: 120,
  },
  'email.failed': {
    sequence: 2,
    ...ofJane,
    reply: 'Not delivered before expires_in had passed.',
    cause: { kind: 'system', reason: 'expired' },
    afterMs: 600_000,
  },
  'email.suppressed': { sequence: 2, ...ofJane, cause: { kind: 'system', reason: 'suppressed' }, afterMs: 0 },
  'email.canceled': { sequence: 3, ...ofJane, cause: { kind: 'request', actor: userId }, afterMs: 30_000 },
  'email.unknown': {
    sequence: 3,
    ...ofJane,
    reply: 'mx.example.com:25: the connection was lost after the message',
    class: 'unknown',
    cause: { kind: 'connection', attempt },
    afterMs: 30_000,
  },
  'email.complained': {
    sequence: 4,
    ...ofJane,
    reply: 'Simulated: the recipient reported the message as spam',
    cause: { kind: 'system', reason: 'simulated', attempt },
    afterMs: 60,
  },
  'email.opened': { sequence: 4, ...ofJane, afterMs: 3_600_000 },
  'email.clicked': { sequence: 5, ...ofJane, afterMs: 3_610_000 },
  'email.unsubscribed': { sequence: 4, ...ofJane, afterMs: 86_400_000 },
}

const domain = { domain_id: 'dom_01jd7w3k5vf2ya4m9x0q8r6t1n', name: 'example.com' }
const quota = { starts_at: '2026-11-21T00:00:00.000Z', resets_at: '2026-11-22T00:00:00.000Z', limit: 100 }

const workspaceExamples: WorkspaceEventData = {
  'domain.verified': {
    ...domain,
    status: 'verified',
    sequence: 1,
    changed_at: '2026-11-21T10:00:00.000Z',
    problems: [],
  },
  'domain.failed': {
    ...domain,
    status: 'failed',
    sequence: 2,
    changed_at: '2026-11-21T10:00:00.000Z',
    problems: [
      {
        purpose: 'dkim',
        type: 'TXT',
        name: 'pr1._domainkey.example.com',
        status: 'missing',
        problem: 'DNS has no record at pr1._domainkey.example.com. Add it again.',
      },
    ],
  },
  'quota.warning': { period: 'daily', ...quota, used: 80, remaining: 20, threshold_percent: 80 },
  'quota.exhausted': { period: 'daily', ...quota, used: 100, remaining: 0, threshold_percent: 100 },
  'webhook.disabled': {
    webhook_id: 'wh_01jd7w3k5vf2ya4m9x0q8r6t1n',
    url: 'https://example.com/webhooks/postrider',
    reason: 'gone',
    disabled_at: '2026-11-21T10:00:00.000Z',
  },
}

/** Returns an event of a type, with data that are made up. */
export const exampleEvent = (type: EventType): PublicEvent => {
  if (type in emailExamples) {
    const { afterMs, ...event } = emailExamples[type as EmailEventType]
    return publicEmailEvent(email, { id: eventId, type: type as EmailEventType, at: acceptedAt + afterMs, ...event })
  }
  const data = workspaceExamples[type as keyof WorkspaceEventData]
  return { id: eventId, type, at: acceptedAt, workspace: email.workspace, mode: 'live', data }
}

/** Fields of a test event that differ from the example. */
export type TestEvent = Pick<PublicEvent, 'id' | 'type' | 'at' | 'workspace' | 'mode'> & {
  /** Id of the webhook that receives it; null: none does. */
  webhook: string | null
}

/**
 * Returns the example of a type as an event of `at`, with `test: true` in its data. The same arguments give the same
 * event.
 */
export const testEvent = ({ webhook, ...event }: TestEvent): PublicEvent => {
  const { at, data } = exampleEvent(event.type)
  const [then, now] = [isoTime(at), isoTime(event.at)]
  const own = {
    ...('mode' in data && { mode: event.mode }),
    ...('webhook_id' in data && webhook !== null && { webhook_id: webhook }),
  }
  const dated = Object.entries(data).map(([name, value]) => [name, value === then ? now : value])
  return { ...event, data: { ...Object.fromEntries(dated), ...own, test: true } }
}
