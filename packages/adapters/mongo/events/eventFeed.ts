import { type Email, type EmailEvent, modes } from '@postrider/domain/email/email.ts'
import {
  byPosition,
  type FeedPosition,
  type PublicEvent,
  publicEmailEvent,
  publicWorkspaceEvent,
} from '@postrider/domain/events/event.ts'
import {
  endOf,
  hasEmailTypes,
  hasWorkspaceTypes,
  inOrder,
  isSelected,
  maxReadOfPage,
  startOf,
  typeTexts,
} from '@postrider/domain/events/select.ts'
import { afterAllIds } from '@postrider/domain/ids.ts'
import { hourMs } from '@postrider/domain/time.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { EventFeed, FeedQuery } from '@postrider/ports/eventFeed.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import type { EmailDoc } from '../emails/document.ts'
import { batchEmails, pacedEmails } from '../emails/pacedEmails.ts'
import { type WorkspaceEventDoc, workspaceEventOf } from './workspaceEvents.ts'

/*
 * The index of events has an entry for each time of an email's events. MongoDB cannot sort by it: it would sort an
 * email by the earliest of all its times. So a page is read in windows of time: first the times of the emails of a
 * window, without an order, which are sorted here, then the records of as many of them as the page needs. A window with
 * too many documents is read again in smaller ones.
 *
 * Types have no index: the server reads every email of a window to find those with an event of the types. So the emails
 * of a window are counted in the index before, and the page ends when it has read enough, even if it found nothing.
 */

/**
 * Emails and other events of one window: twice the limit of the page, within these bounds. Each has at least one event
 * of the window.
 */
const [minDocs, maxDocs] = [20, 200]
/** Emails of one window in which types are searched. */
const maxSearched = 2_000
const firstWindowMs = hourMs
/** Maximum factor by which a window grows, and the factor by which it shrinks if it has too many documents. */
const factor = 16

/** A window of time, both ends included. */
type Window = { from: number; to: number }

/**
 * The feed of events in MongoDB.
 * @param maxRead documents of one page in which types are searched
 * @param slices runs the reading of records
 */
export const mongoEventFeed = (db: Db, maxRead: number = maxReadOfPage, slices: Slices = makeSlices()): EventFeed => {
  const reader = windowReader(db, slices)
  const firstAt = firstTime(db)
  return withMappedErrors({
    readEvents: async (query: FeedQuery, signal?: AbortSignal) => {
      const start = startOf(query)
      const edge = query.order === 'asc' ? query.until : await firstAt(query.workspace)
      const begin = query.order === 'asc' && query.after === null ? await firstAt(query.workspace) : start.at
      const windows = windowsFrom(query.order, begin, edge)
      const events: PublicEvent[] = []
      let [position, searched] = [start, 0]
      const bounds = {
        returned: Math.min(maxDocs, Math.max(minDocs, 2 * query.limit)),
        searched: Math.min(maxSearched, maxRead),
      }
      for (let window = windows.first(); window !== null; ) {
        const found = await reader({ ...query, signal, limit: query.limit - events.length }, window, bounds)
        if (found === null) {
          window = windows.smaller(window)
          continue
        }
        if (signal?.aborted) return { events, position, hasMore: true }
        searched += found.searched
        events.push(...found.events)
        if (events.length > query.limit) return pageOf(events.slice(0, query.limit), position)
        position = query.order === 'asc' ? { at: window.to, id: afterAllIds } : { at: window.from, id: '' }
        const isDone = windows.isLast(window)
        if (isDone) break
        if (events.length === query.limit || searched >= maxRead) return { events, position, hasMore: true }
        window = windows.next(window, found.fullness)
      }
      return { events, position: endOf(query), hasMore: false }
    },
    readEvent: async (workspace: string, position: FeedPosition) => {
      // No id ends so: the position directly before.
      const after = { at: position.at, id: position.id.slice(0, -1) }
      const query = { workspace, order: 'asc' as const, after, until: position.at, limit: 1 }
      for (const mode of modes) {
        const found = await reader({ ...query, mode }, { from: position.at, to: position.at })
        const event = found?.events.find((one) => byPosition(one, position) === 0)
        if (event) return event
      }
      return null
    },
  } satisfies EventFeed)
}

const pageOf = (events: PublicEvent[], before: FeedPosition) => {
  const { at, id } = events.at(-1) ?? before
  return { events, position: { at, id }, hasMore: true }
}

