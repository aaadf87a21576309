import { hash } from 'node:crypto'
import { afterAllIds } from '../ids.ts'
import { byPosition, type FeedPosition, feedDelayMs, type PublicEvent } from './event.ts'

/*
 * A reader that gets events as soon as they are stored must look back: an event may be stored up to `feedDelayMs` after
 * its time, and so sort before events that the reader has. The reader's position therefore contains a digest of the ids
 * of its events of this time. While the digest matches, no event was stored late, and the reader gets the new ones.
 * Otherwise it gets all events of this time again, which include the late one.
 */

/** Position of a reader that gets events as soon as they are stored. */
export type ArrivalPosition = {
  /**
   * No later event can be stored before this position. Exception: there are too many events since it to look back.
   */
  complete: FeedPosition
  /** The reader has the events up to here. */
  seen: FeedPosition
  /** Digest of the ids of the events after `complete` up to `seen`. */
  digest: string
}

/**
 * Events up to which a reader looks back, of its types. Of a workspace with more events in `feedDelayMs`, a late one
 * may be missed; also one of a rare type, if a read cannot look through the events of all types in this time.
 */
export const maxLookedBack = 500

const digestOf = (events: readonly Pick<PublicEvent, 'id'>[]): string => {
  if (events.length === 0) return ''
  return hash('sha256', events.map(({ id }) => id).join(), 'buffer').toString('base64url', 0, 9)
}

/** Returns the end of what no late event can precede, at a time in milliseconds. */
const completeAt = (now: number): FeedPosition => ({ at: Math.max(0, now - feedDelayMs), id: afterAllIds })

/** Returns the position of a new reader: it gets the events of the last `feedDelayMs`. */
export const newArrivals = (now: number): ArrivalPosition => {
  const complete = completeAt(now)
  return { complete, seen: complete, digest: '' }
}

const later = (one: FeedPosition, other: FeedPosition): FeedPosition => (byPosition(one, other) < 0 ? other : one)
const earlier = (one: FeedPosition, other: FeedPosition): FeedPosition => (byPosition(one, other) < 0 ? one : other)
const positionOf = ({ at, id }: FeedPosition): FeedPosition => ({ at, id })

/**
 * Returns how many events to read after the complete part of a position, for at most `limit` that the reader does not
 * have.
 */
export const maxToRead = ({ complete, seen }: ArrivalPosition, limit: number): number =>
  byPosition(seen, complete) > 0 ? maxLookedBack + limit : limit

/** Events that were read after the complete part of a position, in the order of time. */
export type ReadSince = { events: readonly PublicEvent[]; position: FeedPosition; hasMore: boolean }

/**
 * Returns what a reader at a position gets: at most `limit` events, and its next position. Repeats events if one was
 * stored late or removed.
 */
export const arrivals = (
  from: ArrivalPosition,
  { events, position, hasMore }: ReadSince,
  { now, limit }: { now: number; limit: number },
): { events: PublicEvent[]; next: ArrivalPosition; hasMore: boolean } => {
  const known = events.filter((event) => byPosition(event, from.seen) <= 0)
  const fresh = digestOf(known) === from.digest ? events.slice(known.length) : events
  const page = fresh.slice(0, limit)
  const isAll = page.length === fresh.length && !hasMore
  const last = page.at(-1)
  // The read ended before it had enough events, because it met too many of other types.
  const isCutShort = hasMore && page.length === fresh.length && page.length < limit
  const end = isCutShort ? later(from.seen, position) : last ? positionOf(last) : from.seen
  const mayLookBack = !isCutShort || isLonger(from, completeAt(now))
  const complete = later(from.complete, isAll ? completeAt(now) : mayLookBack ? earlier(completeAt(now), end) : end)
  const seen = later(end, complete)
  return { events: page, next: bounded({ complete, seen }, events), hasMore: !isAll }
}

/**
 * Whether a read from a position began before what a reader looks back to. If a read that did not was cut short, the
 * next read would look back to the same events, and would end before it met new ones.
 */
const isLonger = ({ complete, seen }: ArrivalPosition, lookBack: FeedPosition): boolean =>
  byPosition(complete, seen) === 0 && byPosition(complete, lookBack) < 0

/** Adds the digest to a position, and moves `complete` if there is too much to look back to. */
const bounded = (
  { complete, seen }: Omit<ArrivalPosition, 'digest'>,
  events: readonly PublicEvent[],
): ArrivalPosition => {
  const within = events.filter((event) => byPosition(event, complete) > 0 && byPosition(event, seen) <= 0)
  const left = within.at(-maxLookedBack - 1)
  return {
    complete: left ? positionOf(left) : complete,
    seen,
    digest: digestOf(within.slice(-maxLookedBack)),
  }
}
