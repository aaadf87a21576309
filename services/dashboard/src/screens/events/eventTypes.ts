import type { EventType } from '../../api/events.ts'
import type { StateLabel } from '../../ui/Badge.tsx'
import { eventLabels } from '../emails/eventLabels.ts'

const labels: Readonly<Record<EventType, StateLabel>> = {
  ...eventLabels,
  'domain.verified': { label: 'Domain verified', tone: 'good' },
  'domain.failed': { label: 'Domain failed', tone: 'bad' },
  'quota.warning': { label: '80 % of the quota used', tone: 'warn' },
  'quota.exhausted': { label: 'Quota used up', tone: 'bad' },
  'webhook.disabled': { label: 'Webhook disabled', tone: 'bad' },
}

/** Returns how a type of event is shown. A type of a later release is shown by its name. */
export const labelOf = (type: EventType): StateLabel => labels[type] ?? { label: type, tone: 'idle' }

/** The types of events by what they are about, in the order of the lists. */
export const eventGroups: readonly { title: string; types: readonly EventType[] }[] = [
  {
    title: 'Delivery',
    types: [
      'email.accepted',
      'email.scheduled',
      'email.sent',
      'email.delivered',
      'email.deferred',
      'email.bounced',
      'email.failed',
      'email.suppressed',
      'email.canceled',
      'email.unknown',
    ],
  },
  {
    title: 'Recipients',
    types: ['email.complained', 'email.opened', 'email.clicked', 'email.unsubscribed'],
  },
  {
    title: 'Workspace',
    types: ['domain.verified', 'domain.failed', 'quota.warning', 'quota.exhausted', 'webhook.disabled'],
  },
]

export const eventTypes: readonly EventType[] = eventGroups.flatMap(({ types }) => types)
