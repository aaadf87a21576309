import type { FeedPosition } from '../events/event.ts'

/** The events of a time window, sent once more to an endpoint, in order. Times are milliseconds since the epoch. */
export type WebhookReplay = {
  /** `rpl_…` */
  id: string
  endpoint: string
  workspace: string
  from: number
  /** Excluded. */
  to: number
  /** `canceled`: the endpoint was disabled or removed. */
  status: 'running' | 'done' | 'canceled'
  /** The last event that was looked at; null: it has not begun. */
  cursor: FeedPosition | null
  sent: number
  /** Events that the receiver accepted immediately. The others are retried as usual. */
  delivered: number
  createdAt: number
  endedAt: number | null
}

/** A replay with its place in the queue. */
export type ClaimedReplay = { replay: WebhookReplay; fence: number }

/** For how long a replay is worked on before one that waits gets its place. */
export const replayTurnMs = 20_000

/** Time between two events of a replay: 10 a second at most. */
export const replayEveryMs = 100
