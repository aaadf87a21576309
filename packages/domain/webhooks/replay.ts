import { type FeedPosition, feedDelayMs } from '../events/event.ts'
import { afterAllIds } from '../ids.ts'
import type { Problem } from '../problem.ts'
import type { WebhookEndpoint } from './endpoint.ts'

/** `canceled`: the endpoint was disabled or removed. */
export const replayStatuses = ['running', 'done', 'canceled'] as const
export type ReplayStatus = (typeof replayStatuses)[number]

/** The events of a time window, sent once more to an endpoint, in order. Times are milliseconds since the epoch. */
export type WebhookReplay = {
  /** `rpl_…` */
  id: string
  endpoint: string
  workspace: string
  from: number
  /** Excluded. */
  to: number
  status: ReplayStatus
  /** The last event that was read; null: the replay has not begun. */
  cursor: FeedPosition | null
  sent: number
  /** Events that the receiver accepted immediately. The others are retried as usual. */
  delivered: number
  createdAt: number
  endedAt: number | null
}

/** A replay with its position in the queue. */
export type ClaimedReplay = { replay: WebhookReplay; fence: number }

/** Returns when a replay may be claimed: at its creation, or when its lease ends; null: never, it has ended. */
export const replayDueAt = (
  { status, createdAt }: Pick<WebhookReplay, 'status' | 'createdAt'>,
  leaseUntil: number | null,
): number | null => (status === 'running' ? (leaseUntil ?? createdAt) : null)

/** Maximum time of a replay before a waiting replay gets its slot. */
export const replayTurnMs = 20_000

/** Time between two events of a replay: 10 a second at most. */
export const replayEveryMs = 100

/** The time window of a replay; `to` is excluded. */
export type ReplayWindow = Pick<WebhookReplay, 'from' | 'to'>

/** A client's clock may be ahead. */
const clockSkewMs = 60_000

const endProblem = (path: string, at: number, latest: number): Problem[] =>
  at > latest ? [{ path, code: 'time_in_future', message: 'Must not be in the future.' }] : []

/**
 * Returns the window that a replay covers, or the problem of the requested one.
 * @param recordMs how long events are stored: earlier ones do not exist
 */
export const replayWindow = (
  { from, to }: ReplayWindow,
  now: number,
  recordMs: number,
): { window: ReplayWindow } | { problems: [Problem, ...Problem[]] } => {
  const [first, ...others] = [...endProblem('from', from, now), ...endProblem('to', to, now + clockSkewMs)]
  if (first) return { problems: [first, ...others] }
  if (from >= to) {
    return { problems: [{ path: 'to', code: 'not_after_from', message: 'Must be later than `from`.' }] }
  }
  return { window: { from: Math.max(from, now - recordMs), to: Math.min(to, now + 1) } }
}

/** Returns a new replay. @param id `rpl_…` */
export const newReplay = (
  id: string,
  { id: endpoint, workspace }: Pick<WebhookEndpoint, 'id' | 'workspace'>,
  { from, to }: ReplayWindow,
  now: number,
): WebhookReplay => ({
  id,
  endpoint,
  workspace,
  from,
  to,
  status: 'running',
  cursor: null,
  sent: 0,
  delivered: 0,
  createdAt: now,
  endedAt: null,
})

/** The part of the feed that a replay reads next. `isWhole`: the feed shows all events of the window. */
export type ReplayRange = { after: FeedPosition; until: number; isWhole: boolean }

/**
 * Returns the part of the feed that a replay reads next: what follows its cursor, up to the last event that is shown.
 */
export const nextReplayRange = (
  { from, to, cursor }: Pick<WebhookReplay, 'from' | 'to' | 'cursor'>,
  now: number,
): ReplayRange => {
  const [visible, last] = [now - feedDelayMs, to - 1]
  return {
    after: cursor ?? { at: from - 1, id: afterAllIds },
    until: Math.min(last, visible),
    isWhole: visible >= last,
  }
}

/** Time until a replay whose window is not shown yet reads the feed again. */
export const replayWaitMs = feedDelayMs / 5

/** Returns a replay after it has sent an event. @param isDelivered whether the receiver accepted it immediately */
export const afterReplayedEvent = (
  replay: WebhookReplay,
  { at, id }: FeedPosition,
  isDelivered: boolean,
): WebhookReplay => ({
  ...replay,
  cursor: { at, id },
  sent: replay.sent + 1,
  delivered: replay.delivered + (isDelivered ? 1 : 0),
})

/**
 * Next step after a page without events. `done`: the window is read. `next`: the position of the page is read next.
 * `wait`: the feed shows more later.
 */
export type EmptyPageStep = 'done' | 'next' | 'wait'

/** Decides how a replay continues after a page without events. */
export const afterEmptyPage = ({ hasMore, isWhole }: { hasMore: boolean; isWhole: boolean }): EmptyPageStep => {
  if (hasMore) return 'next'
  return isWhole ? 'done' : 'wait'
}

/** Returns a replay that has ended. */
export const endedReplay = (
  replay: WebhookReplay,
  status: Exclude<ReplayStatus, 'running'>,
  endedAt: number,
): WebhookReplay => ({ ...replay, status, endedAt })
