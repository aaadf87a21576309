import assert from 'node:assert/strict'
import { scheduledTime, sendTimeProblems, wantedAt } from './sendTime.ts'

const at = 1_790_000_000_000
const limits = { schedulePastMs: 60_000, scheduleAheadMs: 30 * 86_400_000 }
const codes = (sendAt: Parameters<typeof wantedAt>[0]) =>
  sendTimeProblems({ sendAt, at, limits }).map(({ path, code }) => `${path} ${code}`)

describe('send time', () => {
  it('is immediately, at a time, or after a duration', () => {
    assert.deepEqual([wantedAt(null, at), wantedAt({ at: 5 }, at), wantedAt({ inMs: 5 }, at)], [null, 5, at + 5])
  })

  it('is one to wait for if it is later than acceptance', () => {
    const times = [null, { inMs: 0 }, { at: at - 1 }, { at }, { at: at + 1 }, { inMs: 5 }]
    assert.deepEqual(
      times.map((time) => scheduledTime(time, at)),
      [null, null, null, null, at + 1, at + 5],
    )
  })

  it('may be a minute ago and 30 days ahead, and no more', () => {
    assert.deepEqual([codes(null), codes({ at: at - 60_000 }), codes({ inMs: limits.scheduleAheadMs })], [[], [], []])
    assert.deepEqual(codes({ at: at - 60_001 }), ['scheduled_at in_the_past'])
    assert.deepEqual(codes({ inMs: limits.scheduleAheadMs + 1 }), ['scheduled_at too_far_ahead'])
  })
})
