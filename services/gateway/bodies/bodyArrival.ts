import type { ServerResponse } from 'node:http'
import { isBodyLate, minRate } from '@postrider/domain/fairness/minRate.ts'
import type { Step } from '../deps.ts'

/*
 * Returns whether a new connection can replace a connection while the body of its request arrives: it does, unless the
 * caller is known and sends at the minimum rate. Otherwise connections whose requests never end would keep all others
 * out.
 */

/** Event of a response: the caller of its request is known, and may make it. */
const callerKnown = Symbol('callerKnown')

/** Reports that the caller of a request is known. */
export const noteCaller: Step = (context, next) => {
  context.res.emit(callerKnown)
  return next()
}

/**
 * Code of the error of a request that does not arrive in time: of Node if that is its header, of connections.ts if it
 * is its body.
 */
export const lateRequest = 'ERR_HTTP_REQUEST_TIMEOUT'

/** The arrival of the body of one request. */
export type BodyArrival = {
  isReplaceable(): boolean
  /**
   * Compares what has arrived since the last check with the minimum rate.
   * @param sinceMs time since the last check
   * @returns whether this process has waited for the client too long
   */
  check(sinceMs: number): boolean
}

/** @param onChange is called when the result of `isReplaceable` may have changed */
export const bodyArrival = (response: ServerResponse, onChange: () => void): BodyArrival => {
  const { req: request } = response
  const { socket } = request
  let [isComplete, isKnown, isSlow] = [false, false, false]
  /** Null: since the last check the caller has become known. */
  let arrivedBytes: number | null = null
  /** Time in which this process waited for the client; null: there was no check yet. */
  let waitedMs: number | null = null
  response.once(callerKnown, () => {
    isKnown = true
    onChange()
  })
  request.once('end', () => {
    isComplete = true
    onChange()
  })
  /**
   * Whether the body waits for this process. A body that is read part by part always counts as paused, so that shows
   * nothing.
   */
  const isWaiting = (): boolean => request.complete || request.readableLength > 0
  const compareRate = (sinceMs: number): void => {
    const { bytesRead } = socket
    if (arrivedBytes !== null) {
      isSlow = !isWaiting() && (bytesRead - arrivedBytes) * 1_000 < minRate.bytesPerSecond * sinceMs
      onChange()
    }
    arrivedBytes = bytesRead
  }
  return {
    isReplaceable: () => !isComplete && (!isKnown || isSlow),
    check: (sinceMs) => {
      if (isComplete) return false
      if (isKnown) compareRate(sinceMs)
      // The request may have begun just before the first check.
      if (waitedMs === null) waitedMs = 0
      else if (!isWaiting()) waitedMs += sinceMs
      return isBodyLate(waitedMs)
    },
  }
}
