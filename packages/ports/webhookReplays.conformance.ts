import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { idOf } from '@postrider/kit/ids.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { WebhookReplayStore } from './webhookReplays.ts'
import { leaseMs, webhookReplay } from './webhooksFixtures.conformance.ts'

type Open = () => WebhookReplayStore | Promise<WebhookReplayStore>

const query = { now: 1_000, limit: 10, leaseMs, except: [] as readonly string[] }

/** Returns a replay whose id has its time. */
const replayAt = (endpoint: string, at: number) =>
  webhookReplay({ id: idOf('rpl', at, randomBytes(10)), endpoint, createdAt: at })

/** Declares the tests that every store of replays must pass. `open` returns an empty store. */
export const webhookReplaysConformance = (adapter: string, open: Open) =>
  describe(`webhook replay store in ${adapter}`, () => {
    it('stores one running replay of an endpoint', async () => {
      const store = await open()
      const one = webhookReplay()
      assert.equal(await store.insert(one, anEntry()), 'inserted')
      assert.equal(await store.insert(one, anEntry()), 'inserted')
      assert.equal(await store.insert(webhookReplay(), anEntry()), 'running')
      assert.equal(await store.insert(webhookReplay({ endpoint: 'whk_2' }), anEntry()), 'inserted')
      assert.deepEqual(await store.get('whk_1', one.id), one)
      assert.equal(await store.get('whk_2', one.id), null)
    })

    it('gives a replay to one caller at a time, and refuses an earlier holder', async () => {
      const store = await open()
      const one = webhookReplay()
      await store.insert(one, anEntry())
      const [first] = await store.claim(query)
      assert.deepEqual(first?.replay, one)
      assert.deepEqual(await store.claim(query), [])
      const [second] = await store.claim({ ...query, now: 1_000 + leaseMs })
      const next = { ...one, sent: 3 }
      assert.equal(await store.write(one.id, first?.fence ?? 0, next, 200_000), false)
      assert.equal(await store.write(one.id, second?.fence ?? 0, next, 200_000), true)
      assert.deepEqual(await store.claim({ ...query, now: 199_999 }), [])
      assert.equal(await store.write(one.id, second?.fence ?? 0, next, null), true)
      assert.deepEqual((await store.claim(query))[0]?.replay, next)
    })

    it('leases the replays that have waited longest first, and none of the workspaces that must wait', async () => {
      const store = await open()
      const [one, two, three] = ['ws_1', 'ws_2', 'ws_1'].map((workspace, index) =>
        webhookReplay({ endpoint: `whk_${index}`, workspace, createdAt: index }),
      )
      assert.ok(one && two && three)
      for (const replay of [three, two, one]) await store.insert(replay, anEntry())
      const idsOf = async (over: Partial<typeof query>) =>
        (await store.claim({ ...query, ...over })).map(({ replay }) => replay.id)
      assert.deepEqual(await idsOf({ except: ['ws_1', 'ws_2'] }), [])
      assert.deepEqual(await idsOf({ except: ['ws_1'], limit: 1 }), [two.id])
      const [first] = await store.claim({ ...query, limit: 1 })
      assert.equal(first?.replay.id, one.id)
      // A turn that has ended waits behind the others.
      assert.equal(await store.write(one.id, first?.fence ?? 0, one, 900), true)
      assert.deepEqual(await idsOf({ limit: 1 }), [three.id])
      assert.deepEqual(await idsOf({ limit: 1 }), [one.id])
    })

    it('permits another replay after the end of one, and removes the ended replay later', async () => {
      const store = await open()
      const one = webhookReplay()
      await store.insert(one, anEntry())
      const [claimed] = await store.claim(query)
      const done = { ...one, status: 'done' as const, endedAt: 5_000 }
      assert.equal(await store.write(one.id, claimed?.fence ?? 0, done, null), true)
      const two = webhookReplay()
      assert.equal(await store.insert(two, anEntry()), 'inserted')
      assert.equal((await store.get('whk_1', null))?.id, two.id > one.id ? two.id : one.id)
      assert.equal(await store.removeBefore(5_000), 0)
      assert.equal(await store.removeBefore(5_001), 1)
      assert.equal(await store.removeOf('whk_1'), 1)
    })

    it('finds the newest replay of each endpoint', async () => {
      const store = await open()
      const [first, second] = [replayAt('whk_1', 1_000), replayAt('whk_1', 2_000)]
      await store.insert(first, anEntry())
      const [claimed] = await store.claim(query)
      await store.write(first.id, claimed?.fence ?? 0, { ...first, status: 'done', endedAt: 1_500 }, null)
      const other = replayAt('whk_2', 1_000)
      for (const replay of [second, other, replayAt('whk_3', 3_000)]) await store.insert(replay, anEntry())
      const expected = new Map([
        ['whk_1', second],
        ['whk_2', other],
      ])
      assert.deepEqual(await store.newest(['whk_1', 'whk_2', 'whk_4']), expected)
      assert.deepEqual(await store.newest([]), new Map())
    })

    it('ends the leases of all replays', async () => {
      const store = await open()
      await store.insert(webhookReplay(), anEntry())
      await store.claim(query)
      await store.clearLeases()
      assert.equal((await store.claim(query)).length, 1)
    })

    // Regression: MongoDB made all due since 1970, also a replay that was created after `now`, and lost their order.
    it('makes the replays whose leases it ends due at their creation', async () => {
      const store = await open()
      const all = [300, 100, 1_001, 200].map((createdAt) => webhookReplay({ endpoint: `whk_${createdAt}`, createdAt }))
      for (const one of all) await store.insert(one, anEntry())
      await store.claim({ ...query, limit: 2 })
      await store.clearLeases()
      const claimed: number[] = []
      for (let left = all.length; left > 0; left--)
        claimed.push(...(await store.claim({ ...query, limit: 1 })).map(({ replay }) => replay.createdAt))
      assert.deepEqual(claimed, [100, 200, 300])
    })
  })
