import { type Email, modes } from '@postrider/domain/email/email.ts'
import {
  byPosition,
  type FeedPosition,
  type PublicEvent,
  publicWorkspaceEvent,
} from '@postrider/domain/events/event.ts'
import {
  endOf,
  hasEmailTypes,
  hasWorkspaceTypes,
  inOrder,
  isSelected,
  maxReadOfPage,
  selectedEvents,
  startOf,
  typeTexts,
} from '@postrider/domain/events/select.ts'
import { afterAllIds } from '@postrider/domain/ids.ts'
import { hourMs } from '@postrider/domain/time.ts'
import type { EventFeed, FeedQuery } from '@postrider/ports/eventFeed.ts'
import type { Db, Filter } from 'mongodb'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import type { EmailDoc } from '../emails/document.ts'
import { type WorkspaceEventDoc, workspaceEventOf } from './workspaceEvents.ts'

/*
 * The index of events has an entry for each time of an email's events. MongoDB cannot sort by it: it would sort an email by the
 * earliest of all its times. So a page is read in windows of time, each without an order, and sorted here. A window with too
 * many documents is read again in smaller ones.
 *
 * Types have no index: the server reads every email of a window to find those with an event of the types. So the emails of a
 * window are counted in the index before, and the page ends when it has read enough, even if it found nothing.
 */

/** Documents of one window that are returned, and emails of one window in which types are searched. */
const [maxDocs, maxSearched] = [200, 2_000]
const firstWindowMs = hourMs
/** Maximum factor by which a window grows, and the factor by which it shrinks if it has too many documents. */
const factor = 16

/** A window of time, both ends included. */
type Window = { from: number; to: number }

/**
 * The feed of events in MongoDB.
 * @param maxRead documents of one page in which types are searched
 */
export const mongoEventFeed = (db: Db, maxRead: number = maxReadOfPage): EventFeed => {
  const reader = windowReader(db)
  const firstAt = firstTime(db)
  return withMappedErrors({
    readEvents: async (query: FeedQuery, signal?: AbortSignal) => {
      const start = startOf(query)
      const edge = query.order === 'asc' ? query.until : await firstAt(query.workspace)
      const begin = query.order === 'asc' && query.after === null ? await firstAt(query.workspace) : start.at
      const windows = windowsFrom(query.order, begin, edge)
      const events: PublicEvent[] = []
      let [position, searched] = [start, 0]
      for (let window = windows.first(); window !== null; ) {
        const found = await reader(query, window, { returned: maxDocs, searched: Math.min(maxSearched, maxRead) })
        if (found === null) {
          window = windows.smaller(window)
          continue
        }
        searched += found.searched
        events.push(...inOrder(query.order, found.events))
        if (events.length > query.limit) return pageOf(events.slice(0, query.limit), position)
        position = query.order === 'asc' ? { at: window.to, id: afterAllIds } : { at: window.from, id: '' }
        const isDone = windows.isLast(window)
        if (isDone) break
        if (events.length === query.limit || searched >= maxRead || signal?.aborted)
          return { events, position, hasMore: true }
        window = windows.next(window, found.fullness)
      }
      return { events, position: endOf(query), hasMore: false }
    },
    readEvent: async (workspace: string, position: FeedPosition) => {
      const query = { workspace, order: 'asc' as const, after: null, until: position.at, limit: 1 }
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
 * Divides the time from `begin` to `edge` into windows. A window with too many emails shrinks. The length of the next window is expected to
 * make it half full, and not more than `factor` times as long.
 */
const windowsFrom = (order: FeedQuery['order'], begin: number, edge: number) => {
  let lengthMs = firstWindowMs
  const from = (start: number): Window | null => {
    if (order === 'asc') return start > edge ? null : { from: start, to: Math.min(edge, start + lengthMs - 1) }
    return start < edge ? null : { from: Math.max(edge, start - lengthMs + 1), to: start }
  }
  return {
    first: () => from(begin),
    /** @param fullness of the last window, from 0 to 1 */
    next: (window: Window, fullness: number) => {
      lengthMs = Math.ceil(lengthMs * Math.min(factor, Math.max(1, 0.5 / fullness)))
      return from(order === 'asc' ? window.to + 1 : window.from - 1)
    },
    smaller: (window: Window) => {
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

/** `fullness`: from 0 to 1, how near the window is to its bounds. */
type FoundInWindow = { events: PublicEvent[]; searched: number; fullness: number }

type ReadWindow = (query: FeedQuery, window: Window, bounds?: Bounds) => Promise<FoundInWindow | null>

const unbounded: Bounds = { returned: Number.POSITIVE_INFINITY, searched: Number.POSITIVE_INFINITY }

/** Returns a function that reads the events of a window, in any order; null: there are too many documents. */
const windowReader = (db: Db): ReadWindow => {
  const emails = db.collection<EmailDoc>('emails')
  const others = db.collection<WorkspaceEventDoc>('workspace_events')
  return async (query, window, bounds = unbounded) => {
    // A window of 1 ms cannot be divided: all of it is read.
    const bound = window.from === window.to ? unbounded : bounds
    const limited = Number.isFinite(bound.returned) ? { limit: bound.returned + 1 } : {}
    const workspace = scalar(query.workspace)
    const range = { $gte: window.from, $lte: window.to }
    const types = ofTypes(query)
    const events: PublicEvent[] = []
    let [returned, searched] = [0, 0]
    for (const mode of query.mode === null ? modes : [query.mode]) {
      if (hasEmailTypes(query)) {
        const filter: Filter<EmailDoc> = { workspace, mode, eventsAt: { $elemMatch: range } }
        if (types !== null && Number.isFinite(bound.searched)) {
          searched += await emails.countDocuments(filter, { limit: bound.searched - searched + 1 })
          if (searched > bound.searched) return null
        }
        const wanted = { ...filter, ...types }
        for await (const { doc } of emails.find(wanted, { projection: { _id: 0, doc: 1 }, ...limited })) {
          if (++returned > bound.returned) return null
          events.push(...inWindow(query, window, JSON.parse(doc) as Email))
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
    return { events, searched: Math.max(searched, returned), fullness }
  }
}

const inWindow = (query: FeedQuery, { from, to }: Window, email: Email): PublicEvent[] =>
  selectedEvents(query, email).filter(({ at }) => at >= from && at <= to)

/** Returns the condition that an email has an event of the types somewhere; null: it may have any. */
const ofTypes = (query: FeedQuery): Filter<EmailDoc> | null => {
  const texts = typeTexts(query)
  if (texts === null) return null
  return { doc: { $regex: texts.map((text) => text.replaceAll('.', '\\.')).join('|') } }
}
