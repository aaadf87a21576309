import { createHash } from 'node:crypto'
import { base32, base32Digits } from '../base32.ts'

const eventShape = /^evt_([0-7][0-9a-hjkmnp-tv-z]{9})/
/** The first digits of a TypeID are its time in milliseconds. */
const timeDigits = 10

/**
 * Returns the id of the delivery of an event to an endpoint. It sorts by the time in the id of the event, so that lists are
 * in the order of events, and the oldest are found by their ids.
 */
export const deliveryId = (endpoint: string, eventId: string): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([endpoint, eventId]))
    .digest()
  const rest = Array.from(hash.subarray(0, 16), (octet) => base32Digits.charAt(octet & 31)).join('')
  return `dlv_${eventShape.exec(eventId)?.[1] ?? '0'.repeat(timeDigits)}${rest}`
}

/** Returns a text that sorts before the ids of all deliveries of events from a time on, and after those of earlier ones. */
export const deliveryIdFrom = (at: number): string => `dlv_${base32(at, timeDigits)}`
