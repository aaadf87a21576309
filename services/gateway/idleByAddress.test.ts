import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../test/support/cost.ts'
import { idleByAddress } from './idleByAddress.ts'

describe('idle connections by address', () => {
  /** Returns a queue with connections, as `address name`. */
  const withConnections = (...connections: string[]) => {
    const idle = idleByAddress<string>()
    for (const connection of connections) idle.add(connection.split(' ')[0] ?? '', connection)
    return idle
  }

  it('give the oldest of the address that has the most', () => {
    const idle = withConnections('a 1', 'b 1', 'b 2', 'b 3', 'c 1', 'c 2')
    assert.deepEqual([idle.takeOldest(), idle.takeOldest()], ['b 1', 'c 1'])
    assert.equal(idle.takeOldest(), 'b 2')
    assert.deepEqual([...Array(4)].map(idle.takeOldest), ['a 1', 'c 2', 'b 3', undefined])
  })

  it('give none that was removed, and one that returned as the newest', () => {
    const idle = withConnections('a 1', 'a 2', 'a 3')
    idle.remove('a', 'a 1')
    idle.remove('a', 'a 2')
    idle.add('a', 'a 1')
    idle.remove('b', 'b 1')
    assert.deepEqual([...Array(3)].map(idle.takeOldest), ['a 3', 'a 1', undefined])
  })

  it('give what a search of all would give, after any changes', () => {
    const idle = idleByAddress<string>()
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
      const connection = `${'abcdef'[random(6)]}${random(40)}`
      const at = order.indexOf(connection)
      if (random(8) === 0) {
        const taken = idle.takeOldest()
        const [most] = [...counts().values()].sort((a, b) => b - a)
        assert.equal(taken === undefined ? undefined : counts().get(taken[0] ?? ''), most)
        assert.equal(
          taken,
          order.find((one) => one[0] === taken?.[0]),
        )
        order.splice(0, order.length, ...order.filter((one) => one !== taken))
      } else if (at < 0) {
        idle.add(connection[0] ?? '', connection)
        order.push(connection)
      } else {
        idle.remove(connection[0] ?? '', connection)
        order.splice(at, 1)
      }
    }
  })

  // A search of all connections would take 10^9 steps here.
  it('cost as little with many connections as with few', async () => {
    await assertCpuBelow(500, () => {
      const idle = idleByAddress<number>()
      for (let connection = 0; connection < 10_000; connection++) idle.add(`a${connection % 10}`, connection)
      for (let connection = 10_000; connection < 110_000; connection++) {
        idle.takeOldest()
        idle.add(`a${connection % 10}`, connection)
      }
    })
  })
})
