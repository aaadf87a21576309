import assert from 'node:assert/strict'
import { endedDelivery, madeAgain, type WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { WebhookDeliveryStore } from './webhookDeliveries.ts'
import { leaseMs, webhookDelivery } from './webhooksFixtures.conformance.ts'

type Open = () => WebhookDeliveryStore | Promise<WebhookDeliveryStore>

/** Declares the tests that every store of webhook deliveries must pass. `open` returns an empty store. */
export const webhookDeliveriesConformance = (adapter: string, open: Open) =>
  describe(`webhook delivery store in ${adapter}`, () => {
    inserts(open)
    claims(open)
    leases(open)
    requested(open)
    lists(open)
    removals(open)
  })

const add = async (store: WebhookDeliveryStore, ...deliveries: WebhookDelivery[]): Promise<void> => {
  await store.insert(deliveries.map((delivery) => ({ delivery, leaseUntil: null })))
}

const claimOf = (endpoint: string, over: { now?: number; limit?: number } = {}) => ({
  now: over.now ?? 1_000,
  leaseMs,
  parts: [{ endpoint, limit: over.limit ?? 10 }],
})

const attempt = { at: 1, statusCode: 500, durationMs: 2, error: null, response: { body: 'ü', isCut: true } }

const inserts = (open: Open): void => {
  it('stores each delivery once, and returns the deliveries that the call stored', async () => {
    const store = await open()
    const [a, b] = [webhookDelivery('whk_a', { attempts: [attempt] }), webhookDelivery('whk_a')]
    assert.deepEqual([...(await store.insert([{ delivery: a, leaseUntil: null }])).keys()], [a.id])
    const again = await store.insert([a, b].map((delivery) => ({ delivery, leaseUntil: null })))
    assert.deepEqual([...again.keys()], [b.id])
    assert.deepEqual((await store.get('whk_a', a.id))?.delivery, a)
    assert.equal(await store.get('whk_b', a.id), null)
  })

  it('gives the inserter the lease that it requests', async () => {
    const store = await open()
    const one = webhookDelivery('whk_a')
    const fence = (await store.insert([{ delivery: one, leaseUntil: 1_000 + leaseMs }])).get(one.id)
    assert.deepEqual(await store.claim(claimOf('whk_a')), [])
    assert.equal((await store.get('whk_a', one.id))?.leaseUntil, 1_000 + leaseMs)
    assert.equal(await store.write(one.id, fence ?? -1, endedDelivery(one, 'gone', 2_000)), true)
    const two = webhookDelivery('whk_a')
    await store.insert([{ delivery: two, leaseUntil: 1_000 + leaseMs }])
    const claimed = await store.claim(claimOf('whk_a', { now: 1_000 + leaseMs }))
    assert.deepEqual(
      claimed.map(({ delivery }) => delivery.id),
      [two.id],
    )
  })
}

const claims = (open: Open): void => {
  it('claims due deliveries of each endpoint up to its limit, the oldest first', async () => {
    const store = await open()
    const late = webhookDelivery('whk_a', { nextAt: 900 })
    const soon = webhookDelivery('whk_a', { nextAt: 800 })
    const other = webhookDelivery('whk_b', { nextAt: 700 })
    await add(store, late, soon, webhookDelivery('whk_a', { nextAt: 1_001 }), other)
    const parts = [
      { endpoint: 'whk_a', limit: 1 },
      { endpoint: 'whk_b', limit: 5 },
      { endpoint: 'whk_c', limit: 5 },
    ]
    const claimed = await store.claim({ now: 1_000, leaseMs, parts })
    assert.deepEqual(
      claimed.map(({ delivery }) => delivery.id),
      [other.id, soon.id],
    )
    assert.deepEqual(
      (await store.claim(claimOf('whk_a'))).map(({ delivery }) => delivery.id),
      [late.id],
    )
    assert.deepEqual(await store.claim(claimOf('whk_a', { limit: 0 })), [])
  })

  it('gives each delivery to one of several callers', async () => {
    const store = await open()
    await add(store, ...Array.from({ length: 20 }, () => webhookDelivery('whk_a')))
    const found = await Promise.all(Array.from({ length: 6 }, () => store.claim(claimOf('whk_a', { limit: 6 }))))
    const ids = found.flat().map(({ delivery }) => delivery.id)
    assert.equal(new Set(ids).size, ids.length)
    const remaining = await store.claim(claimOf('whk_a', { limit: 100 }))
    assert.equal(ids.length + remaining.length, 20)
  })

  it('names the endpoints with deliveries that have not ended, and when the first is due', async () => {
    const store = await open()
    await add(store, webhookDelivery('whk_b', { nextAt: 5_000 }), webhookDelivery('whk_b', { nextAt: 3_000 }))
    await add(store, webhookDelivery('whk_a', { nextAt: 9_000 }, { workspace: 'ws_2' }))
    await add(store, endedDelivery(webhookDelivery('whk_c'), 'gone', 2_000))
    const [a, b] = [
      { endpoint: 'whk_a', workspace: 'ws_2', dueAt: 9_000 },
      { endpoint: 'whk_b', workspace: 'ws_1', dueAt: 3_000 },
    ]
    assert.deepEqual(await store.waiting('', 10), [a, b])
    assert.deepEqual(await store.waiting('', 1), [a])
    assert.deepEqual(await store.waiting('whk_a', 10), [b])
    assert.equal(await store.nextDue(), 3_000)
    assert.deepEqual(await store.backlog(2), { pending: 2, oldestDueAt: 3_000 })
  })

  // Regression: SQLite left it out, so the age of the backlog did not grow after the death of its holder.
  it('counts a leased delivery in the backlog, with the end of its lease', async () => {
    const store = await open()
    const one = webhookDelivery('whk_a')
    await store.insert([{ delivery: one, leaseUntil: 4_000 }])
    assert.deepEqual(await store.backlog(2), { pending: 1, oldestDueAt: 4_000 })
    await add(store, webhookDelivery('whk_b', { nextAt: 5_000 }))
    assert.deepEqual(await store.backlog(2), { pending: 2, oldestDueAt: 4_000 })
  })

  it('counts the deliveries of an endpoint that have not ended, up to a maximum', async () => {
    const store = await open()
    await add(store, ...Array.from({ length: 5 }, () => webhookDelivery('whk_a')), webhookDelivery('whk_b'))
    await add(store, endedDelivery(webhookDelivery('whk_a'), 'gone', 2_000))
    await store.claim(claimOf('whk_a', { limit: 2 }))
    assert.equal(await store.countWaiting('whk_a', 10), 5)
    assert.equal(await store.countWaiting('whk_a', 3), 3)
    assert.equal(await store.countWaiting('whk_c', 3), 0)
  })

  it('is due at the end of a lease while it is leased', async () => {
    const store = await open()
    assert.equal(await store.nextDue(), null)
    await add(store, webhookDelivery('whk_a'))
    await store.claim(claimOf('whk_a'))
    assert.equal(await store.nextDue(), 1_000 + leaseMs)
    assert.equal((await store.waiting('', 10))[0]?.dueAt, 1_000 + leaseMs)
  })
}

const leases = (open: Open): void => {
  it('refuses the write of an earlier holder, and a second write of the same holder', async () => {
    const store = await open()
    const one = webhookDelivery('whk_a')
    await add(store, one)
    const [first] = await store.claim(claimOf('whk_a'))
    const [second] = await store.claim(claimOf('whk_a', { now: 1_000 + leaseMs }))
    const tried = { ...one, tries: 1, nextAt: 90_000, attempts: [attempt] }
    assert.equal(await store.write(one.id, first?.fence ?? 0, tried), false)
    assert.equal(await store.write(one.id, second?.fence ?? 0, tried), true)
    assert.equal(await store.write(one.id, second?.fence ?? 0, one), false)
    assert.deepEqual((await store.get('whk_a', one.id))?.delivery, tried)
    assert.deepEqual(await store.claim(claimOf('whk_a', { now: 89_999 })), [])
    assert.equal((await store.claim(claimOf('whk_a', { now: 90_000 }))).length, 1)
  })

  it('releases leases that are still held', async () => {
    const store = await open()
    await add(store, webhookDelivery('whk_a'), webhookDelivery('whk_a'))
    const claimed = await store.claim(claimOf('whk_a'))
    const [a, b] = claimed.map(({ delivery, fence }) => ({ id: delivery.id, fence }))
    assert.ok(a && b)
    await store.release([a, { ...b, fence: b.fence - 1 }])
    assert.deepEqual(
      (await store.claim(claimOf('whk_a'))).map(({ delivery }) => delivery.id),
      [a.id],
    )
    await store.release([])
    await store.clearLeases()
    assert.equal((await store.claim(claimOf('whk_a'))).length, 2)
  })

  it('leases one delivery, even if it has ended, unless another caller has it', async () => {
    const store = await open()
    const done = endedDelivery(webhookDelivery('whk_a'), 'exhausted', 2_000)
    await add(store, done)
    assert.equal(await store.claimOne('whk_b', done.id, 1_000, leaseMs), null)
    const claimed = await store.claimOne('whk_a', done.id, 1_000, leaseMs)
    assert.deepEqual(claimed?.delivery, done)
    assert.equal(await store.claimOne('whk_a', done.id, 1_001, leaseMs), null)
    await store.release([{ id: done.id, fence: claimed?.fence ?? 0 }])
    assert.equal(await store.nextDue(), null)
  })
}

const requested = (open: Open): void => {
  it('makes a delivery again on request, unless an attempt runs, and ends the lease of a late attempt', async () => {
    const store = await open()
    const done = endedDelivery(webhookDelivery('whk_a'), 'exhausted', 2_000)
    await add(store, done)
    const again = (now: number, endpoint = 'whk_a') =>
      store.changeRequested({ endpoint, id: done.id, now }, (before) => madeAgain(before, now), anEntry())
    assert.equal(await again(3_000, 'whk_b'), null)
    assert.deepEqual(await again(3_000), madeAgain(done, 3_000))
    const [claimedAgain] = await store.claim(claimOf('whk_a', { now: 3_000 }))
    assert.deepEqual(claimedAgain?.delivery, madeAgain(done, 3_000))
    assert.equal(await again(3_001), null)
    const late = 3_000 + leaseMs
    assert.deepEqual(await again(late), madeAgain(done, late))
    assert.equal(await store.write(done.id, claimedAgain?.fence ?? 0, done), false, 'the fencing token has changed')
    assert.deepEqual((await store.get('whk_a', done.id))?.delivery, madeAgain(done, late))
    assert.equal((await store.claim(claimOf('whk_a', { now: late }))).length, 1)
  })

  it('stores a delivery that is requested once', async () => {
    const store = await open()
    const one = webhookDelivery('whk_a', { isTest: true })
    await store.insertRequested(one, anEntry())
    await store.insertRequested(one, anEntry())
    assert.deepEqual(
      (await store.claim(claimOf('whk_a'))).map(({ delivery }) => delivery),
      [one],
    )
  })
}

const lists = (open: Open): void => {
  it('lists deliveries by the time of their events, newest first, in pages, by status', async () => {
    const store = await open()
    const all = []
    for (const at of [3_000, 1_000, 5_000, 2_000, 4_000]) {
      const one = webhookDelivery('whk_a', {}, { at })
      all.push(at > 3_000 ? endedDelivery(one, 'exhausted', 9_000) : one)
    }
    await add(store, ...all, webhookDelivery('whk_b'))
    const query = { endpoint: 'whk_a', before: null, limit: 2, status: null }
    const first = await store.list(query)
    assert.deepEqual([first.deliveries.map(({ eventAt }) => eventAt), first.hasMore], [[5_000, 4_000], true])
    const second = await store.list({ ...query, limit: 5, before: first.deliveries.at(-1)?.id ?? '' })
    assert.deepEqual([second.deliveries.map(({ eventAt }) => eventAt), second.hasMore], [[3_000, 2_000, 1_000], false])
    const failed = await store.list({ ...query, limit: 10, status: 'failed' })
    assert.deepEqual(
      failed.deliveries.map(({ eventAt }) => eventAt),
      [5_000, 4_000],
    )
  })

  it('returns the last success, without tests', async () => {
    const store = await open()
    assert.equal(await store.lastSuccessAt('whk_a', true), null)
    const done = (endedAt: number, over: Partial<WebhookDelivery> = {}) =>
      webhookDelivery('whk_a', { status: 'delivered', nextAt: null, endedAt, ...over })
    await add(store, done(2_000), done(5_000), done(3_000), done(9_000, { isTest: true }))
    assert.deepEqual(
      [await store.lastSuccessAt('whk_a', true), await store.lastSuccessAt('whk_a', false)],
      [5_000, 5_000],
    )
    await add(store, done(8_000, { mode: 'test', clockOffset: 4_000 }))
    assert.deepEqual(
      [await store.lastSuccessAt('whk_a', true), await store.lastSuccessAt('whk_a', false)],
      [8_000, 5_000],
    )
  })
}

const removals = (open: Open): void => {
  it('cancels what waits of an endpoint, except leased deliveries and tests', async () => {
    const store = await open()
    const test = webhookDelivery('whk_a', { isTest: true })
    const waiting = [webhookDelivery('whk_a'), webhookDelivery('whk_a', { nextAt: 99_000 })]
    const leased = webhookDelivery('whk_a')
    await store.insert([{ delivery: leased, leaseUntil: 1_000 + leaseMs }])
    await add(store, test, ...waiting, webhookDelivery('whk_b'))
    assert.equal(await store.cancel('whk_a', 2_000, 1), 1)
    assert.equal(await store.cancel('whk_a', 2_000, 10), 1)
    assert.equal(await store.cancel('whk_a', 2_000, 10), 0)
    const [first] = waiting
    assert.ok(first)
    const ended = { ...first, status: 'canceled', reason: 'endpoint_disabled', nextAt: null, endedAt: 2_000 }
    assert.deepEqual((await store.get('whk_a', first.id))?.delivery, ended)
    assert.equal(
      (await store.list({ endpoint: 'whk_a', before: null, limit: 9, status: 'pending' })).deliveries.length,
      2,
    )
  })

  it('removes deliveries of older events, and deliveries of an endpoint', async () => {
    const store = await open()
    for (const at of [1_000, 2_000, 3_000]) await add(store, webhookDelivery('whk_a', {}, { at }))
    await add(store, webhookDelivery('whk_b', {}, { at: 3_000 }))
    assert.equal(await store.removeBefore(3_000, 1), 1)
    assert.equal(await store.removeBefore(3_000, 10), 1)
    assert.equal(await store.removeBefore(3_000, 10), 0)
    assert.deepEqual([await store.endpointAfter(''), await store.endpointAfter('whk_a')], ['whk_a', 'whk_b'])
    assert.equal(await store.endpointAfter('whk_b'), null)
    assert.equal(await store.removeOf('whk_a', 10), 1)
    assert.equal(await store.endpointAfter(''), 'whk_b')
  })

  it('removes the responses of receivers, and nothing else', async () => {
    const store = await open()
    const one = webhookDelivery('whk_a', { attempts: [attempt, { ...attempt, at: 2 }] })
    const [none, other] = [webhookDelivery('whk_a'), webhookDelivery('whk_a', { attempts: [attempt] })]
    await add(store, one, none, other)
    await store.forgetResponses([one.id, none.id, 'dlv_unknown'])
    const attempts = one.attempts.map((each) => ({ ...each, response: null }))
    assert.deepEqual((await store.get('whk_a', one.id))?.delivery, { ...one, attempts })
    assert.deepEqual((await store.get('whk_a', none.id))?.delivery, none)
    assert.deepEqual((await store.get('whk_a', other.id))?.delivery, other)
  })

  // The holder wrote the responses back that it had read, and the response to what it had sent.
  it('refuses what the holder of a lease writes after its responses were removed, and then delivers again', async () => {
    const store = await open()
    const tried = webhookDelivery('whk_a', { attempts: [attempt] })
    const all = [tried, webhookDelivery('whk_a')]
    await add(store, ...all)
    const claimed = await store.claim(claimOf('whk_a'))
    assert.equal(claimed.length, 2)
    await store.forgetResponses(all.map(({ id }) => id))
    for (const { delivery, fence } of claimed) {
      const attempts = [...delivery.attempts, { ...attempt, at: 2 }]
      assert.equal(await store.write(delivery.id, fence, { ...delivery, attempts }), false)
    }
    const again = await store.claim(claimOf('whk_a', { now: 1_000 + leaseMs }))
    assert.deepEqual(
      again.map(({ delivery }) => JSON.stringify(delivery.attempts.map(({ response }) => response))).toSorted(),
      ['[]', '[null]'],
    )
  })
}