/**
 * Divides the time from `begin` to `edge` into windows. A window with too many emails shrinks. The length of the next
 * window is expected to make it half full, and not more than `factor` times as long. While the windows in a period
 * with too many emails are empty, the rest of the period has too many: then a window is at most twice as long as the
 * last one, and half of the rest. Otherwise a reader that comes from a long pause would read the same emails again.
 */
const windowsFrom = (order: FeedQuery['order'], begin: number, edge: number) => {
  let lengthMs = firstWindowMs
  /** The last window with too many emails, while all later windows are empty. */
  let crowded: Window | null = null
  const from = (start: number): Window | null => {
    if (order === 'asc') return start > edge ? null : { from: start, to: Math.min(edge, start + lengthMs - 1) }
    return start < edge ? null : { from: Math.max(edge, start - lengthMs + 1), to: start }
  }
  return {
    first: () => from(begin),
    /** @param fullness of the last window, from 0 to 1 */
    next: (window: Window, fullness: number) => {
      if (fullness > 0) crowded = null
      const restMs = crowded === null ? 0 : order === 'asc' ? crowded.to - window.to : window.from - crowded.from
      // It is also 0 at the end of a period whose emails were removed in between.
      if (restMs === 0) crowded = null
      if (restMs > 0) lengthMs = Math.max(1, Math.min(2 * lengthMs, Math.floor(restMs / 2)))
      else lengthMs = Math.ceil(lengthMs * Math.min(factor, Math.max(1, 0.5 / fullness)))
      return from(order === 'asc' ? window.to + 1 : window.from - 1)
    },
    smaller: (window: Window) => {
      crowded = window
      lengthMs = Math.max(1, Math.floor((window.to - window.from + 1) / factor))
      return from(order === 'asc' ? window.from : window.to)
    },
    isLast: (window: Window) => (order === 'asc' ? window.to >= edge : window.from <= edge),
  }
}

/** Returns a function that finds when the oldest mail or event of a workspace is from. */
const firstTime = (db: Db): ((workspace: string) => Promise<number>) => {
  const emails = db.collection<EmailDoc>('emails')
  const others = db.collection<WorkspaceEventDoc>('workspace_events')
  return async (workspace) => {
    const [email, other] = await Promise.all([
      emails.findOne(
        { workspace: scalar(workspace) },
        { projection: { createdAt: 1 }, sort: { createdAt: 1, _id: 1 } },
      ),
      others.findOne({ workspace: scalar(workspace) }, { projection: { at: 1 }, sort: { at: 1 } }),
    ])
    return Math.min(email?.createdAt ?? Number.MAX_SAFE_INTEGER, other?.at ?? Number.MAX_SAFE_INTEGER)
  }
}

/** Maximum number of documents of a window, returned and searched. */
type Bounds = { returned: number; searched: number }

/**
 * `events`: the first ones in reading order, and more than the limit if there are. `fullness`: from 0 to 1, how near
 * the window is to its bounds.
 */
type FoundInWindow = { events: PublicEvent[]; searched: number; fullness: number }

/** `signal`: aborted, reading stops, and the events that are returned are not complete. */
type WindowQuery = FeedQuery & { signal?: AbortSignal | undefined }

type ReadWindow = (query: WindowQuery, window: Window, bounds?: Bounds) => Promise<FoundInWindow | null>

const unbounded: Bounds = { returned: Number.POSITIVE_INFINITY, searched: Number.POSITIVE_INFINITY }

