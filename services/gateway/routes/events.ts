import { EventList, ListEvents } from '@postrider/contracts/http/event.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { readFeed } from '../feed/feed.ts'
import { route } from '../route.ts'

export const listEvents = route({
  name: 'listEvents',
  method: 'GET',
  path: '/api/v1/events',
  scope: 'emails:read',
  tag: 'Events',
  summary: 'List events, or follow them',
  description:
    'The events that webhooks carry, with the same ids. `order=asc` is for programs that need every event: each appears once, in the order of time, 10 seconds after its time. `order=arrival` is for screens: an event appears as soon as it is stored; one may appear twice, so compare ids, and one that is stored late may be missing while a workspace has more than 50 events a second. Ask on with the last `next_cursor`; it stays valid at the end of the list. With `wait` an empty page waits for an event. With a `type` that is rare a page may be empty while `has_more` is true: continue with its cursor. A key sees events of its own mode, a session those of both or of `mode`. Events are stored as long as the records of their emails, 90 days by default.',
  limit: 'read',
  query: ListEvents,
  isFollowed: true,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: EventList, description: 'A page of events.' },
  handle: async ({ query, disconnected, caller, session }, deps) => {
    const found = await readFeed({ query, identity: { caller, session }, signal: disconnected() }, deps)
    const { eventsJson: events, hasMore, nextCursor } = found
    return {
      jsonText: `{"object":"list","data":[${events.join(',')}],"has_more":${hasMore},"next_cursor":${JSON.stringify(nextCursor)}}`,
    }
  },
})
