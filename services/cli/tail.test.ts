import assert from 'node:assert/strict'
import type { FaultCode } from '@postrider/kit/fault.ts'
import type { Api } from './api.ts'
import type { FeedEvent } from './arrivals.ts'
import { failed } from './failure.ts'
import { openTail } from './tail.ts'

type Query = Readonly<Record<string, string | undefined>>

const event = (id: string, second: number, type = 'email.sent'): FeedEvent => ({
  object: 'event',
  id,
  type,
  timestamp: new Date(Date.UTC(2026, 10, 22, 10, 0, second)).toISOString(),
  data: {},
})

const page = (...data: FeedEvent[]) => ({ data, has_more: false, next_cursor: null as string | null })
const arrived = (next: string, ...data: FeedEvent[]) => ({ ...page(...data), next_cursor: next })
const refusal = (code: FaultCode, status: number) => failed({ code, message: code, status })

/** A tail whose requests a function handles, with a list of them and a clock. */
const rig = (answer: (query: Query, number: number) => ReturnType<typeof page>, types?: string) => {
  const queries: Query[] = []
  const time = { ms: 0 }
  const api: Api = {
    url: '',
    call: async <Body>({ query = {} }: { query?: Query }) => {
      queries.push(query)
      return answer(query, queries.length) as Body
    },
  }
  const tail = openTail(api, types, () => time.ms)
  return {
    time,
    tail,
    ids: async () => (await tail.next()).map(({ id }) => id),
    /** Returns the requests since the last call: `wait`, `arrival` or `desc`. */
    takeQueries: () => queries.splice(0).map(({ order, wait }) => (wait === undefined ? order : 'wait')),
  }
}

describe('tail', () => {
  it('waits for events, and looks back once before the first wait', async () => {
    const { tail, ids, takeQueries } = rig(({ order, cursor }) => {
      if (order === 'desc') return page(event('evt_2', 2), event('evt_1', 1))
      if (cursor === undefined) return arrived('a', event('evt_2', 2), event('evt_3', 3))
      if (cursor === 'a') return arrived('b')
      // An event was stored late, so those after it are repeated.
      return arrived('c', event('evt_4', 2), event('evt_3', 3), event('evt_5', 5))
    })
    assert.deepEqual(
      (await tail.latest(1)).map(({ id }) => id),
      ['evt_2'],
    )
    assert.deepEqual(takeQueries(), ['desc'])
    assert.deepEqual([await ids(), takeQueries()], [['evt_3'], ['arrival', 'desc']])
    assert.deepEqual([await ids(), takeQueries()], [[], ['wait']])
    assert.deepEqual([await ids(), takeQueries()], [['evt_4', 'evt_5'], ['wait']])
  })

  it('tail requests only the event types that it shows', async () => {
    const types: (string | undefined)[] = []
    const { ids } = rig(({ order, type }) => {
      if (order === 'desc') return page(event('evt_1', 1))
      types.push(type)
      return arrived('a', event('evt_2', 2, 'email.bounced'))
    }, 'email.bounced')
    assert.deepEqual([await ids(), await ids()], [['evt_2'], []])
    assert.deepEqual(types, ['email.bounced', 'email.bounced'])
  })

  it('reads all pages that have arrived', async () => {
    const { ids, takeQueries } = rig(({ order, cursor }) => {
      if (order === 'desc') return page()
      if (cursor === undefined) return { ...arrived('a', event('evt_1', 1)), has_more: true }
      return arrived('b', event('evt_2', 2))
    })
    assert.deepEqual(await ids(), ['evt_1', 'evt_2'])
    assert.deepEqual(takeQueries(), ['arrival', 'arrival', 'desc'])
  })

  for (const [what, refused] of [
    ['does not support the order of arrival', refusal('malformed_request', 400)],
    ['responses without a cursor', null],
  ] as const)
    it(`polls if the server ${what}`, async () => {
      const { time, ids, takeQueries } = rig(({ order }) => {
        if (order === 'desc') return page(event('evt_1', 1))
        if (refused === null) return page()
        throw refused
      })
      assert.deepEqual([await ids(), takeQueries()], [['evt_1'], ['arrival', 'desc']])
      time.ms += 3_600_000
      assert.deepEqual([await ids(), takeQueries()], [[], ['desc']])
    })

  for (const [code, status] of [
    ['rate_limited', 429],
    ['unavailable', 504],
    ['malformed_request', 400],
  ] as const)
    it(`polls for a minute after a wait ended with ${status}, and then waits again`, async () => {
      const state = { isRefused: false }
      const { time, ids, takeQueries } = rig(({ order, wait }) => {
        if (state.isRefused && wait !== undefined) throw refusal(code, status)
        return order === 'desc' ? page(event(`evt_${time.ms}`, time.ms / 1_000)) : arrived('a')
      })
      await ids()
      takeQueries()
      state.isRefused = true
      time.ms += 1_000
      assert.deepEqual([await ids(), takeQueries()], [['evt_1000'], ['wait', 'desc']])
      time.ms += 59_000
      assert.deepEqual([await ids(), takeQueries()], [['evt_60000'], ['desc']])
      state.isRefused = false
      time.ms += 2_000
      assert.deepEqual([await ids(), takeQueries()], [['evt_62000'], ['arrival', 'desc']])
      assert.deepEqual([await ids(), takeQueries()], [[], ['wait']])
    })

  it('reports a failure that a poll has too', async () => {
    const { ids } = rig(() => {
      throw refusal('unauthenticated', 401)
    })
    await assert.rejects(ids(), /unauthenticated/)
  })
})
