import { emailLeaseMs, leaseMarginMs, renewAfterFailureMs, renewEveryMs } from '@postrider/domain/email/leases.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { every } from '@postrider/kit/every.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'

/** The leases that this process holds. */
export type Leases = AsyncDisposable & {
  /** @param until end of the lease in milliseconds since the epoch, counted from before the store was called */
  hold(id: string, fence: number, until: number): void
  /** Removes a lease. A newer lease of the same email stays. */
  drop(id: string, fence: number): void
  /** Whether the lease is held with enough time left to send the final dot. */
  isHeld(id: string, fence: number): boolean
  size(): number
  /** Renews all leases in one update and drops those that the store refuses. */
  renew(): Promise<void>
}

/**
 * Holds leases and renews them periodically. A process that was paused finds its leases expired by its own clock, so
 * its gate refuses before the store would refuse by the fence.
 */
export const heldLeases = (
  emails: Pick<EmailStore, 'renew'>,
  now: Clock,
  onError: (reason: unknown) => void,
): Leases => {
  const held = new Map<string, { fence: number; until: number }>()
  const renew = async (): Promise<void> => {
    if (held.size === 0) return
    const leases = [...held].map(([id, { fence }]) => ({ id, fence }))
    const until = now() + emailLeaseMs
    const renewed = await emails.renew(leases, until)
    for (const { id, fence } of leases) {
      if (held.get(id)?.fence !== fence) continue
      if (renewed.has(id)) held.set(id, { fence, until })
      else held.delete(id)
    }
  }
  const renewing = every(renew, {
    delayMs: (failed) => (failed ? renewAfterFailureMs : renewEveryMs),
    onError,
  })
  return {
    hold: (id, fence, until) => void held.set(id, { fence, until }),
    drop: (id, fence) => {
      if (held.get(id)?.fence === fence) held.delete(id)
    },
    isHeld: (id, fence) => {
      const lease = held.get(id)
      return lease?.fence === fence && lease.until - leaseMarginMs > now()
    },
    size: () => held.size,
    renew,
    [Symbol.asyncDispose]: () => renewing[Symbol.asyncDispose](),
  }
}
