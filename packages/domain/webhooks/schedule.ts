import { hourMs, minuteMs } from '../time.ts'
import {
  type ClaimedDelivery,
  endedDelivery,
  type WebhookAttempt,
  type WebhookDelivery,
  withAttempt,
} from './delivery.ts'
import { attemptTime } from './testClock.ts'

const secondMs = 1_000

/** The longest time of one request, with its lookup in DNS. */
export const maxRequestMs = 10 * secondMs

/**
 * Time for which a process owns a delivery that it sends. A lease is not renewed, and the last `writeMs` of it are for
 * the write of the outcome.
 */
export const webhookLeaseMs = 60 * secondMs
export const writeMs = 5 * secondMs

/** Returns whether a request that begins at a time ends, with the write of its outcome, before the lease does. */
export const endsInLease = (at: number, leaseUntil: number): boolean => at + maxRequestMs + writeMs <= leaseUntil

/** Delays after each failed attempt, 27 h 35 min 5 s in total; the first attempt is made immediately. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
] as const

/**
 * A delay is longer by up to this part of it. It is never shorter: a receiver may be down for the whole of the
 * schedule.
 */
const jitter = 0.1

/** The longest wait that a receiver may request with `Retry-After`. */
const maxRetryAfterMs = 10 * hourMs

/** Result of an attempt at the receiver. `stopped`: this process ended the attempt, which does not count. */
export type AttemptResult = {
  at: number
  durationMs: number
  /** Null: no response. */
  status: number | null
  error: string | null
  response: WebhookAttempt['response']
  retryAfterMs?: number
}

/** `gone`: the receiver returned 410, and its endpoint is disabled. */
export type DeliveryOutcome = 'delivered' | 'retry' | 'exhausted' | 'gone'

export type Decided = { outcome: DeliveryOutcome; delivery: WebhookDelivery }

/** Returns whether a status is a success: only 2xx is one, because a redirect is not followed. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** RFC 9110 §15.5.11: the receiver refuses further events. */
const goneStatus = 410

/**
 * Returns a delivery after an attempt.
 * @param now the time at which the attempt ended
 * @param random uniform in [0, 1)
 */
export const afterAttempt = (
  { delivery }: Pick<ClaimedDelivery, 'delivery'>,
  result: AttemptResult,
  { now, random }: { now: number; random: number },
): Decided => {
  const { at, durationMs, status, error, response } = result
  const { clockOffset } = delivery
  const begunAt = clockOffset === undefined ? now : attemptTime(delivery, at)
  const endedAt = begunAt + (clockOffset ?? 0)
  const attempt = { durationMs, statusCode: status, error, response }
  const attempts = withAttempt(
    delivery.attempts,
    clockOffset === undefined ? { at, ...attempt } : { at: endedAt, sentAt: at, ...attempt },
  )
  const tries = delivery.tries + 1
  const tried = { ...delivery, attempts, tries }
  if (isSuccess(status)) {
    return {
      outcome: 'delivered',
      delivery: { ...tried, status: 'delivered', reason: null, nextAt: null, endedAt },
    }
  }
  if (status === goneStatus) return { outcome: 'gone', delivery: endedDelivery(tried, 'gone', endedAt) }
  const delayMs = delivery.isTest ? undefined : retryDelaysMs[tries - 1]
  if (delayMs === undefined) return { outcome: 'exhausted', delivery: endedDelivery(tried, 'exhausted', endedAt) }
  const waitMs = Math.max(delayMs * (1 + jitter * random), Math.min(result.retryAfterMs ?? 0, maxRetryAfterMs))
  return { outcome: 'retry', delivery: { ...tried, nextAt: begunAt + Math.round(waitMs) } }
}

/** Delay of a `Retry-After` in seconds. */
const seconds = /^\d{1,9}$/

/** IMF-fixdate, and the two obsolete forms that a recipient must accept (RFC 9110 §5.6.7). */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
]
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * Returns the milliseconds that a `Retry-After` requests (RFC 9110 §10.2.3), 0 for a date in the past; null: it is
 * neither form.
 */
export const readRetryAfter = (text: string, now: number): number | null => {
  const value = text.trim()
  if (seconds.test(value)) return Number(value) * 1_000
  const isDate = httpDates.some((form) => form.test(value))
  const at = isDate ? Date.parse(value) : asctime.test(value) ? Date.parse(`${value} GMT`) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
