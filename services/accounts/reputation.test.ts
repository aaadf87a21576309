import assert from 'node:assert/strict'
import { type HourOfOutcomes, hourOf, type Reputation } from '@postrider/domain/reputation/reputation.ts'
import { hourMs } from '@postrider/domain/time.ts'
import type { ReputationStore } from '@postrider/ports/reputation.ts'
import { memoryNotifications } from './fakesNotifications.ts'
import { openReputationWatch } from './reputation.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const start = Date.UTC(2026, 10, 21, 12, 30)

const memoryReputation = (hours: HourOfOutcomes[]): ReputationStore => {
  let stored: { reputation: Reputation; version: number } = { reputation: {}, version: 0 }
  return {
    addOutcomes: async () => {},
    troubled: async () => ['ws_1'],
    outcomes: async (_, since) => hours.filter(({ at }) => at >= since),
    reputation: async () => stored,
    writeReputation: async (_, reputation, version) => {
      if (version !== stored.version) return false
      stored = { reputation, version: version + 1 }
      return true
    },
    removeOutcomes: async () => 0,
  }
}

const watched = (store: ReputationStore) => {
  let time = start
  const events = memoryNotifications(() => time)
  const open = (reputation = store) => openReputationWatch({ reputation, events, now: () => time, log })
  const advance = (ms: number): void => {
    time += ms
  }
  return { events, open, advance }
}

describe('watch of reputations', () => {
  const bad: HourOfOutcomes = { at: hourOf(start), delivered: 97, bounced: 3, complained: 0 }
  const enough = { ...bad, delivered: 970, bounced: 30 }

  it('stores one event for each rate that rises, and none while the rate stays', async () => {
    const { events, open, advance } = watched(memoryReputation([enough]))
    await using watch = open()
    assert.equal(await watch.assessDue(), 2)
    assert.deepEqual(
      events.events.map(({ type, mode, workspace, data }) => ({ type, mode, workspace, ...data })),
      ['24h', '30d'].map((window) => ({
        type: 'reputation.warning',
        mode: 'internal',
        workspace: 'ws_1',
        metric: 'bounce',
        window,
        rate_percent: 3,
        limit_percent: 2,
        delivered: 970,
        bounced: 30,
        complained: 0,
      })),
    )
    advance(hourMs)
    assert.equal(await watch.assessDue(), 0)
    advance(25 * hourMs)
    assert.equal(await watch.assessDue(), 0)
    assert.equal(events.events.length, 2)
  })

  it('stores the same events from several processes, and after a crash before the level is written', async () => {
    const store = memoryReputation([enough])
    const { events, open } = watched(store)
    await using dying = open({ ...store, writeReputation: () => Promise.reject(new Error('the process died')) })
    await assert.rejects(dying.assessDue())
    await using first = open()
    await using second = open()
    await Promise.all([first.assessDue(), second.assessDue()])
    assert.equal(events.events.length, 2)
  })

  it('does not assess rates with few deliveries', async () => {
    const { events, open } = watched(memoryReputation([bad]))
    await using watch = open()
    assert.equal(await watch.assessDue(), 0)
    assert.deepEqual(events.events, [])
  })
})
