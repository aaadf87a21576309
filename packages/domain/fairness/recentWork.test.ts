import assert from 'node:assert/strict'
import { hourMs, minuteMs } from '../time.ts'
import { recentWork } from './recentWork.ts'

describe('recent work', () => {
  it('decreases by one task in five minutes', () => {
    let now = 0
    const recent = recentWork(() => now)
    recent.add({ owner: 'a' })
    recent.add({ owner: 'a' })
    const works = [0, 5, 10, 15].map((minutes) => {
      now = minutes * minuteMs
      return recent.of({ owner: 'a' })
    })
    assert.deepEqual([works, recent.of({ owner: 'b' })], [[2, 1, 0, 0], 0])
  })

  it('has a limit, so that an owner is as new as any other after less than two hours', () => {
    let now = 0
    const recent = recentWork(() => now)
    for (let task = 0; task < 10_000; task++) recent.add({ owner: 'a' })
    const most = recent.of({ owner: 'a' })
    now = 2 * hourMs
    assert.deepEqual([most, recent.of({ owner: 'a' })], [20, 0])
  })

  it('is that of the area, of which a sixteenth counts, if the owner had less', () => {
    const recent = recentWork(() => 0)
    for (let owner = 0; owner < 32; owner++) recent.add({ owner: `${owner}`, area: 'x' })
    recent.add({ owner: '0', area: 'x' })
    recent.add({ owner: '0', area: 'x' })
    const works = ['0', '1', 'new'].map((owner) => recent.of({ owner, area: 'x' }))
    assert.deepEqual([works, recent.of({ owner: 'new', area: 'y' })], [[3, 2.125, 2.125], 0])
  })

  it('is exact after more owners than are stored at first', () => {
    let now = 0
    const recent = recentWork(() => now)
    recent.add({ owner: 'early' })
    now = 4 * minuteMs
    recent.add({ owner: 'late' })
    now = 6 * minuteMs
    for (let owner = 0; owner < 3_000; owner++) recent.add({ owner: `${owner}` })
    const works = ['early', 'late', '0', '2999'].map((owner) => Math.round(recent.of({ owner }) * 10) / 10)
    assert.deepEqual(works, [0, 0.6, 1, 1])
  })
})
