import assert from 'node:assert/strict'
import fc from 'fast-check'
import { uniqueQueue } from './fairQueue.ts'

describe('unique queue', () => {
  it('behaves as a list without duplicates for any sequence of operations', () => {
    const item = fc.integer({ min: 0, max: 9 })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), item }),
      fc.record({ kind: fc.constant('remove' as const), item }),
      fc.record({ kind: fc.constant('shift' as const), item }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = uniqueQueue<number>()
        let model: number[] = []
        for (const { kind, item } of steps) {
          if (kind === 'shift') {
            assert.equal(queue.shift(), model.shift())
          } else if (kind === 'add') {
            const fresh = !model.includes(item)
            assert.equal(queue.add(item), fresh)
            if (fresh) model.push(item)
          } else {
            assert.equal(queue.remove(item), model.includes(item))
            model = model.filter((one) => one !== item)
          }
          assert.equal(queue.size(), model.length)
        }
      }),
    )
  })
})
