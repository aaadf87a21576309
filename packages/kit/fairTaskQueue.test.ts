import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { TaskOrigin } from '@postrider/domain/fairness/taskTurns.ts'
import { fairTaskQueue } from './fairTaskQueue.ts'

const origin = (network: string, client = network): TaskOrigin => ({ group: network, owner: client })

/** A queue whose tasks run until the test ends them. Tasks are named by their client. */
const rig = (over: { maxWaiting?: number; maxWaitingPerOwner?: number } = {}) => {
  const started: string[] = []
  const dropped: string[] = []
  const ends: (() => void)[] = []
  const queue = fairTaskQueue({
    maxRunning: 2,
    maxWaiting: 64,
    maxWaitingPerOwner: 64,
    elapsed: () => 0,
    onFull: () => new Error('full'),
    ...over,
  })
  const add = (from: TaskOrigin, count = 1): void => {
    for (let n = 0; n < count; n++) {
      const work = queue.run(from, () => {
        started.push(from.owner)
        return new Promise<void>((end) => ends.push(end))
      })
      work.catch(() => dropped.push(from.owner))
    }
  }
  /** Ends running tasks, oldest first, until all have run. */
  const finish = async (): Promise<void> => {
    for (let end = await next(); end; end = await next()) end()
  }
  const next = async () => {
    await nextIteration()
    return ends.shift()
  }
  return { add, finish, started, dropped }
}

/** How many tasks started before the first one of `client`. */
const before = (started: readonly string[], client: string): number => started.indexOf(client)

const hosts = (network: string, count: number): TaskOrigin[] =>
  Array.from({ length: count }, (_, host) => origin(network, `${network}.${host}`))

describe('fair task queue', () => {
  // The queue was first in, first out, so a newcomer waited for all tasks of a flood, or was refused.
  const floods: [name: string, flood: TaskOrigin[], mostBefore: number][] = [
    ['one client', Array.from({ length: 60 }, () => origin('a')), 3],
    ['one client that fills the queue', Array.from({ length: 200 }, () => origin('a')), 3],
    ['many clients of one network', hosts('a', 200), 3],
    ['clients of four networks', ['a', 'b', 'c', 'd'].flatMap((network) => hosts(network, 50)), 6],
  ]
  for (const [name, flood, mostBefore] of floods)
    it(`starts a task of another network after at most ${mostBefore} of a flood from ${name}`, async () => {
      const { add, finish, started, dropped } = rig()
      for (const from of flood) add(from)
      add(origin('z'))
      await finish()
      assert.ok(before(started, 'z') >= 0 && before(started, 'z') <= mostBefore, started.join(' '))
      assert.ok(!dropped.includes('z'))
      assert.ok(started.length <= 2 + 64)
      assert.equal(started.length + dropped.length, flood.length + 1)
    })

  it('starts a task of another client of the same network round-robin', async () => {
    const { add, finish, started } = rig()
    add(origin('a', 'a.1'), 200)
    add(origin('a', 'a.2'))
    await finish()
    assert.ok(before(started, 'a.2') <= 3, started.join(' '))
  })

  it('preserves the order of the tasks of one client', async () => {
    const { add, finish, started } = rig()
    for (const client of ['a', 'b', 'a', 'a', 'a', 'b', 'b']) add(origin(client))
    await finish()
    assert.deepEqual(started, ['a', 'b', 'a', 'b', 'a', 'b', 'a'])
  })

  it('refuses a client that uses all its slots, and no other client', async () => {
    const { add, finish, dropped } = rig({ maxWaitingPerOwner: 16 })
    add(origin('a'), 2 + 20)
    add(origin('b'), 16)
    await finish()
    assert.deepEqual(dropped, ['a', 'a', 'a', 'a'])
  })

  it('refuses a new client if all slots are shared equally', async () => {
    const { add, finish, started, dropped } = rig({ maxWaiting: 4 })
    for (const network of ['r', 's', 'a', 'b', 'c', 'd', 'e']) add(origin(network))
    await finish()
    assert.deepEqual([started, dropped], [['r', 's', 'a', 'b', 'c', 'd'], ['e']])
  })

  // Under a flood every task waited until its caller had given up, so all work was for nothing.
  it('does not start a task that has waited too long', async () => {
    let now = 0
    const ends: (() => void)[] = []
    const options = { maxRunning: 1, maxWaiting: 9, maxWaitingPerOwner: 9, maxWaitMs: 3_000, elapsed: () => now }
    const queue = fairTaskQueue({ ...options, onFull: () => new Error('full') })
    const add = (name: string, from: string): Promise<string> =>
      queue.run(origin(from), () => new Promise((end) => ends.push(() => end(name))))
    const first = add('first', 'a')
    const late = [add('late', 'a'), add('late', 'b')]
    now = 1
    const [next, last] = [add('next', 'a'), add('last', 'b')]
    const dropped = late.map((one) => assert.rejects(one, /full/))
    await nextIteration()
    now = 3_001
    // The owner `b` has had no work yet.
    for (const [index, running] of [first, last, next].entries()) {
      ends[index]?.()
      await running
      await nextIteration()
    }
    await Promise.all(dropped)
    assert.equal(ends.length, 3)
    assert.deepEqual([await next, await last], ['next', 'last'])
  })

  it('runs the next task after one that failed', async () => {
    const queue = fairTaskQueue({
      maxRunning: 1,
      maxWaiting: 9,
      maxWaitingPerOwner: 9,
      onFull: () => new Error('full'),
    })
    const failed = queue.run(origin('a'), () => Promise.reject(new Error('wrong')))
    const after = queue.run(origin('a'), async () => 'ran')
    await assert.rejects(failed, /wrong/)
    assert.equal(await after, 'ran')
  })
})
