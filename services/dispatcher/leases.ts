import type { Clock } from '@postrider/kit/clock.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'

/** How long a claim lasts, and how often its holder prolongs it. */
export const leaseMs = 30_000
const renewEveryMs = 10_000
/** After a renewal that failed: a store that is away for less than a lease costs no lease. */
const renewAgainMs = 2_000
/** A lease this near its end counts as lost: the clocks of two machines differ. */
const marginMs = 5_000

type Held = { fence: number; until: number }

export type Leases = AsyncDisposable & {
  /** @param until when it ends, in milliseconds since the epoch: counted from before the store was asked */
  hold(id: string, fence: number, until: number): void
  /** Where the email was claimed anew meanwhile, the new lease stays. */
  drop(id: string, fence: number): void
  /** Whether the lease is still ours, with enough of it left to send the final dot under it. */
  isHeld(id: string, fence: number): boolean
  size(): number
  /** Prolongs all that is held, in one update; what couldn't be prolonged is dropped. */
  renew(): Promise<void>
}

/**
 * What this worker holds. Renewed every 10 s by a timer; a worker that was paused finds its leases run out by its own
 * clock and is refused at the gate, before the store would refuse it by the fence.
 */
export const leases = (emails: Pick<EmailStore, 'renew'>, now: Clock, failed: (reason: unknown) => void): Leases => {
  const held = new Map<string, Held>()
  const renew = async (): Promise<void> => {
    if (held.size === 0) return
    const asked = [...held].map(([id, { fence }]) => ({ id, fence }))
    const until = now() + leaseMs
    const still = await emails.renew(asked, until)
    for (const { id, fence } of asked) {
      if (held.get(id)?.fence !== fence) continue
      if (still.has(id)) held.set(id, { fence, until })
      else held.delete(id)
    }
  }
  let renewing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const renewIn = (ms: number): void => {
    timer = setTimeout(() => {
      renewing = renew().then(
        () => renewIn(renewEveryMs),
        (reason: unknown) => {
          failed(reason)
          renewIn(renewAgainMs)
        },
      )
    }, ms)
    timer.unref()
  }
  renewIn(renewEveryMs)
  return {
    hold: (id, fence, until) => void held.set(id, { fence, until }),
    drop: (id, fence) => {
      if (held.get(id)?.fence === fence) held.delete(id)
    },
    isHeld: (id, fence) => {
      const lease = held.get(id)
      return lease?.fence === fence && lease.until - marginMs > now()
    },
    size: () => held.size,
    renew,
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer)
      await renewing
      clearTimeout(timer)
    },
  }
}
