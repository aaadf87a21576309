import assert from 'node:assert/strict'
import { hourMs } from '@postrider/domain/time.ts'
import type { ReputationStore, WorkspaceOutcomes } from './reputation.ts'

type Open = () => ReputationStore | Promise<ReputationStore>

/** The last hour of a day. */
const hour = Date.UTC(2026, 10, 21, 23)

const outcomes = (over: Partial<WorkspaceOutcomes> = {}): WorkspaceOutcomes => ({
  workspace: 'ws_1',
  hour,
  delivered: 0,
  bounced: 0,
  complained: 0,
  ...over,
})

/** Declares the tests that every store of reputations must pass. `open` returns an empty store. */
export const reputationConformance = (name: string, open: Open) =>
  describe(`reputations in ${name}`, () => {
    it('counts outcomes by workspace and hour, even concurrent ones', async () => {
      const store = await open()
      await Promise.all([
        store.addOutcomes([outcomes({ delivered: 2 }), outcomes({ workspace: 'ws_2', bounced: 1 })]),
        store.addOutcomes([outcomes({ delivered: 3, bounced: 1 }), outcomes({ hour: hour + hourMs, complained: 1 })]),
        store.addOutcomes([outcomes({ hour: hour - hourMs, delivered: 7 })]),
        store.addOutcomes([]),
      ])
      const found = await store.outcomes('ws_1', hour)
      assert.deepEqual(
        found.toSorted((one, other) => one.at - other.at),
        [
          { at: hour, delivered: 5, bounced: 1, complained: 0 },
          { at: hour + hourMs, delivered: 0, bounced: 0, complained: 1 },
        ],
      )
      assert.deepEqual(await store.outcomes('ws_3', 0), [])
    })

    // Regression: SQLite returned the hour, and MongoDB failed on each later read of the day.
    it('stores no hour without an outcome', async () => {
      const store = await open()
      await store.addOutcomes([outcomes(), outcomes({ workspace: 'ws_2', delivered: 1 })])
      assert.deepEqual(await store.outcomes('ws_1', 0), [])
      assert.deepEqual(await store.outcomes('ws_2', 0), [{ at: hour, delivered: 1, bounced: 0, complained: 0 }])
    })

    it('finds workspaces with recent bounces or complaints, and those whose reputation is not good', async () => {
      const store = await open()
      await store.addOutcomes([
        outcomes({ workspace: 'ws_delivers', delivered: 5 }),
        outcomes({ workspace: 'ws_bounces', delivered: 5, bounced: 1 }),
        outcomes({ workspace: 'ws_complains', complained: 1 }),
        outcomes({ workspace: 'ws_earlier', hour: hour - hourMs, bounced: 1 }),
      ])
      const raised = { 'bounce 24h': { level: 'warning' as const, rises: 1 } }
      assert.equal(await store.writeReputation('ws_earlier', { 'bounce 24h': { level: 'good', rises: 2 } }, 0), true)
      assert.equal(await store.writeReputation('ws_raised', raised, 0), true)
      assert.deepEqual((await store.troubled(hour)).toSorted(), ['ws_bounces', 'ws_complains', 'ws_raised'])
    })

    it('writes a reputation if it is as it was read', async () => {
      const store = await open()
      assert.deepEqual(await store.reputation('ws_1'), { reputation: {}, version: 0 })
      const [one, other] = (['warning', 'critical'] as const).map((level) => ({ 'bounce 24h': { level, rises: 1 } }))
      assert.ok(one && other)
      const first = await Promise.all([store.writeReputation('ws_1', one, 0), store.writeReputation('ws_1', one, 0)])
      assert.deepEqual(first.toSorted(), [false, true])
      const { version, reputation } = await store.reputation('ws_1')
      assert.deepEqual(reputation, one)
      assert.equal(await store.writeReputation('ws_1', other, version), true)
      assert.equal(await store.writeReputation('ws_1', one, version), false)
      assert.deepEqual((await store.reputation('ws_1')).reputation, other)
    })

    it('removes the counts of earlier days', async () => {
      const store = await open()
      await store.addOutcomes([
        outcomes({ hour: hour - 24 * hourMs, delivered: 1 }),
        outcomes({ hour: hour - 48 * hourMs, delivered: 1 }),
        outcomes({ delivered: 1 }),
      ])
      const dayStart = hour - 23 * hourMs
      assert.equal(await store.removeOutcomes(dayStart, 1), 1)
      assert.equal(await store.removeOutcomes(dayStart, 9), 1)
      assert.equal(await store.removeOutcomes(dayStart, 9), 0)
      assert.deepEqual(await store.outcomes('ws_1', 0), [{ at: hour, delivered: 1, bounced: 0, complained: 0 }])
    })
  })
