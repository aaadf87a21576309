import { createRequire } from 'node:module'
import type { Log } from '@postrider/kit/log.ts'

type RequestQueue = {
  pending: unknown[]
  /** Milliseconds since the epoch. */
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  checkPendingRequests(): void
  scheduleCheckPendingRequests(): void
}

type RequestQueueClass = { new (options: object): RequestQueue; prototype: RequestQueue }

/** kafkajs' own interval for waiting requests without throttling, in milliseconds. */
const checkMs = 10

/** Schedules a check of the waiting requests only when there are any. */
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

/** Returns kafkajs' private class of request queues; null: it is not there or lacks the members that the patch uses. */
const requestQueueOf = (load: (path: string) => unknown): RequestQueueClass | null => {
  try {
    const queueClass = load('kafkajs/src/network/requestQueue/index.js') as RequestQueueClass
    const { pending, throttledUntil, throttleCheckTimeoutId, ...rest } = new queueClass({ clientId: '', broker: '' })
    const { prototype } = queueClass
    const fits =
      Array.isArray(pending) &&
      typeof throttledUntil === 'number' &&
      throttleCheckTimeoutId === null &&
      !('scheduleCheckPendingRequests' in rest) &&
      typeof prototype.checkPendingRequests === 'function' &&
      typeof prototype.scheduleCheckPendingRequests === 'function'
    return fits ? queueClass : null
  } catch {
    return null
  }
}

/**
 * Stops the idle timers of kafkajs 2.2.4 in this process. Unpatched, each connection checks every millisecond whether a
 * request waits, and sets a negative timeout, about which Node warns: tulios/kafkajs#1556, #1704, #1751. If another
 * version has no such class, kafkajs runs unpatched and a warning is logged.
 * @param load loads a file of kafkajs
 * @returns whether the patch was applied
 */
export const quietIdleTimers = (
  log: Pick<Log, 'warn'>,
  load: (path: string) => unknown = createRequire(import.meta.url),
): boolean => {
  const queue = requestQueueOf(load)
  if (queue) Object.assign(queue.prototype, { scheduleCheckPendingRequests })
  else log.warn({ library: 'kafkajs' }, 'patch does not fit this version, running unpatched with more idle CPU')
  return queue !== null
}
