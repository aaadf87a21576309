import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { arrivals, newArrivals } from '@postrider/domain/events/arrival.ts'
import { byPosition, feedDelayMs, type PublicEvent } from '@postrider/domain/events/event.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { manualTime } from '../../../test/support/manualTime.ts'
import { until } from '../../../test/support/until.ts'
import { defaultGatewayLimits } from '../config.ts'
import type { GatewayDeps } from '../deps.ts'
import { aCaller, aKey, aPerson, type Fakes, type TestResponse, testGateway } from '../testGateway.ts'

type ListEvents = GatewayDeps['intake']['ListEvents']

/** A store of events whose clock is that of the test. */
const testFeed = (now: () => number) => {
  const stored: Pick<PublicEvent, 'id' | 'type' | 'at'>[] = []
  const reads: Parameters<ListEvents>[0][] = []
  const clock = () => 1_000_000 + now()
  const list: ListEvents = async (request) => {
    reads.push(request)
    const { order, types, limit, arrival } = request
    const after = request.after?.at ?? -1
    const events = stored.filter(({ type }) => types === null || types.includes(type)) as PublicEvent[]
    const reply = { hasMore: false, arrival: null, arrived: [] }
    if (order !== 'arrival') {
      const end = order === 'asc' ? clock() - feedDelayMs : clock()
      const page = events.filter(({ at }) => at <= end && (order === 'desc' || at > after))
      return { ...reply, eventsJson: page.map((one) => JSON.stringify(one)), position: { at: end, id: '~' } }
    }
    const from = arrival ?? newArrivals(clock())
    const since = events.filter(({ at }) => at > from.complete.at).toSorted(byPosition)
    const position = { at: clock(), id: '~' }
    const page = arrivals(from, { events: since, position, hasMore: false }, { now: clock(), limit })
    return {
      eventsJson: page.events.map((one) => JSON.stringify(one)),
      position: page.next.seen,
      hasMore: page.hasMore,
      arrival: page.next,
      arrived: page.events,
    }
  }
  return {
    list,
    reads,
    /** Reads of watches: only they read 100 events. */
    watchReads: () => reads.filter(({ limit }) => limit === 100).length,
    /** @param lateMs how long before now its time is */
    store: (type: PublicEvent['type'], lateMs = 0): string => {
      const id = `evt_${stored.length}`
      stored.push({ id, type, at: clock() - lateMs })
      return id
    },
  }
}

