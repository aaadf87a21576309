import type { Api } from './api.ts'
import { type FeedEvent, openArrivals, type Page } from './arrivals.ts'

/**
 * How far back each read looks, before the newest event that is known. The contract allows an event to be stored up to
 * 10 seconds after its time.
 */
const lateMs = 15_000

const timeOf = ({ timestamp }: FeedEvent): number => Date.parse(timestamp)

const byTime = (one: FeedEvent, other: FeedEvent): number => timeOf(one) - timeOf(other) || (one.id < other.id ? -1 : 1)

/**
 * Follows the events of a workspace. Requests wait for new events. While the server refuses such requests, it polls: it
 * reads the newest events first, which the feed shows immediately, and looks back far enough for those that are stored
 * late. It also looks back once when requests begin to wait, so that no event is missed between the two. Times are
 * those of the server, so the clock of this machine does not matter.
 *
 * A poll reads new events of all types and leaves the others out: the newest event of a rare type may be months old,
 * and a look back to it would read all events since then, each time.
 */
export const openTail = (api: Api, types: string | undefined, elapsed = performance.now.bind(performance)) => {
  const arrivals = openArrivals(api, types, elapsed)
  const wanted = types === undefined ? null : new Set(types.split(','))
  const known = new Map<string, number>()
  let newest = Number.NEGATIVE_INFINITY

  /** Returns the events of a time on, newest first; with `min`, older ones until there are `min`. */
  const readBack = async (
    floorOf: (first: FeedEvent) => number,
    { min = 0, type }: { min?: number; type?: string | undefined } = {},
  ): Promise<FeedEvent[]> => {
    const events: FeedEvent[] = []
    let [cursor, floor] = [undefined as string | undefined, Number.NEGATIVE_INFINITY]
    do {
      const query = { order: 'desc', limit: '100', type, cursor }
      const page: Page = await api.call({ path: '/events', query, isList: true })
      for (const event of page.data) {
        if (events.length === 0) floor = floorOf(event)
        if (timeOf(event) < floor && events.length >= min) return events
        events.push(event)
      }
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return events
  }
  const remember = (events: readonly FeedEvent[]): void => {
    for (const event of events) {
      known.set(event.id, timeOf(event))
      newest = Math.max(newest, timeOf(event))
    }
    for (const [id, at] of known) if (at < newest - 2 * lateMs) known.delete(id)
  }
  return {
    /** Returns the latest events, oldest first. What follows is everything after them. */
    latest: async (count: number): Promise<FeedEvent[]> => {
      const recent = await readBack((first) => timeOf(first) - lateMs, { min: wanted === null ? count : 0 })
      remember(recent)
      if (wanted === null || count === 0) return recent.slice(0, count).reverse()
      const found = await readBack(timeOf, { min: count, type: types })
      // What was stored between the two reads comes next.
      const events = found.filter((event) => known.has(event.id) || timeOf(event) < newest - lateMs)
      return events.slice(0, count).reverse()
    },
    /** Returns the events that were not returned before, oldest first; none: the wait for one ended. */
    next: async (): Promise<FeedEvent[]> => {
      const arrived = await arrivals.next()
      const floor = newest - lateMs
      const since = arrived?.continues ? [] : await readBack(() => floor)
      const read = new Map([...since, ...(arrived?.events ?? [])].map((event) => [event.id, event]))
      const events = [...read.values()].filter(({ id }) => !known.has(id)).toSorted(byTime)
      remember(events)
      return events.filter(({ type }) => wanted === null || wanted.has(type))
    },
  }
}

export type Tail = ReturnType<typeof openTail>
