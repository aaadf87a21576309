import assert from 'node:assert/strict'
import { countDispatchers } from './countDispatchers.ts'

const never = new Promise<never>(() => {})

const counter = (
  listeners: () => Promise<{ transactional: number; marketing: number }>,
  pause: () => Promise<unknown> = () => never,
) => {
  const time = { at: 0 }
  let counts = 0
  const doorbell = {
    listeners: () => {
      counts += 1
      return listeners()
    },
  }
  const count = countDispatchers({ doorbell, elapsed: () => time.at, pause })
  return { time, counts: () => counts, count: async () => (await count({})).lanes }
}

describe('count of dispatchers', () => {
  it('has the listeners of each lane, and is repeated after 5 s', async () => {
    const sizes = { transactional: 3, marketing: 2 }
    const { time, counts, count } = counter(async () => ({ ...sizes }))
    const expected = [
      { lane: 'transactional', dispatchers: 3 },
      { lane: 'marketing', dispatchers: 2 },
    ]
    assert.deepEqual(await count(), expected)
    sizes.transactional = 0
    time.at = 5_000
    assert.deepEqual([await count(), counts()], [expected, 1])
    time.at = 5_001
    assert.deepEqual((await count())[0], { lane: 'transactional', dispatchers: 0 })
    assert.equal(counts(), 2)
  })

  it('is unknown while Kafka does not respond, and only one query runs at a time', async () => {
    const response = Promise.withResolvers<{ transactional: number; marketing: number }>()
    const { counts, count } = counter(
      () => response.promise,
      async () => {},
    )
    assert.deepEqual([await count(), await count(), counts()], [[], [], 1])
    response.resolve({ transactional: 1, marketing: 1 })
    await new Promise(setImmediate)
    assert.deepEqual((await count())[0], { lane: 'transactional', dispatchers: 1 })
    assert.equal(counts(), 1)
  })

  it('is unknown after a failure, and if the last count is too old', async () => {
    let fails = false
    const { time, count } = counter(async () => {
      if (fails) throw new Error('Connection refused')
      return { transactional: 1, marketing: 1 }
    })
    assert.equal((await count()).length, 2)
    fails = true
    time.at = 5_001
    assert.deepEqual(await count(), [])
    fails = false
    assert.equal((await count()).length, 2)
  })
})
