import { webhookBody } from '@postrider/contracts/http/event.ts'
import { testEvent } from '@postrider/contracts/http/eventExamples.ts'
import { type PublicEvent, publicEmailEvent } from '@postrider/domain/events/event.ts'
import {
  type ClaimedDelivery,
  endedDelivery,
  shownResponse,
  type WebhookDelivery,
} from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import {
  type AttemptResult,
  afterAttempt,
  type DeliveryOutcome,
  endsInLease,
  isSuccess,
} from '@postrider/domain/webhooks/schedule.ts'
import { signedHeaders } from '@postrider/domain/webhooks/signature.ts'
import { outcomeTime } from '@postrider/domain/webhooks/testClock.ts'
import { batcher } from '@postrider/kit/batcher.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import { backoffs, retry } from '@postrider/kit/retry.ts'
import { nextSlice } from '@postrider/kit/slices.ts'
import type { WebhookResult } from '@postrider/ports/webhookClient.ts'
import type { Deps, EndpointCache } from './deps.ts'
import type { WebhookAttemptOutcome } from './metrics.ts'
import { applyOutcome } from './outcome.ts'
import { openSecrets } from './sealedSecrets.ts'

export type AttemptDeps = Pick<
  Deps,
  | 'endpoints'
  | 'deliveries'
  | 'emails'
  | 'feed'
  | 'client'
  | 'box'
  | 'durable'
  | 'now'
  | 'random'
  | 'pause'
  | 'slices'
  | 'log'
  | 'metrics'
> & { cache: EndpointCache }

/** A claimed delivery, when its lease ends, and its event if the process has it already. */
export type Job = ClaimedDelivery & { leaseUntil: number; event?: PublicEvent }

/**
 * `skipped`: nothing was sent, and the delivery has ended. `lost`: another process has it. `stopped`: this process
 * stops or came too late, and the delivery is due again immediately.
 */
export type Attempted =
  | { kind: DeliveryOutcome; nextAt: number | null; isDisabled: boolean }
  | { kind: 'skipped' | 'lost' | 'stopped'; nextAt: null }

/**
 * Maximum number of requests that begin in one event loop iteration: about 3 ms. With 8, their outcomes are stored in
 * more commits of SQLite, which costs half as much again for each request.
 */
const postsPerIteration = 25

/**
 * Sends an event to an endpoint once:
 * 1. reads the endpoint and the event: an event that is removed, or an endpoint that is disabled, ends the delivery;
 * 2. makes the body from the record and signs it, so that every attempt sends the same bytes under the same id;
 * 3. waits until what it read is durable, and posts it, unless the request may last longer than the lease;
 * 4. writes the outcome with the fencing token, and then what it changes about the endpoint.
 * A process that dies in between leaves a lease; when it ends, the attempt is made again.
 */
export const makeAttempt = (deps: AttemptDeps, stopping: AbortSignal) => {
  const { cache, now, slices } = deps
  // The deliveries of an event to all its endpoints are durable at the same time.
  const turnToPost = batcher<null, null>({
    max: postsPerIteration,
    maxInFlight: 1,
    run: async (batch) => {
      await slices.inBackground(() => slices.step())
      return batch
    },
  })
  return async (job: Job): Promise<Attempted> => {
    const { delivery } = job
    const endpoint = await cache.get(delivery.endpoint)
    // A process died between the lease of a delivery that has ended and its change.
    if (delivery.status !== 'pending') return end(deps, job, delivery)
    if (endpoint === null || !(endpoint.enabled || delivery.isTest))
      return end(deps, job, endedDelivery(delivery, 'endpoint_disabled', now()))
    const event = job.event ?? (await eventInTurn(deps, delivery))
    if (event === null) return end(deps, job, endedDelivery(delivery, 'event_removed', now()))
    await deps.durable.synced()
    await turnToPost(null)
    const at = now()
    // Another process would send it at the same time.
    if (!endsInLease(at, job.leaseUntil)) return releaseLease(deps, job)
    const result = await post(deps, { endpoint, event, at, stopping })
    if (result.kind === 'failed' && result.reason === 'stopped') {
      return releaseLease(deps, job)
    }
    return decide(deps, { job, endpoint, event, result, at })
  }
}

const releaseLease = async ({ deliveries, metrics }: AttemptDeps, { delivery, fence }: Job): Promise<Attempted> => {
  metrics.webhookAttempts.inc({ outcome: 'stopped' })
  await deliveries.release([{ id: delivery.id, fence }])
  return { kind: 'stopped', nextAt: null }
}

