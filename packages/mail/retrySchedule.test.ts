import assert from 'node:assert/strict'
import { nextTry } from './retrySchedule.ts'

const inTheMiddle = () => 0.5
const minutes = [0, 5, 15, 30, 60, 120, 240, 480, 960]

describe('the retry schedule', () => {
  for (const [tries, gap] of minutes.entries()) {
    it(`waits ${gap} min after try ${tries}`, () => {
      assert.equal(nextTry({ tries, at: 1_000_000, random: inTheMiddle }), 1_000_000 + gap * 60_000)
    })
  }

  it('is used up after nine tries, about 32 h after the first', () => {
    assert.equal(nextTry({ tries: 9, at: 0, random: inTheMiddle }), null)
    const total = minutes.reduce((sum, gap) => sum + gap, 0)
    assert.ok(total > 31 * 60 && total < 33 * 60)
  })

  it('varies by at most a tenth in both directions', () => {
    assert.equal(nextTry({ tries: 1, at: 0, random: () => 0 }), 270_000)
    assert.equal(nextTry({ tries: 1, at: 0, random: () => 1 }), 330_000)
  })
})
