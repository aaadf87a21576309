import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

  // Regression: an iterator held them, and a gateway held thousands of closed connections with the bodies they had
  // sent.
  it('holds no item that was removed, although none is taken', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const queue = uniqueQueue<object>()
    const removed: WeakRef<object>[] = []
    const fill = (): void => {
      const items = Array.from({ length: 1_000 }, () => ({}))
      for (const item of items) queue.add(item)
      for (const item of items) queue.remove(item)
      removed.push(...items.map((item) => new WeakRef(item)))
    }
    queue.add({})
    for (let round = 0; round < 10; round++) fill()
    // A reference is held until the iteration ends that has made it.
    await nextIteration()
    collect()
    assert.equal(removed.filter((reference) => reference.deref() !== undefined).length, 0)
    assert.equal(queue.size(), 1)
  })
})
