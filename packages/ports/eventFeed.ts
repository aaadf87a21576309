import type { Mode } from '@postrider/domain/email/email.ts'
import type { EventType, FeedPosition, PublicEvent } from '@postrider/domain/events/event.ts'

/**
 * Reads the events of a workspace in the order of their time, then of their id. An email's events are part of its
 * record; the store has an index of them that is written with the record.
 */
export type EventFeed = {
  /**
   * Returns a page. If `until` is at least `feedDelayMs` in the past, no event is stored later that belongs before the
   * end of an ascending page. A reader that reads further looks back (`packages/domain/events/arrival.ts`).
   * @param signal aborted: reading stops, and what was found is returned
   */
  readEvents(query: FeedQuery, signal?: AbortSignal): Promise<FeedPage>
  /** Returns one event by its position; null: there is none, or it is of another workspace. */
  readEvent(workspace: string, position: FeedPosition): Promise<PublicEvent | null>
}

export type FeedQuery = {
  workspace: string
  /** Null: events of both modes. */
  mode: Mode | null
  /** Absent: all types. */
  types?: ReadonlySet<EventType>
  order: 'asc' | 'desc'
  /** Exclusive: the page begins after this position in reading order. Null: at the oldest or newest event. */
  after: FeedPosition | null
  /** Time of the newest event that is read; later events are left out. */
  until: number
  limit: number
}

export type FeedPage = {
  events: PublicEvent[]
  /**
   * Where the next page begins (`after`). In ascending order at the end: after `until`, so that a reader continues
   * there.
   */
  position: FeedPosition
  /** Whether events follow that are readable now. A page may have fewer than `limit` events although others follow. */
  hasMore: boolean
}
