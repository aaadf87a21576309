import type { TestClock } from '../email/testClock.ts'
import type { PublicEvent } from '../events/event.ts'
import type { WebhookDelivery } from './delivery.ts'
import type { WebhookEndpoint } from './endpoint.ts'

/*
 * Deliveries of test mode follow the test clock of their workspace (email/testClock.ts), so that a client sees the
 * whole schedule of retries after one move of the clock. Signatures have the store's time, because receivers compare it
 * with their own.
 */

/** The id in a hint that deliveries of test mode became due, because the test clock was moved. */
export const clockHint = 'test_clock'

/** A clock that was moved; null or undefined: it was not. */
type Moved = Pick<TestClock, 'offset' | 'movedAt'> | null | undefined

/** Returns a new delivery of an event of test mode: it is due at the time of the event by the clock. */
export const onClock = (
  delivery: WebhookDelivery,
  event: Pick<PublicEvent, 'at' | 'clockAt' | 'mode'>,
  clock: Moved,
): WebhookDelivery => {
  if (event.mode !== 'test' || !clock) return delivery
  const at = clockTimeOf(event, clock)
  return { ...delivery, createdAt: at, nextAt: at - clock.offset, clockOffset: clock.offset }
}

/** An event that has no time by the clock, and is from before the last move, counts as one from before all moves. */
const clockTimeOf = ({ at, clockAt }: Pick<PublicEvent, 'at' | 'clockAt'>, clock: NonNullable<Moved>): number =>
  clockAt ?? (at < clock.movedAt ? at : at + clock.offset)

/**
 * Returns a delivery of test mode that a person requested at `now`, by the store's clock: it is due at that time by the
 * clock.
 */
export const requestedOnClock = (delivery: WebhookDelivery, clock: Moved): WebhookDelivery =>
  delivery.mode !== 'test' || !clock ? delivery : { ...delivery, clockOffset: clock.offset }

/** Returns a waiting delivery after its clock was moved. */
export const followingDelivery = (delivery: WebhookDelivery, offset: number): WebhookDelivery => ({
  ...delivery,
  clockOffset: offset,
  nextAt: delivery.nextAt === null ? null : delivery.nextAt + (delivery.clockOffset ?? 0) - offset,
})

/** Returns the time of an attempt that begins at `now`, by the store's clock: its due time, if its clock was moved. */
export const attemptTime = ({ nextAt, clockOffset }: WebhookDelivery, now: number): number =>
  clockOffset === undefined ? now : Math.min(nextAt ?? now, now)

/** Returns when a delivery is due, as the API shows it. */
export const shownNextAt = ({ nextAt, clockOffset }: Pick<WebhookDelivery, 'nextAt' | 'clockOffset'>): number | null =>
  nextAt === null ? null : nextAt + (clockOffset ?? 0)

/**
 * Returns the time of an outcome for the rules that disable an endpoint. An endpoint that also receives live events
 * keeps the store's time: a test clock must not end live webhooks.
 */
export const outcomeTime = (
  { mode }: Pick<WebhookEndpoint, 'mode'>,
  { clockOffset, attempts }: Pick<WebhookDelivery, 'clockOffset' | 'attempts'>,
  now: number,
): number => (mode === 'test' && clockOffset !== undefined ? (attempts.at(-1)?.at ?? now) : now)
