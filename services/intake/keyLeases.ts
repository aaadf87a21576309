import type { Claim, ClaimRequest, Lease } from '@postrider/domain/idempotency/claim.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { withTimeout } from '@postrider/kit/deadline.ts'
import { pauseInBackground } from '@postrider/kit/pause.ts'
import { backoffs, retry } from '@postrider/kit/retry.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'

/** A claim of this process: the request runs until `done` or `end` is called. */
export type LeasedKey = {
  lease: Lease
  /** The key has its response or was released. */
  done(): void
  /** Ends the lease; if the store does not respond soon, in the background. Never throws. */
  end(): Promise<void>
}

export type KeyLeases = AsyncDisposable & {
  /** Claims a key. A claim that throws leaves no lease, even if the store executed it. */
  claim(request: ClaimRequest): Promise<{ claim: Claim; leased: LeasedKey | null }>
}

export type KeyLeasesOptions = {
  idempotency: Pick<IdempotencyStore, 'claim' | 'endLease'>
  durable: Durable
  now: Clock
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * Maximum number of leases that wait for the store. Each is dropped when it is over by itself, so this bounds only the
 * memory.
 */
const maxWaiting = 50_000
/** How many are ended at the same time. */
const maxConcurrent = 200
/** How long a response waits for the end of its lease. */
const responseWaitMs = 500
/** How long the stop of the process waits for the store. */
const stopWaitMs = 2_000

const nameOf = ({ scope, key }: Pick<Lease, 'scope' | 'key'>): string => `${scope.length} ${scope} ${key}`

/** The leases that are to be ended, at most `maxWaiting`: then the oldest are dropped. */
const leasesToEnd = () => {
  const byName = new Map<string, Set<Lease>>()
  let count = 0

  const remove = (lease: Lease): void => {
    const name = nameOf(lease)
    const leases = byName.get(name)
    if (!leases?.delete(lease)) return
    count--
    if (leases.size === 0) byName.delete(name)
  }

  return {
    add: (lease: Lease): void => {
      const name = nameOf(lease)
      byName.set(name, (byName.get(name) ?? new Set()).add(lease))
      count++
      const [oldest] = byName.values()
      if (count > maxWaiting) for (const dropped of oldest ?? []) remove(dropped)
    },
    remove,
    of: (key: Pick<Lease, 'scope' | 'key'>): Lease[] => [...(byName.get(nameOf(key)) ?? [])],
    all: (): Lease[] => [...byName.values()].flatMap((leases) => [...leases]),
    size: (): number => count,
  }
}

/**
 * Returns the leases of this process on idempotency keys. The lease of a request that failed is ended, so that the next
 * request with its key takes over immediately. While the store is unavailable, this is repeated until the lease is over
 * by itself; a claim in this process first ends what is known of its key. Disposing ends the leases of requests that
 * still run.
 */
export const keyLeases = ({ idempotency, durable, now, pause = pauseInBackground }: KeyLeasesOptions): KeyLeases => {
  const running = new Set<Lease>()
  const waiting = leasesToEnd()
  const stopping = new AbortController()
  let repeating = false

  const endOne = async (lease: Lease): Promise<void> => {
    if (lease.leaseUntil > now()) {
      await idempotency.endLease(lease)
      await durable.synced()
    }
    waiting.remove(lease)
  }

  /** Throws with the first failure: the store would refuse the rest too. */
  const endAll = async (): Promise<void> => {
    const leases = waiting.all()
    for (let first = 0; first < leases.length; first += maxConcurrent) {
      await Promise.all(leases.slice(first, first + maxConcurrent).map(endOne))
    }
  }

  /** The cause of a failure was logged with the request. */
  const repeat = async (): Promise<void> => {
    if (repeating) return
    repeating = true
    await retry(endAll, {
      backoff: backoffs.lease,
      shouldRetry: () => waiting.size() > 0 && !stopping.signal.aborted,
      pause: (ms) => pause(ms, stopping.signal),
    }).catch(() => {})
    repeating = false
  }

  const end = (lease: Lease): Promise<void> => {
    running.delete(lease)
    waiting.add(lease)
    return endOne(lease).catch(() => void repeat())
  }

  const leasedKey = (lease: Lease): LeasedKey => {
    running.add(lease)
    return { lease, done: () => void running.delete(lease), end: () => withTimeout(responseWaitMs, end(lease)) }
  }

  return {
    claim: async (request) => {
      const { scope, key, requestId, at, leaseMs } = request
      // If that fails, the store is unavailable for the claim too.
      await Promise.all(waiting.of(request).map(endOne))
      try {
        const claim = await idempotency.claim(request)
        if (claim.kind !== 'claimed') return { claim, leased: null }
        return { claim, leased: leasedKey({ scope, key, requestId, leaseUntil: claim.leaseUntil }) }
      } catch (thrown) {
        void end({ scope, key, requestId, leaseUntil: at + leaseMs })
        throw thrown
      }
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      for (const lease of running) waiting.add(lease)
      running.clear()
      await withTimeout(
        stopWaitMs,
        endAll().catch(() => {}),
      )
    },
  }
}