const end = async ({ deliveries }: AttemptDeps, { fence }: Job, delivery: WebhookDelivery): Promise<Attempted> => {
  await deliveries.write(delivery.id, fence, delivery)
  return { kind: 'skipped', nextAt: null }
}

/** Returns the event when it is the turn of its workspace: a record may be long, and many attempts begin together. */
const eventInTurn = async (deps: AttemptDeps, delivery: WebhookDelivery): Promise<PublicEvent | null> => {
  await nextSlice(deps.slices.of(delivery.workspace))
  return eventOf(deps, delivery)
}

/** Returns the event of a delivery; null: its record is removed. */
export const eventOf = async (
  { emails, feed }: Pick<Deps, 'emails' | 'feed'>,
  delivery: WebhookDelivery,
): Promise<PublicEvent | null> => {
  const { isTest, eventId: id, type, eventAt: at, workspace, mode, endpoint, email: emailId } = delivery
  if (isTest) return testEvent({ id, type, at, workspace, mode, webhook: endpoint })
  if (emailId === undefined) return feed.readEvent(workspace, { at, id })
  // Its time may have changed, so it is found by its id.
  const email = (await emails.get(emailId))?.email
  const event = email?.events.find((one) => one.id === id)
  return email?.workspace === workspace && event ? publicEmailEvent(email, event) : null
}

/** Headers of every request. The signature has those of Standard Webhooks. */
export const fixedHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Postrider-Webhooks/1',
} as const

type Posted = { endpoint: WebhookEndpoint; event: PublicEvent; at: number; stopping: AbortSignal }

const post = ({ client, box }: AttemptDeps, { endpoint, event, at, stopping }: Posted): Promise<WebhookResult> => {
  const body = webhookBody(event)
  const secrets = openSecrets(box, endpoint, at)
  const headers = { ...fixedHeaders, ...signedHeaders({ secrets, id: event.id, at, body }) }
  return client.post({ url: endpoint.url, headers, body, signal: stopping })
}

type Ended = Pick<Posted, 'endpoint' | 'event' | 'at'> & { job: Job; result: WebhookResult }

const decide = async (deps: AttemptDeps, { job, endpoint, event, result, at }: Ended): Promise<Attempted> => {
  const { now, random, log, metrics } = deps
  const endedAt = now()
  const { outcome, delivery } = afterAttempt(job, attemptResult(result, event, at), { now: endedAt, random: random() })
  metrics.webhookAttempts.inc({ outcome: metricOutcome(result) })
  metrics.webhookAttemptDuration.observe(result.durationMs / 1_000)
  if (!(await written(deps, job, delivery))) {
    log.warn({ delivery_id: delivery.id }, 'lease lost to another worker')
    return { kind: 'lost', nextAt: null }
  }
  if (outcome === 'delivered' && !delivery.isTest && delivery.clockOffset === undefined)
    metrics.webhookDelay.observe(Math.max(0, endedAt - delivery.eventAt) / 1_000)
  const isDisabled =
    !delivery.isTest && (await applyOutcome(deps, endpoint, outcome, outcomeTime(endpoint, delivery, endedAt)))
  return { kind: outcome, nextAt: delivery.nextAt, isDisabled }
}

/**
 * Repeats the write while the store is unavailable and the lease is live: otherwise the receiver would get the event
 * again.
 */
const written = (
  { deliveries, now, pause, random }: AttemptDeps,
  { fence, leaseUntil }: Job,
  delivery: WebhookDelivery,
): Promise<boolean> =>
  retry(() => deliveries.write(delivery.id, fence, delivery), {
    backoff: backoffs.outcome,
    shouldRetry: (ended) => 'error' in ended && isUnavailable(ended.error) && now() < leaseUntil,
    pause,
    random,
  })

const metricOutcome = (result: WebhookResult): WebhookAttemptOutcome => {
  if (result.kind !== 'answered') return result.kind
  return isSuccess(result.status) ? 'delivered' : 'refused'
}

const decoder = new TextDecoder()

const attemptResult = (result: WebhookResult, { isShortLived }: PublicEvent, at: number): AttemptResult => {
  const { durationMs } = result
  if (result.kind === 'answered') {
    const { status, body, isBodyCut, retryAfterMs } = result
    // A response may repeat what the receiver got.
    const response = isShortLived ? null : shownResponse(decoder.decode(body), isBodyCut)
    return { at, durationMs, status, error: null, response, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }
  // A header without the rest of the response is not a success.
  return { at, durationMs, status: null, error: result.detail, response: null }
}
