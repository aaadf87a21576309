import { EventList, ListEvents } from '@postrider/contracts/http/event.ts'
import { mostPageBytes } from '@postrider/domain/listPage.ts'
import { listPage } from '../lists.ts'
import { modeSeen } from '../mode.ts'
import { route } from '../route.ts'

const path = '/api/v1/events'

/** Returns the position in a cursor; empty: there is none. */
const positionOf = (text: string): { after_at?: number; after_id: string } => {
  const dot = text.indexOf('.')
  return text === '' ? { after_id: '' } : { after_at: Number(text.slice(0, dot)), after_id: text.slice(dot + 1) }
}

export const listEvents = route({
  name: 'listEvents',
  method: 'GET',
  path,
  scope: 'emails:read',
  tag: 'Events',
  summary: 'List events, or follow them',
  description:
    'The events that webhooks carry, with the same ids. `order=asc` is for programs that follow the events: each event appears once, in the order of time, 10 seconds after its time. Poll with the last `next_cursor`; it stays valid at the end of the list. With a `type` that is rare a page may be empty while `has_more` is true: continue with its cursor. A key sees events of its own mode, a session those of both or of `mode`. Events are stored as long as the records of their emails, 90 days by default.',
  limit: 'read',
  query: ListEvents,
  answerBytes: mostPageBytes,
  reply: { status: 200, body: EventList, description: 'A page of events.' },
  handle: async ({ query, disconnected, caller, session }, { intake, cursors }) => {
    const { type: types = [], order } = query
    const page = listPage(cursors, path, caller.workspace, query)
    const reader = {
      workspace: caller.workspace,
      mode: modeSeen({ caller, session }, query.mode),
      sent_by: '',
      actor: '',
      recipients: [],
      domains: [],
    }
    const found = await intake.ListEvents(
      { reader, types, order, limit: page.limit, ...positionOf(page.before) },
      disconnected(),
    )
    const position = `${found.position_at}.${found.position_id}`
    const nextCursor = JSON.stringify(page.nextCursor(found.has_more || order === 'asc', position))
    return {
      jsonText: `{"object":"list","data":[${found.events_json.join(',')}],"has_more":${found.has_more},"next_cursor":${nextCursor}}`,
    }
  },
})
