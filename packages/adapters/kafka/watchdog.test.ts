import assert from 'node:assert/strict'
import { until } from '../../../test/support/until.ts'
import { watchdog } from './watchdog.ts'

const events = { FETCH: 'fetch', HEARTBEAT: 'heartbeat', GROUP_JOIN: 'join' }

const watched = (answers: () => Promise<boolean>, silentMs: number, now = performance.now.bind(performance)) => {
  const listeners = new Map<string, () => void>()
  const on = (event: string, heard: () => void) => {
    listeners.set(event, heard)
    return () => listeners.delete(event)
  }
  let silences = 0
  const dog = watchdog({
    consumer: { on, events } as never,
    answers,
    onSilent: () => {
      silences += 1
    },
    silentMs,
    now,
  })
  return { ...dog, dog, listeners, silences: () => silences }
}

describe('the watchdog of a consumer', () => {
  it('barks at a silence while Kafka answers', async () => {
    const { dog, silences } = watched(async () => true, 24)
    using _dog = dog
    await until('it barks', () => silences() > 0 || undefined)
  })

  it('lies still while Kafka is away', async () => {
    let asked = 0
    const { dog, silences } = watched(async () => {
      asked += 1
      return false
    }, 24)
    using _dog = dog
    await until('Kafka was asked', () => asked > 2 || undefined)
    assert.equal(silences(), 0)
  })

  // A dispatcher that was paused for a minute ended itself when it went on: it took its own silence for Kafka's.
  it('learns nothing from the time in which its own process stood still', async () => {
    const time = { at: 0, step: 0, reads: 0 }
    const now = () => {
      time.reads += 1
      time.at += time.step
      return time.at
    }
    const { dog, silences } = watched(async () => true, 24, now)
    using _dog = dog
    const looks = (count: number) => {
      const enough = time.reads + count
      return until('it looked some times', () => time.reads >= enough || undefined)
    }
    await looks(3)
    time.at += 60_000
    await looks(6)
    assert.equal(silences(), 0)
    time.step = 2
    await until('it barks at the silence after', () => silences() > 0 || undefined)
  })

  it('takes each sign of life for one, also one that comes while Kafka is asked', async () => {
    for (const event of Object.values(events)) {
      let asked = 0
      const { dog, silences, listeners } = watched(async () => {
        asked += 1
        listeners.get(event)?.()
        return true
      }, 24)
      using _dog = dog
      await until('Kafka was asked', () => asked > 1 || undefined)
      assert.equal(silences(), 0, event)
    }
  })
})
