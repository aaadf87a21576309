import { internalMode, type StoredEvent, type WorkspaceEventData } from '../events/event.ts'
import { hourMs, isoTime } from '../time.ts'
import type { WebhookDelivery } from './delivery.ts'
import type { DisabledReason, WebhookEndpoint, WebhookNotice } from './endpoint.ts'
import type { DeliveryOutcome } from './schedule.ts'

/** An endpoint is disabled when its attempts have failed for so long and none succeeded. */
export const disableAfterHours = 72
const disableAfterMs = disableAfterHours * hourMs

/** Most outcomes of attempts change nothing; then the endpoint is not written. */
const isFine = ({ failingSince, exhaustedAt }: WebhookEndpoint): boolean =>
  failingSince === null && exhaustedAt === null

/**
 * Returns an endpoint after an attempt; null: it stays as it is.
 * @param lastSuccessAt the end of its last successful delivery; null: none is stored. It decides about disabling,
 *   because a crash may have prevented the write that a success ended the failures
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

/** Number of newest successful deliveries among which the last success that counts is searched for. */
export const soughtSuccesses = 100

/**
 * Returns when the last success of an endpoint ended that counts against its failures; null: none does. A test of the
 * endpoint does not count.
 * @param delivered the newest deliveries that succeeded
 * @param withClock whether deliveries of a test clock count
 */
export const lastSuccess = (
  delivered: readonly Pick<WebhookDelivery, 'isTest' | 'clockOffset' | 'endedAt'>[],
  withClock: boolean,
): number | null => {
  const times = delivered.flatMap(({ isTest, clockOffset, endedAt }) =>
    isTest || endedAt === null || (clockOffset !== undefined && !withClock) ? [] : [endedAt],
  )
  return times.length === 0 ? null : Math.max(...times)
}

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

/** Requests of one endpoint at the same time, at first and at most. */
export const [initialConcurrency, maxConcurrency] = [4, 16] as const
/** The least that a failing endpoint gets. */
const minConcurrency = 2

/**
 * Returns how many requests of an endpoint may run after one has ended. A failure halves the number and a success adds
 * one: an endpoint that hangs occupies two requests, and no other endpoint waits for it.
 */
export const nextConcurrency = (limit: number, isDelivered: boolean): number =>
  isDelivered ? Math.min(maxConcurrency, limit + 1) : Math.max(minConcurrency, Math.floor(limit / 2))

/** Times between two reads of the feed for an endpoint, in milliseconds. */
const [soonMs, usualMs, beginningMs, beginningLastsMs] = [2_000, 30_000, 3_000, 60_000] as const

/**
 * Maximum number of deliveries of an endpoint that wait. Further events stay in the feed, at its cursor, until some of
 * them have ended: a receiver that is slow or down would otherwise make a row for each event of its workspace.
 */
export const maxWaiting = 10_000

/** Time in milliseconds for which the feed is not read for an endpoint that has as many. */
export const fullPauseMs = 5_000

/**
 * Returns when the feed is read next for an endpoint. Hints report nearly every event immediately; a read that finds
 * further events shows that hints are lost. The processes that send hints may not have read a new endpoint yet, so it
 * is scanned more often.
 */
export const nextScanAt = ({ since, found }: { since: number; found: number }, now: number): number => {
  if (found > 0) return now + soonMs
  return now + (now - since < beginningLastsMs ? beginningMs : usualMs)
}

/**
 * Returns the event that reports a notice of an endpoint. Notifications to members are made from both kinds; the feed
 * and webhooks have only the event of a disabled endpoint, the other is internal.
 * @param id `evt_…`, the same each time for this notice
 */
export const newWebhookEvent = (
  { id: webhookId, workspace, mode, url }: Pick<WebhookEndpoint, 'id' | 'workspace' | 'mode' | 'url'>,
  notice: WebhookNotice,
  id: string,
): Omit<StoredEvent, 'at'> => {
  const about = { webhook_id: webhookId, url }
  const at = isoTime(notice.at)
  if (notice.kind === 'exhausted')
    return { id, type: 'webhook.failing', workspace, mode: internalMode, data: { ...about, failed_at: at } }
  const data: WorkspaceEventData['webhook.disabled'] = { ...about, reason: notice.reason ?? '', disabled_at: at }
  return { id, type: 'webhook.disabled', workspace, mode: mode ?? 'live', data }
}

/**
 * Writes of an email that may add events. An attempt is written when it begins (`attempt`) and with its outcome
 * (`outcome`); a `change` is that of a person.
 */
export type EmailWrite = 'insert' | 'batch' | 'attempt' | 'outcome' | 'change'

/** The workspaces that have an enabled endpoint of webhooks. */
export type WorkspacesWithEndpoints = { has(workspace: string): boolean }

/**
 * Returns whether a write gives a hint of new events once it is stored: its workspace has an endpoint. An attempt that
 * runs has no event that is sent now.
 */
export const givesHint = (write: EmailWrite, workspace: string, workspaces: WorkspacesWithEndpoints): boolean =>
  write !== 'attempt' && workspaces.has(workspace)
