import type { ListEvents } from '@postrider/contracts/http/event.ts'
import type { EventsPage as Found, ListEventsRequest } from '@postrider/contracts/services.ts'
import type { ArrivalPosition } from '@postrider/domain/events/arrival.ts'
import type { FeedPosition } from '@postrider/domain/events/event.ts'
import { parsePosition, positionText } from '@postrider/domain/position.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { z } from 'zod'
import { modeSeen } from '../callers/mode.ts'
import type { Identity, RouteDeps } from '../deps.ts'
import { listPage } from '../lists.ts'

export type EventsQuery = z.output<typeof ListEvents>

const path = '/api/v1/events'

/** A position in the order of arrival, as a cursor contains it. */
const arrivalText = ({ complete, seen, digest }: ArrivalPosition): string =>
  [positionText(complete), positionText(seen), digest].join(' ')

const arrivalOf = (text: string): ArrivalPosition | null => {
  const [completeText = '', seenText = '', digest = ''] = text.split(' ')
  const [complete, seen] = [parsePosition(completeText), parsePosition(seenText)]
  return complete && seen && { complete, seen, digest }
}

type ReadFeedOptions = { query: EventsQuery; identity: Identity; signal: AbortSignal }
type ReadDeps = Pick<RouteDeps, 'intake' | 'cursors'>

/**
 * Returns what a query reads.
 * @throws Fault `malformed_request`: the cursor is not one of this list
 */
const requestOf = (
  { query, identity: { caller, session } }: Omit<ReadFeedOptions, 'signal'>,
  { cursors }: Pick<ReadDeps, 'cursors'>,
) => {
  // A reader may change how long it waits, so its cursor does not contain it.
  const { wait: _, ...listed } = query
  const page = listPage(cursors, path, caller.workspace, listed)
  const { type: types = null, order } = query
  const isArrival = order === 'arrival'
  const request: ListEventsRequest = {
    reader: { workspace: caller.workspace, mode: modeSeen({ caller, session }, query.mode) },
    types,
    order,
    after: isArrival ? null : page.position(),
    arrival: isArrival ? arrivalOf(page.before) : null,
    limit: page.limit,
  }
  return { page, request }
}

/**
 * Reads a page of the feed, and returns it with its next cursor.
 * @throws Fault `malformed_request`: the cursor is not one of this list
 */
export const readFeed = async (
  options: ReadFeedOptions,
  deps: ReadDeps,
): Promise<Found & { nextCursor: string | null }> => {
  const { page, request } = requestOf(options, deps)
  const { order } = request
  const found = await deps.intake.ListEvents(request, options.signal)
  if (order !== 'arrival') {
    return { ...found, nextCursor: page.nextCursor(found.hasMore || order === 'asc', found.position) }
  }
  // Intake of an earlier release returns another order.
  if (!found.arrival)
    throw new Fault('unavailable', 'The service is being updated; try again in a minute.', { expected: true })
  return { ...found, nextCursor: page.nextCursor(true, arrivalText(found.arrival)) }
}

/**
 * Returns up to where a reader in the order of arrival has the events, as its cursor shows; null: it has no cursor, or
 * another order.
 * @throws Fault `malformed_request`: the cursor is not one of this list
 */
export const seenUpTo = (
  options: Omit<ReadFeedOptions, 'signal'>,
  deps: Pick<ReadDeps, 'cursors'>,
): FeedPosition | null => {
  const { arrival } = requestOf(options, deps).request
  return arrival?.seen ?? null
}

/**
 * Returns whether a page would have an event, or would have to be continued. In the order of arrival it first searches
 * for an event that follows those that the reader has. If there is none, it also searches the overlap window for late
 * events.
 * @throws Fault `malformed_request`: the cursor is not one of this list
 */
export const isReadable = async (options: ReadFeedOptions, deps: ReadDeps): Promise<boolean> => {
  const { request } = requestOf(options, deps)
  const { arrival } = request
  const isAny = async (from: ArrivalPosition | null): Promise<boolean> => {
    const found = await deps.intake.ListEvents({ ...request, arrival: from, limit: 1 }, options.signal)
    return found.eventsJson.length > 0 || found.hasMore
  }
  if (arrival === null || arrival.digest === '') return isAny(arrival)
  return (await isAny({ ...arrival, complete: arrival.seen, digest: '' })) || isAny(arrival)
}
