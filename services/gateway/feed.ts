import type { Arrival__Output as Arrival } from '@postrider/contracts/gen/postrider/intake/v1/Arrival.ts'
import type { ListEvents } from '@postrider/contracts/http/event.ts'
import type { EventsPage as Found } from '@postrider/contracts/services.ts'
import type { FeedPosition } from '@postrider/domain/events/event.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { z } from 'zod'
import type { Identity, RouteDeps } from './deps.ts'
import { feedReader } from './feedWatches.ts'
import { listPage } from './lists.ts'
import { modeSeen } from './mode.ts'

export type EventsQuery = z.output<typeof ListEvents>

const path = '/api/v1/events'

/** Returns the time and the id in a text; without one, no time. */
const positionOf = (text: string): { at?: number; id: string } => {
  const dot = text.indexOf('.')
  return dot === -1 ? { id: '' } : { at: Number(text.slice(0, dot)), id: text.slice(dot + 1) }
}

/** A position in the order of arrival, as a cursor contains it. */
const arrivalText = ({ settled_at, settled_id, seen_at, seen_id, digest }: Arrival): string =>
  [`${settled_at}.${settled_id}`, `${seen_at}.${seen_id}`, digest].join(' ')

const arrivalOf = (text: string): Arrival | null => {
  const [settled = '', seen = '', digest = ''] = text.split(' ')
  const [{ at: settledAt, id: settledId }, { at: seenAt, id: seenId }] = [positionOf(settled), positionOf(seen)]
  if (settledAt === undefined || seenAt === undefined) return null
  return { settled_at: settledAt, settled_id: settledId, seen_at: seenAt, seen_id: seenId, digest }
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
  const { type: types = [], order } = query
  const reader = feedReader(caller.workspace, modeSeen({ caller, session }, query.mode) ?? '')
  const { at, id } = order === 'arrival' ? { id: '' } : positionOf(page.before)
  const arrival = order === 'arrival' ? arrivalOf(page.before) : null
  const place = { ...(at !== undefined && { after_at: at }), after_id: id, arrival }
  return { page, request: { reader, types, order, limit: page.limit, ...place } }
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
    const position = `${found.position_at}.${found.position_id}`
    return { ...found, nextCursor: page.nextCursor(found.has_more || order === 'asc', position) }
  }
  // Intake of an earlier release returns another order.
  if (!found.arrival)
    throw new Fault('unavailable', 'The service is being updated; try again in a minute.', { expected: true })
  return { ...found, nextCursor: page.nextCursor(true, arrivalText(found.arrival)) }
}

/**
 * Returns up to where a reader in the order of arrival has the events, as its cursor shows; null: it has no cursor, or another order.
 * @throws Fault `malformed_request`: the cursor is not one of this list
 */
export const seenUpTo = (
  options: Omit<ReadFeedOptions, 'signal'>,
  deps: Pick<ReadDeps, 'cursors'>,
): FeedPosition | null => {
  const { arrival } = requestOf(options, deps).request
  return arrival && { at: arrival.seen_at, id: arrival.seen_id }
}

/**
 * Returns whether a page would have an event, or would have to be continued. In the order of arrival it first looks for one that
 * follows those that the reader has: only without one does it look back, for what was stored late.
 * @throws Fault `malformed_request`: the cursor is not one of this list
 */
export const isReadable = async (options: ReadFeedOptions, deps: ReadDeps): Promise<boolean> => {
  const { request } = requestOf(options, deps)
  const { arrival } = request
  const isAny = async (from: Arrival | null): Promise<boolean> => {
    const found = await deps.intake.ListEvents({ ...request, arrival: from, limit: 1 }, options.signal)
    return found.events_json.length > 0 || found.has_more
  }
  if (arrival === null || arrival.digest === '') return isAny(arrival)
  const { seen_at, seen_id } = arrival
  return (await isAny({ ...arrival, settled_at: seen_at, settled_id: seen_id, digest: '' })) || isAny(arrival)
}
