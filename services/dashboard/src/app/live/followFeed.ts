import type { Event, EventPage } from '../../api/events.ts'
import { problemOf } from '../../api/problem.ts'

export type FollowFeedOptions = {
  /** Reads what arrived after a cursor, and waits for it. Null: what arrived in the last seconds. */
  wait(cursor: string | null, signal: AbortSignal): Promise<EventPage>
  /** Reads again what the events changed. The next request follows when it has ended. */
  onEvents(events: readonly Event[]): Promise<void>
  /** Resolves after a time, or immediately when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  now(): number
  random(): number
}

/** Time between the beginnings of two requests, even while events arrive all the time, in milliseconds. */
const minMs = 1_000
/** The longest pause after failures. */
const maxPauseMs = 30_000

/** Refusals that end the polling: the session has ended, or another tab moved it. */
const isEnd = (status: number, code: string): boolean => status === 401 || code === 'workspace_changed'

/** Follows the feed with one request at a time, until the signal is aborted or the session has ended. */
export const followFeed = async (options: FollowFeedOptions, signal: AbortSignal): Promise<void> => {
  const { wait, onEvents, pause, now, random } = options
  let [cursor, failures] = [null as string | null, 0]
  while (!signal.aborted) {
    const startedAt = now()
    try {
      const page = await wait(cursor, signal)
      if (signal.aborted) return
      ;[cursor, failures] = [page.next_cursor, 0]
      if (page.data.length > 0) await onEvents(page.data)
      await pause(Math.max(0, startedAt + minMs - now()), signal)
    } catch (thrown) {
      const { status, code } = problemOf(thrown)
      if (signal.aborted || isEnd(status, code)) return
      if (status === 400) cursor = null
      // 429: other tabs of this browser wait already.
      const ms = status === 429 ? maxPauseMs : Math.min(maxPauseMs, minMs * 2 ** failures++)
      await pause(ms * (0.75 + random() / 4), signal)
    }
  }
}
