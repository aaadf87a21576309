import assert from 'node:assert/strict'
import { parsePosition, positionText } from './position.ts'

describe('position in a list', () => {
  it('is read as it was written', () => {
    for (const position of [
      { at: 1_790_000_000_000, id: 'evt_01m7yr6cabfzvahf8pz72f0kb4' },
      { at: -1, id: '' },
      { at: 0, id: 'a.b' },
    ]) {
      assert.deepEqual(parsePosition(positionText(position)), position)
    }
  })

  for (const text of ['', '.', '.evt_1', 'evt_1', 'x.evt_1']) {
    it(`is not in the text "${text}"`, () => assert.equal(parsePosition(text), null))
  }
})