/** Returns a function that reads the first events of a window; null: there are too many documents. */
const windowReader = (db: Db, slices: Slices): ReadWindow => {
  const emails = db.collection<EmailDoc>('emails')
  const others = db.collection<WorkspaceEventDoc>('workspace_events')
  const readFirst = firstEvents(emails, slices)
  return async (query, window, bounds = unbounded) => {
    // A window of 1 ms cannot be divided: all of it is read.
    const bound = window.from === window.to ? unbounded : bounds
    const limited = Number.isFinite(bound.returned) ? { limit: bound.returned + 1 } : {}
    const workspace = scalar(query.workspace)
    const range = { $gte: window.from, $lte: window.to }
    const types = ofTypes(query)
    const found: EmailTime[] = []
    const events: PublicEvent[] = []
    let [returned, searched] = [0, 0]
    for (const mode of query.mode === null ? modes : [query.mode]) {
      if (hasEmailTypes(query)) {
        const filter: Filter<EmailDoc> = { workspace, mode, eventsAt: { $elemMatch: range } }
        if (types !== null && Number.isFinite(bound.searched)) {
          searched += await emails.countDocuments(filter, { limit: bound.searched - searched + 1 })
          if (searched > bound.searched) return null
        }
        // Without the records, so that a window which is read again in smaller ones costs little.
        const times = emails.find({ ...filter, ...types }, { projection: { eventsAt: 1 }, ...limited })
        for await (const { _id, eventsAt = [] } of times) {
          if (++returned > bound.returned) return null
          found.push({ id: _id, ...timesIn(query, window, eventsAt) })
        }
      }
      if (hasWorkspaceTypes(query))
        for await (const one of others.find({ workspace, mode, at: range }, limited)) {
          if (++returned > bound.returned) return null
          const event = publicWorkspaceEvent(workspaceEventOf(one))
          if (isSelected(query, event)) events.push(event)
        }
    }
    const fullness = Math.max(returned / bounds.returned, searched / bounds.searched)
    const first = await readFirst(query, window, { found, events })
    return { events: first, searched: Math.max(searched, returned), fullness }
  }
}

/**
 * An email, the time of its first event of a window in reading order, and how many events of the page it has there. If
 * only some types are read, it may have more.
 */
type EmailTime = { id: string; at: number; events: number }

const timesIn = (
  { order, types }: FeedQuery,
  { from, to }: Window,
  times: readonly number[],
): Pick<EmailTime, 'at' | 'events'> => {
  const inside = times.filter((at) => at >= from && at <= to).toSorted((one, other) => one - other)
  const events = types === undefined ? inside.length : 1
  return { at: (order === 'asc' ? inside[0] : inside.at(-1)) ?? from, events }
}

/** Returns the first emails that together have `wanted` events, or as many as one batch has. */
const emailsWith = (found: readonly EmailTime[], wanted: number): EmailTime[] => {
  let [count, events] = [0, 0]
  while (count < batchEmails && count < found.length && events < wanted) {
    events += found[count]?.events ?? 0
    count++
  }
  return found.slice(0, Math.max(1, count))
}

/**
 * Returns a function that reads emails of a window in the order of their first events, and stops when no other email
 * can have an event of the page. It returns the first events in reading order, one more than the query's limit at most.
 */
const firstEvents = (emails: Collection<EmailDoc>, slices: Slices) => {
  return async (
    query: WindowQuery,
    window: Window,
    { found, events }: { found: EmailTime[]; events: PublicEvent[] },
  ): Promise<PublicEvent[]> => {
    const { order, limit, signal } = query
    const inReadingOrder = inOrder(order, found)
    let first = inOrder(order, events).slice(0, limit + 1)
    for (let read = 0; read < inReadingOrder.length; ) {
      const next = emailsWith(inReadingOrder.slice(read, read + batchEmails), limit + 1 - first.length)
      read += next.length
      if (signal?.aborted || isBefore(order, first[limit]?.at, next[0]?.at)) break
      const ids = next.map(({ id }) => id)
      const cursor = emails.find({ _id: { $in: ids } }, { projection: { doc: 1 } })
      for await (const email of pacedEmails(cursor, slices.of(query.workspace))) {
        const last = first[limit]
        const fresh = inOrder(order, inWindow(query, window, email)).slice(0, limit + 1)
        const earlier = last === undefined ? fresh : fresh.filter((event) => isInOrder(order, event, last))
        first = inOrder(order, [...first, ...earlier.map((event) => publicEmailEvent(email, event))]).slice(
          0,
          limit + 1,
        )
      }
    }
    return first
  }
}

const isBefore = (order: FeedQuery['order'], one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && (order === 'asc' ? one < other : one > other)

/** Returns whether an event comes before another in reading order. */
const isInOrder = (order: FeedQuery['order'], one: FeedPosition, other: FeedPosition): boolean =>
  order === 'asc' ? byPosition(one, other) < 0 : byPosition(one, other) > 0

const inWindow = (query: FeedQuery, { from, to }: Window, { events }: Email): EmailEvent[] =>
  events.filter((event) => event.at >= from && event.at <= to && isSelected(query, event))

/** Returns the condition that an email has an event of the types somewhere; null: it may have any. */
const ofTypes = (query: FeedQuery): Filter<EmailDoc> | null => {
  const texts = typeTexts(query)
  if (texts === null) return null
  return { doc: { $regex: texts.map((text) => text.replaceAll('.', '\\.')).join('|') } }
}
