import assert from 'node:assert/strict'
import { until } from '../../../test/support/until.ts'
import { type WatchdogOptions, watchdog } from './watchdog.ts'

const events = { FETCH: 'fetch', HEARTBEAT: 'heartbeat', GROUP_JOIN: 'join' }

const watched = (
  isReachable: () => Promise<boolean>,
  silentMs: number,
  { elapsed = performance.now.bind(performance), signs }: Pick<WatchdogOptions, 'elapsed' | 'signs'> = {},
) => {
  const listeners = new Map<string, () => void>()
  const on = (event: string, listener: () => void) => {
    listeners.set(event, listener)
    return () => listeners.delete(event)
  }
  let silences = 0
  const dog = watchdog({
    consumer: { on, events } as never,
    isReachable,
    onSilent: () => {
      silences += 1
    },
    silentMs,
    elapsed,
    ...(signs && { signs }),
  })
  return { dog, listeners, silences: () => silences }
}

describe('consumer watchdog', () => {
  it('reports a silent consumer while Kafka responds', async () => {
    const { dog, silences } = watched(async () => true, 24)
    using _dog = dog
    await until('silence is reported', () => silences() > 0 || undefined)
  })

  it('reports nothing while Kafka is unavailable', async () => {
    let checks = 0
    const { dog, silences } = watched(async () => {
      checks += 1
      return false
    }, 24)
    using _dog = dog
    await until('Kafka was checked', () => checks > 2 || undefined)
    assert.equal(silences(), 0)
  })

  // A dispatcher that had been paused for a minute once ended itself when it continued.
  it('ignores the time in which its own process was paused', async () => {
    const time = { at: 0, step: 0, reads: 0 }
    const now = () => {
      time.reads += 1
      time.at += time.step
      return time.at
    }
    const { dog, silences } = watched(async () => true, 24, { elapsed: now })
    using _dog = dog
    const checks = (count: number) => {
      const enough = time.reads + count
      return until('it has checked some times', () => time.reads >= enough || undefined)
    }
    await checks(3)
    time.at += 60_000
    await checks(6)
    assert.equal(silences(), 0)
    time.step = 2
    await until('the silence afterwards is reported', () => silences() > 0 || undefined)
  })

  it('accepts every event as a sign of life, even while it checks Kafka', async () => {
    for (const event of Object.values(events)) {
      let checks = 0
      const { dog, silences, listeners } = watched(async () => {
        checks += 1
        listeners.get(event)?.()
        return true
      }, 24)
      using _dog = dog
      await until('Kafka was checked', () => checks > 1 || undefined)
      assert.equal(silences(), 0, event)
    }
  })

  // A consumer without heartbeats fetches on, although its group has given its partitions to others.
  it('ignores events that are no sign of life for it', async () => {
    const { dog, silences, listeners } = watched(async () => true, 24, { signs: ['HEARTBEAT'] })
    using _dog = dog
    assert.deepEqual([...listeners.keys()], [events.HEARTBEAT])
    await until('silence is reported', () => silences() > 0 || undefined)
  })
})
