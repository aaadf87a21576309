import { hourMs } from '../time.ts'
import type { DisabledReason, WebhookEndpoint, WebhookNotice } from './endpoint.ts'
import type { DeliveryOutcome } from './schedule.ts'

/** An endpoint is disabled when its attempts have failed for so long and none succeeded. */
export const disableAfterMs = 72 * hourMs

/** Outcomes of attempts that change nothing are the usual ones; then the endpoint is not written. */
const isFine = ({ failingSince, exhaustedAt }: WebhookEndpoint): boolean =>
  failingSince === null && exhaustedAt === null

/**
 * Returns an endpoint after an attempt; null: it stays as it is.
 * @param lastSuccessAt the end of its last successful delivery; null: none is stored. It decides about disabling, because a
 *   crash may have prevented the write that a success ended the failures
 */
export const afterOutcome = (
  endpoint: WebhookEndpoint,
  outcome: DeliveryOutcome,
  { at, lastSuccessAt }: { at: number; lastSuccessAt: number | null },
): WebhookEndpoint | null => {
  if (!endpoint.enabled) return null
  if (outcome === 'delivered') {
    return isFine(endpoint) ? null : { ...endpoint, failingSince: null, exhaustedAt: null, updatedAt: at }
  }
  if (outcome === 'gone') return disabled(endpoint, 'gone', at)
  const failingSince = laterOf(endpoint.failingSince ?? at, lastSuccessAt)
  const failing = exhaustedOnce({ ...endpoint, failingSince }, outcome, at)
  if (at - failingSince >= disableAfterMs) return disabled(failing, 'failures', at)
  return failing.exhaustedAt === endpoint.exhaustedAt && failingSince === endpoint.failingSince ? null : failing
}

/** Returns whether a failure at a time may disable an endpoint, so that its last success is to be read. */
export const mayDisable = ({ enabled, failingSince }: WebhookEndpoint, at: number): boolean =>
  enabled && failingSince !== null && at - failingSince >= disableAfterMs

const laterOf = (at: number, other: number | null): number => Math.max(at, other ?? at)

/** The owner is notified once until an attempt succeeds. */
const exhaustedOnce = (endpoint: WebhookEndpoint, outcome: DeliveryOutcome, at: number): WebhookEndpoint =>
  outcome !== 'exhausted' || endpoint.exhaustedAt !== null
    ? endpoint
    : { ...endpoint, exhaustedAt: at, notices: [...endpoint.notices, { kind: 'exhausted', at, reason: null }] }

const disabled = (endpoint: WebhookEndpoint, reason: DisabledReason, at: number): WebhookEndpoint => {
  const notice: WebhookNotice = { kind: 'disabled', at, reason }
  return {
    ...endpoint,
    enabled: false,
    disabledReason: reason,
    notices: [...endpoint.notices, notice],
    updatedAt: at,
  }
}
