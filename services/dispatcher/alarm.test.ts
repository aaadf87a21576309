import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { alarm } from './alarm.ts'

describe('an alarm', () => {
  afterEach(() => mock.timers.reset())

  const setUp = () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    const rang: number[] = []
    const clock = alarm(Date.now, 60_000, () => rang.push(Date.now()))
    return { rang, clock }
  }

  it('rings at the earliest time it was told, once', () => {
    const { rang, clock } = setUp()
    for (const at of [5_000, 300, 900]) clock.by(at)
    mock.timers.tick(299)
    assert.equal(rang.length, 0)
    mock.timers.tick(1)
    mock.timers.tick(10_000)
    assert.deepEqual(rang, [300])
  })

  it('rings at once for what is past', () => {
    const { rang, clock } = setUp()
    clock.by(-5)
    mock.timers.tick(1)
    assert.equal(rang.length, 1)
  })

  it('rings before a far time, so that a clock put forward is noticed', () => {
    const { rang, clock } = setUp()
    clock.by(86_400_000)
    mock.timers.tick(60_000)
    assert.deepEqual(rang, [60_000])
  })

  it('can be set again from its ring, and turned off', () => {
    const { rang, clock } = setUp()
    clock.by(10)
    mock.timers.tick(10)
    clock.by(20)
    clock.off()
    mock.timers.tick(60_000)
    assert.deepEqual(rang, [10])
  })
})