const openFeed = async (fakes: Fakes = {}) => {
  const time = manualTime()
  const feed = testFeed(time.elapsed)
  const stop = new AbortController()
  const gateway = await testGateway({
    ...fakes,
    intake: { ListEvents: feed.list, ...fakes.intake },
    elapsed: time.elapsed,
    after: time.after,
    stopping: stop.signal,
  })
  const listEvents = (query: string): Promise<TestResponse> => gateway.api({ path: `/api/v1/events?${query}` })
  const listBySession = (query: string): Promise<TestResponse> =>
    gateway.call({ path: `/api/v1/events?${query}`, headers: { cookie: 'sid=one' } })
  /** Resolves when `timers` timers are set: one for each request that waits, and one for each watch. */
  const waiting = (timers: number) =>
    until(`${timers} timers are set`, () => (time.pending() === timers ? true : undefined))
  return {
    time,
    feed,
    stop,
    gateway,
    listEvents,
    listBySession,
    waiting,
    /** Moves the clock to the end of a pause that `timers` wait for, each time they are set again. */
    pass: async (ms: number, timers: number): Promise<void> => {
      for (const end = time.elapsed() + ms; time.elapsed() < end; ) {
        await waiting(timers)
        time.fireNext()
      }
    },
    /** Moves the clock until a request has its response, while it and the others have `timers` timers. */
    passUntil: async (pending: Promise<TestResponse>, timers: number): Promise<TestResponse> => {
      let isAnswered = false
      pending.then(() => {
        isAnswered = true
      })
      const isNext = (): true | undefined => (isAnswered || time.pending() === timers ? true : undefined)
      for (;;) {
        await until(`the response, or ${timers} timers`, isNext)
        if (isAnswered) return pending
        time.fireNext()
      }
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}

const idsOf = ({ body }: TestResponse): unknown[] => (body['data'] as { id: string }[]).map(({ id }) => id)
const cursorOf = ({ body }: TestResponse): string => encodeURIComponent(String(body['next_cursor']))

describe('wait for events', () => {
  // The watch had no listeners during its first read, and ended.
  it('shares the reads of a watch whose first read took longer than a watch without requests stays', async () => {
    let isFirst = true
    const ListEvents: ListEvents = async (request) => {
      if (isFirst && request.limit === 100) {
        isFirst = false
        open.time.after(6_000, () => {})
        open.time.fireNext()
      }
      return open.feed.list(request)
    }
    await using open = await openFeed({ intake: { ListEvents } })
    const response = open.listEvents('order=arrival&wait=25')
    await open.waiting(2)
    const id = open.feed.store('email.sent')
    assert.deepEqual(idsOf(await open.passUntil(response, 2)), [id])
    assert.ok(open.time.elapsed() < 10_000)
  })

  it('returns immediately what can be read', async () => {
    await using open = await openFeed()
    const id = open.feed.store('email.sent')
    for (const order of ['arrival', 'desc']) {
      const response = await open.listEvents(`order=${order}&wait=25`)
      assert.deepEqual([response.status, idsOf(response)], [200, [id]], response.text)
    }
    assert.equal(open.time.elapsed(), 0)
  })

  it('returns when an event arrives, and continues after it', async () => {
    await using open = await openFeed()
    const pending = open.listEvents('order=arrival&wait=25')
    await open.waiting(2)
    open.time.fireNext()
    await open.waiting(2)
    const id = open.feed.store('email.sent')
    open.time.fireNext()
    const response = await pending
    assert.deepEqual([response.status, idsOf(response), open.time.elapsed()], [200, [id], 2_000])
    const next = open.listEvents(`order=arrival&wait=20&cursor=${cursorOf(response)}`)
    await open.waiting(2)
    const other = open.feed.store('email.delivered')
    open.time.fireNext()
    assert.deepEqual(idsOf(await next), [other])
    const line = open.gateway.lines.find(({ message }) => message === 'request')
    assert.ok(Number(line?.['waited_ms']) > 0)
  })

  // Each wake cost a search for an event, which read all events of the last 10 s again, up to 500.
  it('reads only its page after a wake for an event that the reader does not have', async () => {
    await using open = await openFeed()
    open.feed.store('email.sent')
    const first = await open.listEvents('order=arrival')
    const pending = open.listEvents(`order=arrival&wait=25&cursor=${cursorOf(first)}`)
    await open.waiting(2)
    const before = open.feed.reads.length
    const id = open.feed.store('email.delivered')
    open.time.fireNext()
    assert.deepEqual(idsOf(await pending), [id])
    // The read of the watch, and that of the page.
    assert.deepEqual(
      open.feed.reads.slice(before).map(({ limit }) => limit),
      [100, 20],
    )
  })

  it('looks only for one new event before its page', async () => {
    await using open = await openFeed()
    open.feed.store('email.sent')
    const first = await open.listEvents('order=arrival')
    open.time.after(1_000, () => {})
    open.time.fireNext()
    const id = open.feed.store('email.delivered')
    const before = open.feed.reads.length
    assert.deepEqual(idsOf(await open.listEvents(`order=arrival&wait=25&cursor=${cursorOf(first)}`)), [id])
    const reads = open.feed.reads.slice(before).filter(({ limit }) => limit !== 100)
    assert.deepEqual(
      reads.map(({ limit, arrival }) => [limit, arrival?.complete.id === arrival?.seen.id]),
      [
        [1, true],
        [20, false],
      ],
    )
  })

  it('returns an event that is stored late, and none that the reader already has', async () => {
    await using open = await openFeed()
    const other = open.listEvents('order=arrival&wait=25&type=email.bounced')
    await open.waiting(2)
    const known = open.feed.store('email.sent')
    const first = await open.listEvents('order=arrival')
    assert.deepEqual(idsOf(first), [known])
    const pending = open.listEvents(`order=arrival&wait=25&cursor=${cursorOf(first)}`)
    await open.waiting(3)
    // The watch meets the event that the reader has.
    open.time.fireNext()
    await open.waiting(3)
    const late = open.feed.store('email.delivered', 3_000)
    assert.deepEqual(idsOf(await open.passUntil(pending, 3)), [late, known])
    open.stop.abort()
    await other
  })

  it('shows an event to a reader in ascending order 10 seconds after its time', async () => {
    await using open = await openFeed()
    const pending = open.listEvents('order=arrival&wait=2')
    const first = open.listEvents('order=asc&wait=25')
    await open.waiting(3)
    const id = open.feed.store('email.sent')
    open.time.fireNext()
    assert.deepEqual(idsOf(await pending), [id])
    assert.deepEqual(idsOf(await open.passUntil(first, 2)), [id])
    assert.ok(open.time.elapsed() >= feedDelayMs)
    assert.ok(open.time.elapsed() <= feedDelayMs + 2_000)
  })

  it('returns an empty page with a cursor when the time is over, and not before', async () => {
    await using open = await openFeed()
    for (const order of ['arrival', 'asc']) {
      const began = open.time.elapsed()
      const pending = open.listEvents(`order=${order}&wait=12`)
      const response = await open.passUntil(pending, 2)
      assert.deepEqual([response.status, response.body['data'], response.body['has_more']], [200, [], false])
      assert.equal(typeof response.body['next_cursor'], 'string')
      assert.equal(open.time.elapsed() - began, 12_000)
    }
  })

  it('does not return for events of other types', async () => {
    await using open = await openFeed()
    const pending = open.listEvents('order=arrival&wait=25&type=email.bounced')
    await open.waiting(2)
    open.feed.store('email.sent')
    open.time.fireNext()
    await open.waiting(2)
    assert.equal(open.feed.reads.filter(({ types }) => types !== null).length, 1)
    const id = open.feed.store('email.bounced')
    open.time.fireNext()
    assert.deepEqual(idsOf(await pending), [id])
  })

  it('reads the store once a second for all requests that wait for a workspace and mode', async () => {
    await using open = await openFeed()
    const pending = Array.from({ length: 8 }, () => open.listEvents('order=arrival&wait=25'))
    await open.waiting(9)
    const before = open.feed.reads.length
    // Among the timers are those of the checks, at 5 seconds.
    await open.pass(4_000, 9)
    await open.waiting(9)
    assert.equal(open.feed.reads.length - before, 4)
    open.stop.abort()
    await Promise.all(pending)
  })

  it('ends the reads soon after the last request', async () => {
    await using open = await openFeed()
    const pending = open.listEvents('order=arrival&wait=1')
    await open.passUntil(pending, 2)
    await open.pass(5_000, 1)
    await open.waiting(0)
    assert.ok(open.feed.watchReads() <= 8)
  })

  it('uses no memory for responses while it waits', async () => {
    const responses = { bytes: maxPageBytes, bytesOfOne: maxPageBytes }
    const longBodies = { ...defaultGatewayLimits.longBodies, waitMs: 0 }
    await using open = await openFeed({ config: { limits: { ...defaultGatewayLimits, responses, longBodies } } })
    const pending = open.listEvents('order=arrival&wait=25')
    await open.waiting(2)
    assert.equal((await open.listEvents('order=asc')).status, 200)
    open.stop.abort()
    assert.equal((await pending).status, 200)
  })

  it('bounds the requests of a key, of a session, of a workspace and of all', async () => {
    const caller = (workspace: string) => ({ ...aCaller(), workspace, keyFamily: null })
    const session = {
      caller: { ...aPerson(), workspace: 'ws_1' },
      csrf_token: 'token',
      email: 'jane@example.com',
    }
    const cases = [
      { limit: { maxPerKey: 2 }, owner: 'This key' },
      { limit: { maxPerSession: 2 }, owner: 'This session', isBySession: true },
      { limit: { maxPerWorkspace: 2 }, owner: 'This workspace' },
      { limit: { max: 2 }, owner: 'The service' },
    ]
    for (const { limit, owner, isBySession = false } of cases) {
      const waits = { ...defaultGatewayLimits.waits, ...limit }
      await using open = await openFeed({
        accounts: {
          AuthenticateKey: async () => caller('ws_1'),
          AuthenticateSession: async () => session as never,
        },
        config: { limits: { ...defaultGatewayLimits, waits } },
      })
      const listEvents = () => (isBySession ? open.listBySession : open.listEvents)('order=arrival&wait=25')
      const pending = [listEvents(), listEvents()]
      await open.waiting(3)
      const refused = await listEvents()
      assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'], refused.text)
      assert.match(String(refused.body.detail), new RegExp(`^${owner} already has 2 pending requests`))
      assert.equal(refused.headers['retry-after'], '5')
      open.feed.store('email.sent')
      open.time.fireNext()
      for (const { status } of await Promise.all(pending)) assert.equal(status, 200)
    }
  })

  it('keeps nothing of a client that disconnects', async () => {
    const waits = { ...defaultGatewayLimits.waits, maxPerKey: 1 }
    await using open = await openFeed({ config: { limits: { ...defaultGatewayLimits, waits } } })
    const socket = connect(open.gateway.port, '127.0.0.1')
    const head = `Host: x\r\nAuthorization: Bearer ${aKey()}`
    socket.write(`GET /api/v1/events?order=arrival&wait=25 HTTP/1.1\r\n${head}\r\n\r\n`)
    await open.waiting(2)
    socket.destroy()
    // The timer of the watch is left.
    await open.waiting(1)
    // It was logged and counted as a refused request with 400.
    const line = await until('the request is logged', () =>
      open.gateway.lines.find(({ message }) => message === 'request'),
    )
    assert.deepEqual([line['status'], line['code'], Number(line['waited_ms']) > 0], [499, undefined, true])
    assert.doesNotMatch(await open.gateway.metricsText(), /^postrider_requests_refused_total\{.*\} [1-9]/m)
    await open.pass(5_000, 1)
    await open.waiting(0)
    const pending = open.listEvents('order=arrival&wait=25')
    await open.waiting(2)
    open.stop.abort()
    assert.equal((await pending).status, 200)
  })

  it('does not log a failure if the client disconnects while the feed is read', async () => {
    const reads = Promise.withResolvers<void>()
    await using open = await openFeed({
      intake: {
        ListEvents: (request, signal) => {
          if (request.limit === 100) return open.feed.list(request)
          reads.resolve()
          return new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(new Fault('unavailable', 'The call was canceled.')))
          })
        },
      },
    })
    const socket = connect(open.gateway.port, '127.0.0.1')
    const head = `Host: x\r\nAuthorization: Bearer ${aKey()}`
    socket.write(`GET /api/v1/events?order=arrival&wait=25 HTTP/1.1\r\n${head}\r\n\r\n`)
    await reads.promise
    socket.destroy()
    const line = await until('the request is logged', () =>
      open.gateway.lines.find(({ message }) => message === 'request'),
    )
    assert.deepEqual([line['status'], line['code'], open.gateway.lines.length], [499, undefined, 1])
  })

  it('returns immediately when the process stops', async () => {
    await using open = await openFeed()
    const pending = [open.listEvents('order=arrival&wait=25'), open.listEvents('order=asc&wait=25')]
    await open.waiting(3)
    open.stop.abort()
    for (const response of await Promise.all(pending))
      assert.deepEqual([response.status, response.body['data']], [200, []])
    assert.deepEqual([(await open.listEvents('order=arrival&wait=25')).status, open.time.elapsed()], [200, 0])
  })

  it('returns 401 or 403 soon after the key was revoked or lost its scope', async () => {
    for (const [status, refusal] of [
      [401, () => Promise.reject(new Fault('unauthenticated', 'This key was revoked.'))],
      [403, async () => aCaller({ scopes: ['emails:send'] })],
    ] as const) {
      const now = { authenticate: async () => aCaller() }
      await using open = await openFeed({ accounts: { AuthenticateKey: () => now.authenticate() } })
      const pending = open.listEvents('order=arrival&wait=25')
      await open.waiting(2)
      now.authenticate = refusal
      assert.equal((await open.passUntil(pending, 2)).status, status)
      assert.equal(open.time.elapsed(), 5_000)
    }
  })

  it('does not show an event to a session that ended while it waited', async () => {
    const session = {
      caller: aPerson(),
      csrf_token: 'token',
      email: 'jane@example.com',
    }
    const now = { session: async (): Promise<never> => session as never }
    await using open = await openFeed({ accounts: { AuthenticateSession: () => now.session() } })
    const pending = open.listBySession('order=arrival&wait=25')
    await open.waiting(2)
    now.session = () => Promise.reject(new Fault('unauthenticated', 'The session has ended.'))
    open.feed.store('email.sent')
    open.time.fireNext()
    assert.equal((await pending).status, 401)
  })

  it('returns 503 if the feed cannot be read, and later finds the missed events', async () => {
    const state = { isDown: false }
    const time = { list: null as ListEvents | null }
    await using open = await openFeed({
      intake: {
        ListEvents: (...request) =>
          state.isDown || time.list === null
            ? Promise.reject(new Fault('unavailable', 'The store is unavailable.'))
            : time.list(...request),
      },
    })
    time.list = open.feed.list
    const first = open.listEvents('order=arrival&wait=25')
    await open.waiting(2)
    state.isDown = true
    open.time.fireNext()
    assert.equal((await first).status, 503)
    state.isDown = false
    const second = open.listEvents('order=arrival&wait=25')
    await open.waiting(2)
    const id = open.feed.store('email.sent')
    open.time.fireNext()
    assert.deepEqual(idsOf(await second), [id])
  })

  it('refuses a wait that is not a number of seconds from 1 to 25', async () => {
    await using open = await openFeed()
    for (const wait of ['0', '26', '1.5', '-1', '', '1e1', 'abc', '100']) {
      const response = await open.listEvents(`order=asc&wait=${wait}`)
      assert.deepEqual([response.status, response.body.errors?.[0]?.code], [400, 'invalid_wait'], wait)
    }
  })
})
