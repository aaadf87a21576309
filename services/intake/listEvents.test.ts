import assert from 'node:assert/strict'
import { maxLookedBack } from '@postrider/domain/events/arrival.ts'
import { feedDelayMs, type PublicEvent } from '@postrider/domain/events/event.ts'
import type { FeedQuery } from '@postrider/ports/eventFeed.ts'
import { listEvents } from './listEvents.ts'

const now = 1_000_000
const reader = { workspace: 'ws_1', mode: null }

const event = (at: number): PublicEvent => ({
  id: `evt_${at}`,
  type: 'email.sent',
  at,
  workspace: 'ws_1',
  mode: 'live',
  data: { email_id: 'em_1' } as never,
})

describe('events in the order of arrival', () => {
  // Every read had a limit for 500 events to look back to, even that of a reader with nothing to look back to.
  it('are read with a limit that includes the events that the reader looks back to', async () => {
    const queries: FeedQuery[] = []
    const list = listEvents({
      events: {
        readEvents: async (query) => {
          queries.push(query)
          return { events: [event(now - 1)], position: { at: now, id: '~' }, hasMore: false }
        },
      },
      now: () => now,
    })
    const request = { reader, types: null, order: 'arrival', after: null, limit: 10 } as const
    const { arrival } = await list({ ...request, arrival: null })
    await list({ ...request, arrival })
    assert.deepEqual(
      queries.map(({ limit, after }) => [limit, after?.at]),
      [
        [10, now - feedDelayMs],
        [maxLookedBack + 10, now - feedDelayMs],
      ],
    )
  })
})
