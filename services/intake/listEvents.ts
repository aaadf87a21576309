import { eventRecord } from '@postrider/contracts/http/event.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { type EventType, eventTypes, feedDelayMs } from '@postrider/domain/events/event.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { given } from '@postrider/kit/fault.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'

type ListDeps = { events: Pick<EventFeed, 'readEvents'>; now: Clock }

const isEventType = (text: string): text is EventType => (eventTypes as readonly string[]).includes(text)

/** Returns the method that reads a page of the feed. In ascending order a page ends `feedDelayMs` ago. */
export const listEvents =
  ({ events, now }: ListDeps): Intake['ListEvents'] =>
  async ({ reader, types, order, after_at, after_id, limit }, signal) => {
    const { workspace, mode } = given(reader, 'reader')
    const isAscending = order === 'asc'
    const page = await events.readEvents(
      {
        workspace,
        mode: mode === 'live' || mode === 'test' ? mode : null,
        ...(types.length > 0 && { types: new Set(types.filter(isEventType)) }),
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
    }
  }
