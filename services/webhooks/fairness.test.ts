import assert from 'node:assert/strict'
import type { PublicEvent } from '@postrider/domain/events/event.ts'
import { newDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { fullPauseMs, initialConcurrency, maxConcurrency, maxWaiting } from '@postrider/domain/webhooks/life.ts'
import { makeSlices, nextSlice } from '@postrider/kit/slices.ts'
import type { WebhookClient, WebhookResult } from '@postrider/ports/webhookClient.ts'
import { eventAt } from '@postrider/ports/webhooksFixtures.conformance.ts'
import { until } from '../../test/support/until.ts'
import { actor, noon, webhooksRig, workspace } from '../../test/support/webhooksRig.ts'
import { concurrencyLimits } from './concurrencyLimits.ts'
import { type OpenWebhooksOptions, openWebhooks } from './webhooks.ts'

const other = 'ws_01m7yr6cabfzvahf8pz72f0kb5'

/** A client whose responses depend on the first part of the path. A request to `/hang` ends only when it is aborted. */
const scriptedClient = () => {
  const delivered = new Map<string, number>()
  const hanging = new Map<string, number>()
  let mostHanging = 0
  const answered = (status: number): WebhookResult => ({
    kind: 'answered',
    status,
    headers: {},
    body: new Uint8Array(),
    isBodyCut: false,
    durationMs: 1,
  })
  const client: WebhookClient = {
    post: async ({ url, signal }) => {
      const [, kind] = new URL(url).pathname.split('/')
      if (kind === 'fail') return answered(500)
      if (kind === 'good') {
        delivered.set(url, (delivered.get(url) ?? 0) + 1)
        return answered(200)
      }
      hanging.set(url, (hanging.get(url) ?? 0) + 1)
      mostHanging = Math.max(mostHanging, hanging.get(url) ?? 0)
      if (!signal?.aborted)
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
      return { kind: 'failed', reason: 'stopped', detail: 'stopped', durationMs: 1 }
    },
    close: async () => {},
  }
  return { client, delivered, mostHanging: () => mostHanging }
}

describe('fairness of webhooks', () => {
  it('endpoints that hang or fail delay no other, also in one workspace', async () => {
    const scripted = scriptedClient()
    await using rig = await webhooksRig()
    await rig.open({ client: scripted.client })
    const kinds = ['hang', 'hang', 'fail', 'fail', ...Array(16).fill('good')]
    for (const [index, kind] of kinds.entries()) await rig.create(`http://127.0.0.1/${kind}/${index}`)
    const events = 40
    for (let count = 0; count < events; count++) rig.emit()
    const total = (): number => scripted.delivered.values().reduce((sum, count) => sum + count, 0)
    await until('the others have received every event', () => (total() === 16 * events ? true : undefined))
    assert.ok([...scripted.delivered.values()].every((count) => count === events))
    assert.ok(scripted.mostHanging() <= maxConcurrency, `${scripted.mostHanging()} requests hang`)
    // Each of them waits in the store, not in memory. The outcomes of the others are written after the receiver has the
    // events.
    await until('only the events of the four are left', async () =>
      (await rig.deliveries.backlog(1_000)).pending === 4 * events ? true : undefined,
    )
  })

  it('a backlog of one endpoint delays no event of another workspace', async () => {
    const scripted = scriptedClient()
    await using rig = await webhooksRig()
    const { feed } = rig.options()
    const event = rig.emit('email.bounced', { isHinted: false })
    // A delivery whose event is removed would end. It is older than the endpoint, so that no scan adds it.
    rig.advance(1)
    const readEvent: typeof feed.readEvent = async (owner) => (owner === workspace ? event : null)
    await rig.open({ client: scripted.client, feed: { ...feed, readEvent } })
    const slow = await rig.create('http://127.0.0.1/hang/0')
    const backlog = Array.from({ length: 5_000 }, () => ({
      delivery: newDelivery({ id: slow.id, workspace }, eventAt(rig.now()), rig.now()),
      leaseUntil: null,
    }))
    await rig.deliveries.insert(backlog)
    await rig.create('http://127.0.0.1/good/0', { workspace: other })
    rig.emit('email.delivered', { owner: other })
    await until('the other workspace has its event', () => (scripted.delivered.size === 1 ? true : undefined))
    // Its outcome is written after the receiver has it.
    await until('only the backlog is left', async () =>
      (await rig.deliveries.backlog(10_000)).pending === 5_000 ? true : undefined,
    )
    assert.ok(scripted.mostHanging() <= maxConcurrency)
  })
})

describe('webhooks next to requests of their workspace', () => {
  /** Slices of a request, fewer than webhooks wait. */
  const requestSlices = 20

  /** Opens the service, and counts the reads of records: one in each slice of a hint or of a stored delivery. */
  const countedReads = async (rig: Awaited<ReturnType<typeof webhooksRig>>) => {
    const scripted = scriptedClient()
    const slices = makeSlices()
    const { emails } = rig.options()
    let count = 0
    const get: typeof emails.get = (id) => {
      count += 1
      return emails.get(id)
    }
    const open = () => rig.open({ client: scripted.client, slices, emails: { get } })
    /** Does the work of a request. @returns how many records were read before its end */
    const request = async (): Promise<number> => {
      const before = count
      for (let slice = 0; slice < requestSlices; slice++) await nextSlice(slices.of(workspace))
      return count - before
    }
    const total = (): number => scripted.delivered.values().reduce((sum, delivered) => sum + delivered, 0)
    return { open, request, total }
  }

  // Each slice of a batch of 100 messages waited for all hints and deliveries of its workspace that had begun: up to
  // 96 s with 100 endpoints.
  it('let a request wait for one hint in each of its slices', async () => {
    await using rig = await webhooksRig()
    const { open, request, total } = await countedReads(rig)
    await open()
    for (let index = 0; index < 4; index++) await rig.create(`http://127.0.0.1/good/${index}`)
    const events = 200
    for (let count = 0; count < events; count++) rig.emit()
    const read = await request()
    assert.ok(read > 0 && read <= requestSlices, `${read} hints were read during a request`)
    await until('every endpoint has every event', () => (total() === 4 * events ? true : undefined))
  })

  it('let a request wait for one stored delivery in each of its slices', async () => {
    await using rig = await webhooksRig()
    const endpoints: string[] = []
    for (let index = 0; index < 40; index++) endpoints.push((await rig.create(`http://127.0.0.1/good/${index}`)).id)
    await rig.close()
    const events = Array.from({ length: 10 }, () => rig.emit('email.delivered', { isHinted: false }))
    const stored = endpoints.flatMap((id) =>
      events.map((event) => ({ delivery: newDelivery({ id, workspace }, event, rig.now()), leaseUntil: null })),
    )
    await rig.deliveries.insert(stored)
    const { open, request, total } = await countedReads(rig)
    await open()
    await until('deliveries are claimed', () => (total() > 0 ? true : undefined))
    const read = await request()
    assert.ok(read > 0 && read <= requestSlices, `${read} deliveries began during a request`)
    await until('every endpoint has every event', () => (total() === stored.length ? true : undefined))
  })
})

describe('webhooks of a workspace with 100 endpoints', () => {
  // The requests for an event began in one iteration for as many endpoints as the limits allow.
  it('begin at most 25 requests in an event loop iteration', async () => {
    await using rig = await webhooksRig()
    let [inIteration, most, sent] = [0, 0, 0]
    const post: WebhookClient['post'] = async (request) => {
      if (inIteration === 0) setImmediate(() => (inIteration = 0))
      inIteration += 1
      most = Math.max(most, inIteration)
      sent += 1
      return rig.client().post(request)
    }
    await rig.open({ client: { post, close: async () => {} } })
    for (let number = 0; number < 100; number++) await rig.create(rig.client().receive(() => ({})).url)
    rig.emit()
    await rig.service().drain()
    assert.equal(sent, 100)
    assert.ok(most <= 25, `${most} requests began`)
  })
})

describe('an endpoint with as many waiting deliveries as it may have', () => {
  it('gets further events when some of them have ended, and none is lost', async () => {
    const scripted = scriptedClient()
    await using rig = await webhooksRig()
    await rig.open({ client: scripted.client })
    const { id } = await rig.create('http://127.0.0.1/good/0')
    const later = rig.now() + 3_600_000
    const waiting = Array.from({ length: maxWaiting }, () => ({
      delivery: { ...newDelivery({ id, workspace }, eventAt(rig.now()), rig.now()), nextAt: later },
      leaseUntil: null,
    }))
    await rig.deliveries.insert(waiting)
    rig.advance(1_000)
    rig.emit()
    rig.emit('email.delivered', { isHinted: false })
    rig.advance(60_000)
    await rig.service().drain()
    assert.equal(scripted.delivered.size, 0)
    assert.equal(await rig.deliveries.countWaiting(id, maxWaiting + 1), maxWaiting)
    await rig.deliveries.cancel(id, rig.now(), 100)
    rig.advance(fullPauseMs)
    await rig.service().drain()
    assert.deepEqual([...scripted.delivered.values()], [2])
  })
})

describe('fairness of replays', () => {
  const startReplay = async (rig: Awaited<ReturnType<typeof webhooksRig>>, id: string, owner = workspace) => {
    const window = { from: noon, to: noon + 1_000 }
    const endpointKey = { workspace: owner, mode: null, id }
    const { id: replay } = await rig.service().webhooks.Replay({ ...endpointKey, ...window, actor })
    return () => rig.service().webhooks.GetReplay({ ...endpointKey, replay })
  }

  // A workspace with as many endpoints that hang as a process works on replays stopped the replays of all others.
  it('replays of one workspace leave a slot to another', async () => {
    const scripted = scriptedClient()
    await using rig = await webhooksRig()
    await rig.open({ client: scripted.client, limits: { replays: 8 } })
    const hanging = await Promise.all(
      Array.from({ length: 20 }, (_, index) => rig.create(`http://127.0.0.1/hang/${index}`)),
    )
    const good = await rig.create('http://127.0.0.1/good/0', { workspace: other })
    rig.emit('email.delivered', { isHinted: false })
    rig.emit('email.delivered', { isHinted: false, owner: other })
    rig.advance(60_000)
    for (const { id } of hanging) await startReplay(rig, id)
    const stateOf = await startReplay(rig, good.id, other)
    await until('the other replay is done', async () => ((await stateOf()).status === 'done' ? true : undefined))
    assert.equal((await stateOf()).sent, 1)
    // A replay is done when its events are deliveries, which are sent afterwards.
    await until('the other endpoint has the event', () => (scripted.delivered.size === 1 ? true : undefined))
    assert.deepEqual([...scripted.delivered.keys()], ['http://127.0.0.1/good/0'])
  })

  it('a replay of many events takes turns with others', async () => {
    await using rig = await webhooksRig()
    await rig.open({ limits: { replays: 1 } })
    const seen: string[] = []
    const receiver = rig.client().receive(({ path }) => {
      seen.push(path)
      rig.advance(1_000)
      return {}
    })
    const endpoints = [await rig.create(`${receiver.url}one`), await rig.create(`${receiver.url}two`)]
    const events = 50
    for (let count = 0; count < events; count++) rig.emit('email.delivered', { isHinted: false })
    rig.advance(60_000)
    const states = await Promise.all(endpoints.map(({ id }) => startReplay(rig, id)))
    await rig.service().replayDue()
    const done = await Promise.all(states.map(async (stateOf) => ({ ...(await stateOf()) })))
    assert.deepEqual(
      done.map(({ status, sent }) => [status, sent]),
      [
        ['done', events],
        ['done', events],
      ],
    )
    assert.ok(seen.indexOf('/two') < seen.lastIndexOf('/one') && seen.indexOf('/one') < seen.lastIndexOf('/two'))
  })
})

describe('several processes of webhooks', () => {
  it('send each delivery once, and a backlog of one workspace delays no other in any of them', async () => {
    const scripted = scriptedClient()
    await using rig = await webhooksRig()
    const slow = []
    for (let number = 0; number < 8; number++) slow.push(await rig.create(`http://127.0.0.1/hang/${number}`))
    const good = []
    for (let number = 0; number < 4; number++)
      good.push(await rig.create(`http://127.0.0.1/good/${number}`, { workspace: other }))
    await rig.close()
    const [each, events] = [300, 60]
    const add = (endpointKey: { id: string; workspace: string }, emitted: readonly PublicEvent[]) =>
      rig.deliveries.insert(
        emitted.map((event) => ({ delivery: newDelivery(endpointKey, event, rig.now()), leaseUntil: null })),
      )
    const backlog = Array.from({ length: each }, () => rig.emit())
    for (const { id } of slow) await add({ id, workspace }, backlog)
    const wanted = Array.from({ length: events }, () => rig.emit('email.delivered', { owner: other }))
    for (const { id } of good) await add({ id, workspace: other }, wanted)
    const processes = 3
    await using _ = await openAll(processes, { ...rig.options(), client: scripted.client })
    const total = (): number => scripted.delivered.values().reduce((sum, count) => sum + count, 0)
    await until('the other workspace has its events', () => (total() >= good.length * events ? true : undefined))
    assert.ok([...scripted.delivered.values()].every((count) => count === events))
    assert.ok(scripted.mostHanging() <= processes * initialConcurrency, `${scripted.mostHanging()} requests hang`)
    assert.equal((await rig.deliveries.backlog(10_000)).pending, slow.length * each)
  })
})

/** Opens `count` services on one store. */
const openAll = async (count: number, options: OpenWebhooksOptions): Promise<AsyncDisposable> => {
  const stack = new AsyncDisposableStack()
  for (let number = 0; number < count; number++) stack.use(await openWebhooks(options))
  return stack
}

describe('concurrency limits', () => {
  const endpointKey = (endpoint: string, owner = 'ws_1') => ({ endpoint, workspace: owner })

  it('leave a part of the process to other workspaces', () => {
    const concurrency = concurrencyLimits(16)
    let taken = 0
    for (let count = 0; count < 100; count++) taken += concurrency.acquire(endpointKey(`whk_${count}`), 1)
    assert.equal(taken, 16)
    assert.equal(concurrency.acquire(endpointKey('whk_other', 'ws_2'), 4), 2)
    assert.equal(concurrency.active(), 18)
  })

  it('shrink for an endpoint that fails, and grow again', () => {
    const concurrency = concurrencyLimits(256)
    assert.equal(concurrency.acquire(endpointKey('whk_a'), 100), 4)
    for (let count = 0; count < 4; count++) concurrency.end(endpointKey('whk_a'), false)
    assert.equal(concurrency.acquire(endpointKey('whk_a'), 100), 2)
    for (let count = 0; count < 2; count++) concurrency.end(endpointKey('whk_a'), true)
    assert.equal(concurrency.acquire(endpointKey('whk_a'), 100), 4)
    concurrency.release(endpointKey('whk_a'), 4)
    assert.equal(concurrency.active(), 0)
  })
})
