import type { Arrival__Output as Arrival } from '@postrider/contracts/gen/postrider/intake/v1/Arrival.ts'
import { eventRecord } from '@postrider/contracts/http/event.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { type ArrivalPosition, arrivals, maxToRead, newArrivals } from '@postrider/domain/events/arrival.ts'
import { feedDelayMs, isEventType } from '@postrider/domain/events/event.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { given } from '@postrider/kit/fault.ts'
import type { EventFeed, FeedQuery } from '@postrider/ports/eventFeed.ts'

type ListDeps = { events: Pick<EventFeed, 'readEvents'>; now: Clock }

/** How far ahead the clock of the process may be that stored an event, in milliseconds. */
const aheadMs = 1_000

const positionOf = ({ settled_at, settled_id, seen_at, seen_id, digest }: Arrival): ArrivalPosition => ({
  settled: { at: settled_at, id: settled_id },
  seen: { at: seen_at, id: seen_id },
  digest,
})

const arrivalOf = ({ settled, seen, digest }: ArrivalPosition): Arrival => ({
  settled_at: settled.at,
  settled_id: settled.id,
  seen_at: seen.at,
  seen_id: seen.id,
  digest,
})

/**
 * Returns the method that reads a page of the feed. In ascending order a page ends `feedDelayMs` ago; in the order of arrival
 * it ends now and continues with what is stored late.
 */
export const listEvents =
  ({ events, now }: ListDeps): Intake['ListEvents'] =>
  async ({ reader, types, order, after_at, after_id, limit, arrival }, signal) => {
    const { workspace, mode } = given(reader, 'reader')
    const query: Pick<FeedQuery, 'workspace' | 'mode' | 'types'> = {
      workspace,
      mode: mode === 'live' || mode === 'test' ? mode : null,
      ...(types.length > 0 && { types: new Set(types.filter(isEventType)) }),
    }
    if (order === 'arrival') {
      const at = now()
      const position = arrival ? positionOf(arrival) : newArrivals(at)
      const max = maxToRead(position, limit)
      const read = { order: 'asc' as const, after: position.settled, until: at + aheadMs, limit: max }
      const found = await events.readEvents({ ...query, ...read }, signal)
      const page = arrivals(position, found, { now: at, limit })
      return {
        events_json: page.events.map((event) => JSON.stringify(eventRecord(event))),
        position_at: page.next.seen.at,
        position_id: page.next.seen.id,
        has_more: page.hasMore,
        arrival: arrivalOf(page.next),
        arrived: page.events.map(({ type, id, at }) => ({ type, id, at })),
      }
    }
    const isAscending = order === 'asc'
    const page = await events.readEvents(
      {
        ...query,
        order: isAscending ? 'asc' : 'desc',
        after: after_at === undefined ? null : { at: after_at, id: after_id },
        until: isAscending ? now() - feedDelayMs : now(),
        limit,
      },
      signal,
    )
    return {
      events_json: page.events.map((event) => JSON.stringify(eventRecord(event))),
      position_at: page.position.at,
      position_id: page.position.id,
      has_more: page.hasMore,
      arrival: null,
      arrived: [],
    }
  }
