import type { Clock } from '@postrider/kit/clock.ts'
import { every } from '@postrider/kit/every.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import type { Suspensions } from '@postrider/ports/suspensions.ts'

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
