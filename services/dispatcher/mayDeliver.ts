import { emailLeaseMs, leaseMarginMs, renewAfterFailureMs, renewEveryMs } from '@postrider/domain/email/leases.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { every } from '@postrider/kit/every.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Suspensions } from '@postrider/ports/suspensions.ts'

/*
 * An email is delivered only while its lease is held and its workspace is not suspended. Both are calls of the store
 * that are repeated every few seconds, so that a claim, a worker and the gate read them from memory.
 */

/** The leases that this process holds. */
export type Leases = AsyncDisposable & {
  /** @param until end of the lease in milliseconds since the epoch, counted from before the store was called */
  add(id: string, fence: number, until: number): void
  /** Removes a lease. A newer lease of the same email stays. */
  drop(id: string, fence: number): void
  /** Whether the lease is held with enough time left to send the final dot. */
  isLeased(id: string, fence: number): boolean
  size(): number
  /** Renews all leases in one update and drops those that the store refuses. */
  renew(): Promise<void>
}

/**
 * Holds leases and renews them periodically. A process that was paused finds its leases expired by its own clock, so
 * its gate refuses before the store would refuse by the fence.
 */
export const workerLeases = (
  emails: Pick<EmailStore, 'renew'>,
  now: Clock,
  onError: (reason: unknown) => void,
): Leases => {
  const leased = new Map<string, { fence: number; until: number }>()
  const renew = async (): Promise<void> => {
    if (leased.size === 0) return
    const leases = [...leased].map(([id, { fence }]) => ({ id, fence }))
    const until = now() + emailLeaseMs
    const renewed = await emails.renew(leases, until)
    for (const { id, fence } of leases) {
      if (leased.get(id)?.fence !== fence) continue
      if (renewed.has(id)) leased.set(id, { fence, until })
      else leased.delete(id)
    }
  }
  const renewing = every(renew, {
    delayMs: (failed) => (failed ? renewAfterFailureMs : renewEveryMs),
    onError,
  })
  return {
    add: (id, fence, until) => void leased.set(id, { fence, until }),
    drop: (id, fence) => {
      if (leased.get(id)?.fence === fence) leased.delete(id)
    },
    isLeased: (id, fence) => {
      const lease = leased.get(id)
      return lease?.fence === fence && lease.until - leaseMarginMs > now()
    },
    size: () => leased.size,
    renew,
    [Symbol.asyncDispose]: () => renewing[Symbol.asyncDispose](),
  }
}

/** The suspended workspaces at the last read of this process. */
export type SuspendedWorkspaces = AsyncDisposable & {
  /**
   * Returns the workspaces by a read that is at most 4 s old; a promise only if they have to be read first.
   * @throws Fault `unavailable`: they cannot be read now
   */
  current(): ReadonlySet<string> | Promise<ReadonlySet<string>>
  /** Whether the workspace was suspended at the last read. */
  has(workspace: string): boolean
  /** Reads the workspaces now. */
  refresh(): Promise<void>
}

export type SuspendedWorkspacesOptions = {
  suspensions: Suspensions
  now: Clock
  /** Called when a workspace was resumed: its mail may be due. */
  onResumed(): void
  onError(reason: unknown): void
}

const readEveryMs = 2_000
/** Claims wait for a read when the last one is older. With the time of a read, a suspension takes effect within 5 s. */
const oldestMs = 4_000

export const suspendedWorkspaces = (options: SuspendedWorkspacesOptions): SuspendedWorkspaces => {
  const { suspensions, now, onResumed, onError } = options
  let known: { workspaces: ReadonlySet<string>; at: number } | null = null

  const read = async (): Promise<void> => {
    const at = now()
    const workspaces = await suspensions.suspended()
    const resumed = known !== null && [...known.workspaces].some((workspace) => !workspaces.has(workspace))
    known = { workspaces, at }
    if (resumed) onResumed()
  }
  const { run: refresh } = singleFlight(read)
  const refreshing = every(refresh, { delayMs: () => readEveryMs, startNow: true, onError })

  return {
    current: () => {
      if (known && Math.abs(now() - known.at) <= oldestMs) return known.workspaces
      return refresh().then(() => known?.workspaces ?? new Set())
    },
    has: (workspace) => known?.workspaces.has(workspace) ?? false,
    refresh,
    [Symbol.asyncDispose]: () => refreshing[Symbol.asyncDispose](),
  }
}
