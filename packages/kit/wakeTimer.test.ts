import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { wakeTimer } from './wakeTimer.ts'

describe('wake timer', () => {
  afterEach(() => mock.timers.reset())

  const setUp = () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    const fired: number[] = []
    const timer = wakeTimer(Date.now, () => fired.push(Date.now()))
    return { fired, timer }
  }

  it('fires once, at the earliest scheduled time', () => {
    const { fired, timer } = setUp()
    for (const at of [5_000, 300, 900]) timer.scheduleAt(at)
    mock.timers.tick(299)
    assert.equal(fired.length, 0)
    mock.timers.tick(1)
    mock.timers.tick(10_000)
    assert.deepEqual(fired, [300])
  })

  it('fires immediately for a time in the past', () => {
    const { fired, timer } = setUp()
    timer.scheduleAt(-5)
    mock.timers.tick(1)
    assert.equal(fired.length, 1)
  })

  it('fires early for a distant time, so that a clock that is set forward is noticed', () => {
    const { fired, timer } = setUp()
    timer.scheduleAt(86_400_000)
    mock.timers.tick(60_000)
    assert.deepEqual(fired, [60_000])
  })

  it('can be scheduled again and canceled after it has fired', () => {
    const { fired, timer } = setUp()
    timer.scheduleAt(10)
    mock.timers.tick(10)
    timer.scheduleAt(20)
    timer.cancel()
    mock.timers.tick(60_000)
    assert.deepEqual(fired, [10])
  })
})
