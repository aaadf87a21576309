import { rateLimitClient } from '@postrider/domain/network.ts'
import type { Step } from '../deps.ts'

/** Refused and abandoned requests of a client in this second and the last, above which its requests begin one by one. */
const manyFailures = 30

export type ClientTurns = {
  /** Whether a request has to wait for a turn. */
  mustWait(address: string): boolean
  /** Resolves in a later turn of the event loop: in each, one request of a client begins. */
  turn(address: string): Promise<void>
  /** Counts a request that was refused, or that its client abandoned. */
  failed(address: string): void
}

/** @param elapsed monotonic time in milliseconds */
export const clientTurns = (elapsed: () => number): ClientTurns => {
  const failures = recentCounts(elapsed)
  const waiting = new Map<string, (() => void)[]>()
  const next = (): void => {
    for (const [client, starts] of waiting) {
      starts.shift()?.()
      if (starts.length === 0) waiting.delete(client)
    }
    if (waiting.size > 0) setImmediate(next)
  }
  return {
    mustWait: (address) => {
      if (waiting.size === 0 && failures.isEmpty()) return false
      const client = rateLimitClient(address)
      return waiting.has(client) || failures.of(client) > manyFailures
    },
    turn: (address) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (waiting.size === 0) setImmediate(next)
      const client = rateLimitClient(address)
      const starts = waiting.get(client)
      if (starts) starts.push(resolve)
      else waiting.set(client, [resolve])
      return promise
    },
    failed: (address) => failures.add(rateLimitClient(address)),
  }
}

/** Counts events by name in this second and the last. */
const recentCounts = (elapsed: () => number) => {
  let second = 0
  let [current, last] = [new Map<string, number>(), new Map<string, number>()]
  const forgetOld = (): void => {
    const now = Math.floor(elapsed() / 1_000)
    if (now === second) return
    last = now === second + 1 ? current : new Map()
    current = new Map()
    second = now
  }
  return {
    isEmpty: (): boolean => current.size === 0 && last.size === 0,
    of: (name: string): number => {
      forgetOld()
      return (current.get(name) ?? 0) + (last.get(name) ?? 0)
    },
    add: (name: string): void => {
      forgetOld()
      current.set(name, (current.get(name) ?? 0) + 1)
    },
  }
}

/**
 * Makes the requests of a client that causes many failures begin one by one, so that a flood of requests that are cheap to
 * refuse does not fill every turn of the event loop. Others, and clients whose requests succeed, do not wait.
 */
export const takeTurns = (): Step => {
  const turns = clientTurns(() => performance.now())
  return async function takeTurns(context, next) {
    const { clientAddress } = context.state
    if (turns.mustWait(clientAddress)) await turns.turn(clientAddress)
    await next()
    if (context.status >= 400 || context.req.socket.destroyed) turns.failed(clientAddress)
  }
}
