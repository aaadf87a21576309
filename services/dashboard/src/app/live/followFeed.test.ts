import assert from 'node:assert/strict'
import type { Event, EventPage } from '../../api/events.ts'
import { apiError, problemOf } from '../../api/problem.ts'
import { followFeed } from './followFeed.ts'

const anEvent: Event = {
  object: 'event',
  id: 'evt_1',
  type: 'email.sent',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: {},
}
const page = (cursor: string, ...data: Event[]): EventPage => ({
  object: 'list',
  data,
  has_more: false,
  next_cursor: cursor,
})
const refusal = (status: number, code = 'x') => apiError({ ...problemOf(null), status, code })

/** Follows a feed with these responses, and ends after the last. Each takes `answerMs`. */
const run = async (answers: (EventPage | Error)[], answerMs = 0) => {
  const ending = new AbortController()
  const [cursors, pauses, seen]: [(string | null)[], number[], Event[]] = [[], [], []]
  let time = 0
  await followFeed(
    {
      wait: async (cursor) => {
        cursors.push(cursor)
        time += answerMs
        const answer = answers[cursors.length - 1] ?? page('')
        if (cursors.length >= answers.length) ending.abort()
        if (answer instanceof Error) throw answer
        return answer
      },
      onEvents: async (events) => void seen.push(...events),
      pause: async (ms) => {
        pauses.push(ms)
        time += ms
      },
      now: () => time,
      random: () => 1,
    },
    ending.signal,
  )
  return { cursors, pauses, seen }
}

describe('follower of the feed', () => {
  it('continues with the last cursor, and shows what comes', async () => {
    const { cursors, seen } = await run([page('a', anEvent), page('b'), page('c')])
    assert.deepEqual(cursors, [null, 'a', 'b'])
    assert.deepEqual(seen, [anEvent])
  })

  it('makes at most one request a second if responses come immediately, and does not pause after a long poll', async () => {
    assert.deepEqual((await run([page('a', anEvent), page('b', anEvent), page('c')])).pauses, [1_000, 1_000])
    assert.deepEqual((await run([page('a'), page('b'), page('c')], 20_000)).pauses, [0, 0])
  })

  it('repeats a failed request with the same cursor after growing pauses', async () => {
    const failures = Array.from({ length: 7 }, () => refusal(503))
    const { cursors, pauses } = await run([page('a'), ...failures, page('b'), refusal(0), page('c')])
    assert.deepEqual(cursors, [null, ...Array.from({ length: 8 }, () => 'a'), 'b', 'b'])
    assert.deepEqual(pauses, [1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000, 1_000])
  })

  it('polls seldom while other tabs wait, and starts again if its cursor is refused', async () => {
    const { cursors, pauses } = await run([page('a'), refusal(429), refusal(400), page('b')])
    assert.deepEqual(cursors, [null, 'a', 'a', null])
    assert.deepEqual(pauses, [1_000, 30_000, 1_000])
  })

  it('ends with the session, and when another tab moves it', async () => {
    for (const end of [refusal(401), refusal(409, 'workspace_changed')]) {
      const { cursors, pauses } = await run([end, page('a')])
      assert.deepEqual([cursors, pauses], [[null], []])
    }
  })
})
