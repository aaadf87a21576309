import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from './client.ts'
import type { ListRecord } from './records.ts'

/** An event as the feed lists it. */
export type FeedEvent = {
  id: string
  type: string
  timestamp: string
  data: { email_id?: string; sequence?: number; recipient?: string | null }
}

/** Reads the events of a workspace in ascending order, as a program of a customer does that follows them. */
export type EventFollower = AsyncDisposable & {
  /** What it has seen, in the order in which it saw it. */
  seen: readonly FeedEvent[]
  /** Reads on until it has seen an event that `wanted` accepts, then stops. */
  stopAfter(wanted: (event: FeedEvent) => boolean): Promise<void>
}

/** Begins to follow. A read without a response, or with 503, is repeated with the same cursor. */
export const followEvents = (caller: Caller, everyMs = 500): EventFollower => {
  const seen: FeedEvent[] = []
  let isStopped = false
  let isLast: (event: FeedEvent) => boolean = () => false
  const follow = async (): Promise<void> => {
    for (let cursor = ''; !isStopped; ) {
      const path = `/api/v1/events?order=asc&limit=50${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const response = await caller.call<ListRecord<FeedEvent>>({ path }).catch(() => null)
      if (response !== null && response.status !== 503) {
        assert.equal(response.status, 200, response.text)
        const { data, has_more: hasMore, next_cursor: next } = response.body
        assert.ok(next !== null, 'next_cursor is null')
        cursor = next
        seen.push(...data)
        if (data.some(isLast)) return
        if (hasMore) continue
      }
      await pause(everyMs)
    }
  }
  const done = follow()
  // The caller of `stopAfter` gets the error.
  done.catch(() => {})
  return {
    seen,
    stopAfter: async (wanted) => {
      isLast = wanted
      if (!seen.some(wanted)) await done
      isStopped = true
      await done
    },
    [Symbol.asyncDispose]: async () => {
      isStopped = true
      await done.catch(() => {})
    },
  }
}

const positionOf = ({ timestamp, id }: FeedEvent): string => `${timestamp} ${id}`

/** Asserts that events were seen in the order of time, and none twice. */
export const assertInOrder = (seen: readonly FeedEvent[]): void => {
  const ids = seen.map(({ id }) => id)
  const repeated = seen.filter(({ id }, index) => ids.indexOf(id) !== index)
  assert.deepEqual(repeated, [], 'events were seen twice')
  const positions = seen.map(positionOf)
  const late = seen.filter((event, index) => index > 0 && positionOf(event) < (positions[index - 1] ?? ''))
  assert.deepEqual(late, [], 'events were seen late')
}

type StoredEvents = { id: string; events?: { id: string; type: string; timestamp: string }[] }

/**
 * Asserts that a follower saw each event of these emails once and in order, and nothing else. It has stopped after the
 * first event of the last email.
 */
export const assertSawAll = (seen: readonly FeedEvent[], emails: readonly StoredEvents[]): void => {
  assertInOrder(seen)
  const until = seen.at(-1)
  const stored = emails.flatMap(({ id: email, events = [] }) =>
    events.map((event) => ({ ...event, data: { email_id: email } })),
  )
  const wanted = stored.filter((event) => until !== undefined && positionOf(event) <= positionOf(until))
  const show = ({ data, ...event }: FeedEvent): string =>
    `${positionOf(event as FeedEvent)} ${event.type} ${data.email_id}`
  const [has, had] = [new Set(seen.map(({ id }) => id)), new Set(stored.map(({ id }) => id))]
  assert.deepEqual(
    {
      missing: wanted.filter(({ id }) => !has.has(id)).map(show),
      unknown: seen.filter(({ id, data }) => data.email_id !== undefined && !had.has(id)).map(show),
    },
    { missing: [], unknown: [] },
  )
}
