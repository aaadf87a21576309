import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../../test/support/cost.ts'
import { evictionQueue } from './evictionQueue.ts'

describe('items that are evicted', () => {
  /** Returns a queue with items, as `owner name`. */
  const withItems = (...items: string[]) => {
    const queue = evictionQueue<string>()
    for (const item of items) queue.add(item.split(' ')[0] ?? '', item)
    return queue
  }

  it('are the oldest of the owner that has the most', () => {
    const queue = withItems('a 1', 'b 1', 'b 2', 'b 3', 'c 1', 'c 2')
    assert.deepEqual([queue.take(), queue.take()], ['b 1', 'c 1'])
    assert.equal(queue.take(), 'b 2')
    assert.deepEqual([...Array(4)].map(queue.take), ['a 1', 'c 2', 'b 3', undefined])
  })

  it('do not include a removed item, and an item that was added again is the newest', () => {
    const queue = withItems('a 1', 'a 2', 'a 3')
    queue.remove('a', 'a 1')
    queue.remove('a', 'a 2')
    queue.add('a', 'a 1')
    queue.remove('b', 'b 1')
    assert.deepEqual([...Array(3)].map(queue.take), ['a 3', 'a 1', undefined])
  })

  it('include a renewed item as the newest of its owner, whether or not it was there', () => {
    const queue = withItems('a 1', 'a 2', 'b 1')
    queue.renew('a', 'a 1')
    queue.renew('a', 'a 3')
    queue.renew('c', 'c 1')
    assert.deepEqual([...Array(3)].map(queue.take), ['a 2', 'a 1', 'b 1'])
  })

  it('are what a search of all would find, after any changes', () => {
    const queue = evictionQueue<string>()
    const order: string[] = []
    const counts = () => {
      const found = new Map<string, number>()
      for (const one of order) found.set(one[0] ?? '', (found.get(one[0] ?? '') ?? 0) + 1)
      return found
    }
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let step = 0; step < 5_000; step++) {
      const item = `${'abcdef'[random(6)]}${random(40)}`
      const at = order.indexOf(item)
      if (random(8) === 0) {
        const taken = queue.take()
        const [max] = [...counts().values()].sort((a, b) => b - a)
        assert.equal(taken === undefined ? undefined : counts().get(taken[0] ?? ''), max)
        assert.equal(
          taken,
          order.find((one) => one[0] === taken?.[0]),
        )
        order.splice(0, order.length, ...order.filter((one) => one !== taken))
      } else if (at < 0) {
        queue.add(item[0] ?? '', item)
        order.push(item)
      } else if (random(2) === 0) {
        queue.renew(item[0] ?? '', item)
        order.push(...order.splice(at, 1))
      } else {
        queue.remove(item[0] ?? '', item)
        order.splice(at, 1)
      }
    }
  })

  // A search of all items would take 10^9 steps here.
  it('cost as little among many as among few', async () => {
    await assertCpuBelow(500, () => {
      const queue = evictionQueue<number>()
      for (let item = 0; item < 10_000; item++) queue.add(`a${item % 10}`, item)
      for (let item = 10_000; item < 110_000; item++) {
        queue.take()
        queue.add(`a${item % 10}`, item)
      }
    })
  })
})
