import { eventRecord } from '@postrider/contracts/http/event.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { arrivals, maxToRead, newArrivals } from '@postrider/domain/events/arrival.ts'
import { feedDelayMs } from '@postrider/domain/events/event.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { EventFeed, FeedQuery } from '@postrider/ports/eventFeed.ts'

type ListDeps = { events: Pick<EventFeed, 'readEvents'>; now: Clock }

/** How far ahead the clock of the process may be that stored an event, in milliseconds. */
const aheadMs = 1_000

/**
 * Returns the method that reads a page of the feed. In ascending order a page ends `feedDelayMs` ago; in the order of
 * arrival it ends now and continues with what is stored late.
 */
export const listEvents =
  ({ events, now }: ListDeps): Intake['ListEvents'] =>
  async ({ reader: { workspace, mode }, types, order, after, limit, arrival }, signal) => {
    const query: Pick<FeedQuery, 'workspace' | 'mode' | 'types'> = {
      workspace,
      mode,
      ...(types !== null && { types: new Set(types) }),
    }
    if (order === 'arrival') {
      const at = now()
      const position = arrival ?? newArrivals(at)
      const max = maxToRead(position, limit)
      const read = { order: 'asc' as const, after: position.complete, until: at + aheadMs, limit: max }
      const found = await events.readEvents({ ...query, ...read }, signal)
      const page = arrivals(position, found, { now: at, limit })
      return {
        eventsJson: page.events.map((event) => JSON.stringify(eventRecord(event))),
        position: page.next.seen,
        hasMore: page.hasMore,
        arrival: page.next,
        arrived: page.events.map(({ type, id, at }) => ({ type, id, at })),
      }
    }
    const page = await events.readEvents(
      {
        ...query,
        order,
        after,
        until: order === 'asc' ? now() - feedDelayMs : now(),
        limit,
      },
      signal,
    )
    return {
      eventsJson: page.events.map((event) => JSON.stringify(eventRecord(event))),
      position: page.position,
      hasMore: page.hasMore,
      arrival: null,
      arrived: [],
    }
  }
