import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import type { Mode } from './types.ts'

export type Event = components['schemas']['Event']
export type EventType = Event['type']
export type EventPage = components['schemas']['EventList']

/** How long a request waits for an event, in seconds: below the usual timeouts of proxies. */
const waitSeconds = 20

/** Returns a function that reads what arrived in a mode, and waits for it. */
export const waitForEvents = (api: Api, mode: Mode) => (cursor: string | null, signal: AbortSignal) =>
  api.get('/api/v1/events', {
    query: { mode, order: 'arrival', limit: 100, wait: waitSeconds, ...(cursor !== null && { cursor }) },
    signal,
  })

const pageSize = 50

/** Returns a function that reads one page of the feed, newest first. @param types empty: all */
export const readEvents =
  (api: Api, mode: Mode, types: readonly EventType[]) =>
  ({ cursor, signal }: { cursor: string | null; signal: AbortSignal }) =>
    api.get('/api/v1/events', {
      query: {
        mode,
        limit: pageSize,
        ...(types.length > 0 && { type: types.join(',') }),
        ...(cursor !== null && { cursor }),
      },
      signal,
    })
