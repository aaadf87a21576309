import { createRequire } from 'node:module'

type RequestQueue = {
  pending: unknown[]
  /** Milliseconds since the epoch. */
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  checkPendingRequests(): void
}

const patched = '2.2.4'
/** The client's own interval for requests that wait although nothing throttles them. */
const checkMs = 10

/** Schedules a look at the requests that wait, and only where one does. */
const scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return
  this.throttleCheckTimeoutId = setTimeout(
    () => {
      this.throttleCheckTimeoutId = null
      this.checkPendingRequests()
    },
    Math.max(this.throttledUntil - Date.now(), checkMs),
  )
}

/**
 * Quiets the Kafka client for this process. As it comes, each of its connections looks once a millisecond, for ever,
 * whether a request waits (and with a negative time-out, of which Node warns): tulios/kafkajs#1556, #1704, #1751.
 * @param internal loads a file of the client
 * @throws Error where the client isn't the very version that this was written against
 */
export const quietTimers = (internal: (path: string) => unknown = createRequire(import.meta.url)): void => {
  const { version } = internal('kafkajs/package.json') as { version: string }
  if (version !== patched) {
    throw new Error(`kafkajs is ${version}, and its idle timers are quieted for ${patched} alone: see quietTimers.ts`)
  }
  const queue = internal('kafkajs/src/network/requestQueue/index.js') as { prototype: RequestQueue }
  Object.assign(queue.prototype, { scheduleCheckPendingRequests })
}
