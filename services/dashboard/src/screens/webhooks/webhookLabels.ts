import { disableAfterHours } from '@postrider/contracts/http/values.ts'
import type { Delivery, DeliveryAttempt, DeliveryStatus, Webhook } from '../../api/webhooks.ts'
import type { StateLabel } from '../../ui/Badge.tsx'
import { eventTypes } from '../events/eventTypes.ts'

/** Returns how the state of an endpoint is shown, and what it means. */
export const webhookLabel = ({ enabled, disabled_reason, failing_since }: Webhook): StateLabel => {
  if (!enabled) return { label: 'Disabled', tone: 'idle', text: disabledText[disabled_reason ?? 'request'] }
  if (failing_since !== null) return { label: 'Failing', tone: 'bad', text: 'Every attempt since then failed.' }
  return { label: 'Enabled', tone: 'good', text: 'Events are sent.' }
}

export const disabledText: Readonly<Record<NonNullable<Webhook['disabled_reason']>, string>> = {
  request: 'A person or a key disabled it. It misses the events of this time.',
  gone: 'Your server returned 410, which means that the endpoint is gone. It misses the events of this time.',
  failures: `Nothing but failures for ${disableAfterHours} hours. It misses the events of this time.`,
}

/** Labels of the statuses of a delivery. */
export const deliveryLabels: Readonly<Record<DeliveryStatus, StateLabel>> = {
  pending: { label: 'Pending', tone: 'info', text: 'An attempt is in progress, or the next one is waiting.' },
  delivered: { label: 'Delivered', tone: 'good', text: 'Your server returned 2xx.' },
  failed: { label: 'Failed', tone: 'bad', text: 'No further attempt follows.' },
  canceled: { label: 'Canceled', tone: 'idle', text: 'The endpoint was disabled.' },
}

const reasons: Readonly<Record<string, string>> = {
  exhausted: 'All attempts failed.',
  gone: 'Your server returned 410.',
  endpoint_disabled: 'The endpoint was disabled.',
  event_removed: 'The event is no longer stored.',
}

/** Returns why no attempt follows; null: none is needed, or one follows. */
export const reasonText = ({ reason }: Delivery): string | null => reason && (reasons[reason] ?? reason)

/** Returns what an attempt ended with, in a few words. */
export const outcomeText = ({ status_code, error }: Pick<DeliveryAttempt, 'status_code' | 'error'>): string =>
  status_code === null ? (error ?? 'No response') : `HTTP ${status_code}`

/** Returns the types of an endpoint as one short text. */
export const eventsText = ({ events }: Webhook): string => {
  if (eventTypes.every((type) => events.includes(type))) return 'All events'
  return events.length === 1 ? (events[0] ?? '') : `${events.length} event types`
}
