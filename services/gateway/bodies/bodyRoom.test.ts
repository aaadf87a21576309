import assert from 'node:assert/strict'
import { byteBudget } from '@postrider/kit/byteBudget.ts'
import { roomFor } from './bodyRoom.ts'

const waitMs = 1_000_000

describe('room of a body', () => {
  // Each part of a body could wait for the whole time.
  it('waits no longer for all parts of a body together than for one', async () => {
    const budget = byteBudget({ capacityBytes: 100, maxBytesPerOwner: 100, isFirstFit: true })
    let time = 0
    const clock = { elapsed: () => time, after: () => assert.fail('no timer is set') }
    using room = roomFor({ long: budget, short: budget, waitMs, clock }, { owner: 'ws_1', expectedBytes: () => 100 })
    room.onEnd(() => {})
    assert.equal(room.reserve(10, 10), null)
    using other = budget.open('ws_2')
    assert.ok(other.tryGrow(90))
    const first = room.reserve(10, 20)
    time += waitMs
    other.shrinkTo(80)
    assert.equal(await first, true)
    assert.equal(await room.reserve(10, 30), false)
  })

  // A timer of Node takes whole milliseconds only, and the rejection ended the process.
  it('waits a second time after a wait of a part of a millisecond', async () => {
    const budget = byteBudget({ capacityBytes: 100, maxBytesPerOwner: 100, isFirstFit: true })
    let time = 0.25
    const clock = { elapsed: () => time, after: () => assert.fail('no timer is set') }
    using room = roomFor({ long: budget, short: budget, waitMs, clock }, { owner: 'ws_1', expectedBytes: () => 100 })
    room.onEnd(() => {})
    assert.equal(room.reserve(10, 10), null)
    using other = budget.open('ws_2')
    assert.ok(other.tryGrow(90))
    for (const [reserved, left] of [
      [20, 80],
      [30, 70],
    ] as const) {
      const granted = room.reserve(10, reserved)
      time += 0.5
      other.shrinkTo(left)
      assert.equal(await granted, true)
    }
  })
})
