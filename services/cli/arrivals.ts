import type { Monotonic } from '@postrider/kit/clock.ts'
import type { Api } from './api.ts'
import { failureOf } from './failure.ts'

/** An event as the feed has it. */
export type FeedEvent = {
  object: 'event'
  id: string
  type: string
  timestamp: string
  data: Readonly<Record<string, unknown>>
}

export type Page = { data: FeedEvent[]; has_more: boolean; next_cursor: string | null }

/** How long a request waits for an event, in seconds. A request ends after 30 s, and the API waits at most 25. */
const waitSeconds = '20'
/** How long new events are polled after a request that waits was refused or lost. */
const pollMs = 60_000
/** Pages of one read; the next one continues. */
const maxPages = 10

/**
 * Reads new events in the order of arrival, with requests that wait for one. The server may refuse them: an earlier
 * release does not support them, and a key has few at the same time. A proxy may end them early. Then the caller polls,
 * for a minute or permanently.
 * @param elapsed in milliseconds
 */
export const openArrivals = (api: Api, type: string | undefined, elapsed: Monotonic) => {
  let cursor: string | undefined
  let pollsUntil = Number.NEGATIVE_INFINITY

  const readPages = async (): Promise<FeedEvent[] | null> => {
    const wait = cursor === undefined ? undefined : waitSeconds
    const events: FeedEvent[] = []
    for (let pages = 0; pages < maxPages; pages++) {
      const query = { order: 'arrival', limit: '100', type, cursor, wait }
      const page: Page = await api.call({ path: '/events', query, isList: true, isRepeatable: false })
      if (typeof page.next_cursor !== 'string') return null
      cursor = page.next_cursor
      events.push(...page.data)
      if (!page.has_more) break
    }
    return events
  }

  return {
    /**
     * Returns the events that have arrived, some of them perhaps again, and whether they begin where the last ones
     * ended; null: the caller has to poll.
     */
    next: async (): Promise<{ events: FeedEvent[]; continues: boolean } | null> => {
      if (elapsed() < pollsUntil) return null
      const continues = cursor !== undefined
      try {
        const events = await readPages()
        if (events !== null) return { events, continues }
        pollsUntil = Number.POSITIVE_INFINITY
      } catch (thrown) {
        const failure = failureOf(thrown)
        if (failure === null) throw thrown
        const isUnknown = !continues && (failure.status === 400 || failure.status === 422)
        pollsUntil = isUnknown ? Number.POSITIVE_INFINITY : elapsed() + pollMs
      }
      cursor = undefined
      return null
    },
  }
}
