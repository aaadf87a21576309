import { createRequire } from 'node:module'
import type { Log } from '@postrider/kit/log.ts'
import { misfitLog } from '@postrider/kit/misfitLog.ts'

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

/** Returns kafkajs' private class of request queues, or the reason why the patch does not fit it. */
const requestQueueOf = (load: (path: string) => unknown): RequestQueueClass | string => {
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
    return fits ? queueClass : 'the class RequestQueue has other members'
  } catch (thrown) {
    return `cannot create a RequestQueue: ${String(thrown)}`
  }
}

/**
 * Stops the idle timers of kafkajs 2.2.4 in this process. Unpatched, each connection checks every millisecond whether a
 * request waits, and sets a negative timeout, about which Node warns: tulios/kafkajs#1556, #1704, #1751. If another
 * version has no such class, kafkajs runs unpatched with more idle CPU, and a warning with the reason is logged.
 * @param load loads a file of kafkajs
 * @returns whether the patch was applied
 */
export const quietIdleTimers = (
  log: Pick<Log, 'warn'>,
  load: (path: string) => unknown = createRequire(import.meta.url),
): boolean => {
  const queue = requestQueueOf(load)
  if (typeof queue === 'string') {
    misfitLog(log, 'kafkajs')(queue)
    return false
  }
  Object.assign(queue.prototype, { scheduleCheckPendingRequests })
  return true
}
