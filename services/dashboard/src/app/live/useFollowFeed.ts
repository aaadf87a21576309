import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import type { Api } from '../../api/client.ts'
import { waitForEvents } from '../../api/events.ts'
import { needsTotp, useSession } from '../../api/session.ts'
import type { Mode } from '../../api/types.ts'
import { useMode } from '../mode.tsx'
import { type Changes, changesOf, isAffected, isAffectedLater } from './affected.ts'
import { followFeed } from './followFeed.ts'

/** Pause before the first request, so that it takes no connection from what the screen reads first. */
const beginMs = 1_000
/** Time by which counts lag behind the first event that changes them. */
const laterMs = 3_000

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })

/** Reads again what changed, and resolves then. A read that began before is dropped: it may not have the change. */
const refresh = (queries: QueryClient, changes: Changes): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => isAffected(changes, queryKey) })

/** Returns a function that reads again what changes later, once for all events until then. */
const laterReader = (queries: QueryClient, signal: AbortSignal) => {
  let isPlanned = false
  return (): void => {
    if (isPlanned) return
    isPlanned = true
    pause(laterMs, signal).then(() => {
      isPlanned = false
      if (!signal.aborted) queries.invalidateQueries({ predicate: ({ queryKey }) => isAffectedLater(queryKey) })
    })
  }
}

/** Follows the feed of a workspace's mode while the tab is visible. @returns a function that ends it */
const followWhileVisible = (api: Api, queries: QueryClient, mode: Mode): (() => void) => {
  let ending: AbortController | null = null
  const begin = (isAgain: boolean): void => {
    ending = new AbortController()
    const { signal } = ending
    const readLater = laterReader(queries, signal)
    // Events of a longer time than the feed looks back to were missed.
    if (isAgain) refresh(queries, null).then(readLater)
    const follow = async (): Promise<void> => {
      await pause(beginMs, signal)
      const options = {
        wait: waitForEvents(api, mode),
        onEvents: async (events: Parameters<typeof changesOf>[0]) => {
          readLater()
          await refresh(queries, changesOf(events))
        },
        pause,
        now: () => performance.now(),
        random: Math.random,
      }
      await followFeed(options, signal)
    }
    follow()
  }
  const onVisibility = (): void => {
    const isVisible = document.visibilityState === 'visible'
    if (isVisible && ending === null) begin(true)
    if (isVisible) return
    ending?.abort()
    ending = null
  }
  if (document.visibilityState === 'visible') begin(false)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    ending?.abort()
  }
}

/**
 * Shows on every screen what happens to the workspace, within about a second. One request of the tab waits for events;
 * what they change is read again. A hidden tab waits for nothing.
 */
export const useFollowFeed = (): void => {
  const api = useApi()
  const queries = useQueryClient()
  const { mode } = useMode()
  const session = useSession()
  const workspace = needsTotp(session) ? null : session.workspace.id
  const { csrf_token: token } = session
  // biome-ignore lint/correctness/useExhaustiveDependencies: a request that waits has the cookie of the session that `token` belongs to
  useEffect(() => {
    if (workspace === null) return
    return followWhileVisible(api, queries, mode)
  }, [api, queries, mode, workspace, token])
}
