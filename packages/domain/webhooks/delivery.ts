import { createHash } from 'node:crypto'
import type { Mode } from '../email/email.ts'
import type { EventType, PublicEvent } from '../events/event.ts'
import { base32, base32Digits } from '../ids.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'canceled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/**
 * Reason why a delivery has no further attempt although it was not delivered: its attempts are used, the receiver
 * returned 410, the endpoint was disabled, or the event is no longer stored.
 */
const deliveryReasons = ['exhausted', 'gone', 'endpoint_disabled', 'event_removed'] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

/**
 * One event for one endpoint. It has no body: the payload is made from the record of the event at each attempt, so that
 * a delivery that waits is small, and every attempt sends the same bytes. Times are milliseconds since the epoch.
 */
export type WebhookDelivery = {
  /**
   * `dlv_…`, from the endpoint and the event: an event has one delivery for each endpoint, however often it is
   * inserted.
   */
  id: string
  endpoint: string
  workspace: string
  mode: Mode
  eventId: string
  type: EventType
  /** The email that the event is about; absent: it is about none. */
  email?: string
  /** The time of the event when the delivery was inserted. A repeated write of its record may give it a later one. */
  eventAt: number
  /** A test event that a person requested. It has one attempt, and changes nothing about its endpoint. */
  isTest: boolean
  status: DeliveryStatus
  /** Null while it waits, and once it is delivered. */
  reason: DeliveryReason | null
  /** Attempts of the schedule that are used. */
  tries: number
  /** When it is due; null: it has ended. */
  nextAt: number | null
  /** The latest ones, oldest first. */
  attempts: WebhookAttempt[]
  createdAt: number
  /** When it ended; null: it waits. */
  endedAt: number | null
  /**
   * How far the test clock of the workspace was ahead of the store's clock when `nextAt` was last stored. `nextAt` is
   * by the store's clock, the other times are by the test clock. Absent: that clock was not moved.
   */
  clockOffset?: number
}

export type WebhookAttempt = {
  at: number
  /** When it was sent by the store's clock, which the signature has; absent: at `at`. */
  sentAt?: number
  /** Null: there was no response. */
  statusCode: number | null
  durationMs: number
  /** What failed, in words; null: the receiver sent a response. */
  error: string | null
  /** The response of the receiver; null: none. */
  response: { body: string; isCut: boolean } | null
}

/** A delivery under a lease. */
export type ClaimedDelivery = { delivery: WebhookDelivery; fence: number }

/** A delivery with its position in the queue. `leaseUntil` null: no process has leased it. */
export type StoredDelivery = ClaimedDelivery & { leaseUntil: number | null }

/** Compares claimed deliveries: negative if the first was due earlier. */
export const byDue = ({ delivery: one }: ClaimedDelivery, { delivery: other }: ClaimedDelivery): number =>
  (one.nextAt ?? 0) - (other.nextAt ?? 0) || (one.id < other.id ? -1 : 1)

/** Maximum number of attempts that a delivery shows; a person can request any number. */
const maxShownAttempts = 20

/** Bytes of a response that the last attempt shows. */
export const responseBytes = 4_096
/** Bytes of a response that an earlier attempt stores. */
const formerResponseBytes = 256

/** Returns the first part of a text that fits into `bytes` bytes of UTF-8, without a broken character at its end. */
export const cutText = (text: string, bytes: number): string => {
  const buffer = Buffer.from(text, 'utf8')
  if (buffer.length <= bytes) return text
  return new TextDecoder().decode(buffer.subarray(0, bytes), { stream: true })
}

/** Returns the response of an attempt, at most `bytes` of it. @param isCut the text is not all of the body */
export const shownResponse = (
  text: string,
  isCut: boolean,
  bytes = responseBytes,
): { body: string; isCut: boolean } => {
  const body = cutText(text, bytes)
  return { body, isCut: isCut || body !== text }
}

/**
 * Returns the attempts with one more. Earlier responses are shortened, so that a delivery with many attempts stays
 * small.
 */
export const withAttempt = (attempts: readonly WebhookAttempt[], attempt: WebhookAttempt): WebhookAttempt[] => [
  ...attempts.slice(1 - maxShownAttempts).map(shortened),
  attempt,
]

const shortened = (attempt: WebhookAttempt): WebhookAttempt => {
  const { response } = attempt
  if (response === null) return attempt
  return { ...attempt, response: shownResponse(response.body, response.isCut, formerResponseBytes) }
}

/** Returns a delivery that is due immediately. */
export const newDelivery = (
  { id: endpoint, workspace }: { id: string; workspace: string },
  event: Pick<PublicEvent, 'id' | 'type' | 'at' | 'mode'> & Partial<Pick<PublicEvent, 'data'>>,
  now: number,
): WebhookDelivery => ({
  id: deliveryId(endpoint, event.id),
  endpoint,
  workspace,
  mode: event.mode,
  eventId: event.id,
  type: event.type,
  ...emailOf(event),
  eventAt: event.at,
  isTest: false,
  status: 'pending',
  reason: null,
  tries: 0,
  nextAt: now,
  attempts: [],
  createdAt: now,
  endedAt: null,
})

const emailOf = ({
  type,
  data,
}: Pick<PublicEvent, 'type'> & Partial<Pick<PublicEvent, 'data'>>): { email?: string } => {
  const id = type.startsWith('email.') ? data?.['email_id'] : undefined
  return typeof id === 'string' ? { email: id } : {}
}

/** Returns a delivery that a person requested again: due immediately, with the whole schedule. */
export const madeAgain = (delivery: WebhookDelivery, now: number): WebhookDelivery => ({
  ...delivery,
  status: 'pending',
  reason: null,
  tries: 0,
  nextAt: now,
  endedAt: null,
})

/** Returns the fields of a delivery that change if it is not made. */
export const endOfDelivery = (
  reason: DeliveryReason,
  now: number,
): Pick<WebhookDelivery, 'status' | 'reason' | 'nextAt' | 'endedAt'> => ({
  status: reason === 'endpoint_disabled' ? 'canceled' : 'failed',
  reason,
  nextAt: null,
  endedAt: now,
})

/** Returns a delivery that is not made. */
export const endedDelivery = (delivery: WebhookDelivery, reason: DeliveryReason, now: number): WebhookDelivery => ({
  ...delivery,
  ...endOfDelivery(reason, now),
})

const eventShape = /^evt_([0-7][0-9a-hjkmnp-tv-z]{9})/
/** The first digits of a TypeID are its time in milliseconds. */
const timeDigits = 10

/**
 * Returns the id of the delivery of an event to an endpoint. It sorts by the time in the id of the event, so that lists
 * are in the order of events, and the oldest are found by their ids.
 */
export const deliveryId = (endpoint: string, eventId: string): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([endpoint, eventId]))
    .digest()
  const digits = Array.from(hash.subarray(0, 16), (octet) => base32Digits.charAt(octet & 31)).join('')
  return `dlv_${eventShape.exec(eventId)?.[1] ?? '0'.repeat(timeDigits)}${digits}`
}

/**
 * Returns a text that sorts before the ids of all deliveries of events from a time on, and after those of earlier ones.
 */
export const deliveryIdFrom = (at: number): string => `dlv_${base32(at, timeDigits)}`
