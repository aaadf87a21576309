import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fault } from './fault.ts'
import { gather } from './gather.ts'

/** Batches under way, each to be answered by the test. */
const holding = ({ most = 10, atOnce = 1 } = {}) => {
  const batches: { given: readonly number[]; answer: PromiseWithResolvers<readonly (string | Error)[]> }[] = []
  const call = gather<number, string>({
    most,
    atOnce,
    run: (given) => {
      const answer = Promise.withResolvers<readonly (string | Error)[]>()
      batches.push({ given, answer })
      return answer.promise
    },
  })
  return { call, batches, given: () => batches.map(({ given }) => given) }
}

const settled = (call: (given: number) => Promise<string>, ...given: number[]) => Promise.allSettled(given.map(call))

describe('gathering calls', () => {
  it('the calls of a turn go together, and each gets its own answer', async () => {
    const batches: (readonly number[])[] = []
    const call = gather<number, number>({
      most: 10,
      atOnce: 1,
      run: async (given) => {
        batches.push(given)
        return given.map((number) => 2 * number)
      },
    })
    assert.deepEqual(await Promise.all([1, 2, 3].map(call)), [2, 4, 6])
    assert.equal(await call(4), 8)
    assert.deepEqual(batches, [[1, 2, 3], [4]])
  })

  it('what comes while as many batches are under way as may be waits for the next', async () => {
    const { call, batches, given } = holding({ atOnce: 2 })
    const calls: Promise<string>[] = []
    for (const number of [1, 2, 3, 4]) {
      calls.push(call(number))
      await nextTurn()
    }
    assert.deepEqual(given(), [[1], [2]])
    batches[1]?.answer.resolve(['two'])
    assert.equal(await calls[1], 'two')
    await nextTurn()
    assert.deepEqual(given(), [[1], [2], [3, 4]])
    batches[0]?.answer.resolve(['one'])
    batches[2]?.answer.resolve(['three', 'four'])
    assert.deepEqual(await Promise.all(calls), ['one', 'two', 'three', 'four'])
  })

  it('a batch holds no more calls than it may', async () => {
    const { call, batches, given } = holding({ most: 2, atOnce: 2 })
    const calls = settled(call, 1, 2, 3)
    await nextTurn()
    assert.deepEqual(given(), [[1, 2], [3]])
    for (const { given, answer } of batches) answer.resolve(given.map(String))
    assert.equal((await calls).length, 3)
  })

  it('a call’s own error is thrown to it alone', async () => {
    const { call, batches } = holding()
    const calls = settled(call, 1, 2)
    await nextTurn()
    const reason = new Error('too long')
    batches[0]?.answer.resolve([reason, 'two'])
    assert.deepEqual(await calls, [
      { status: 'rejected', reason },
      { status: 'fulfilled', value: 'two' },
    ])
  })

  it('what fails a batch is thrown to all of it, and the next goes on', async () => {
    const { call, batches } = holding()
    const first = settled(call, 1, 2)
    await nextTurn()
    const second = call(3)
    const reason = new Error('a bug')
    batches[0]?.answer.reject(reason)
    assert.deepEqual(await first, [
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
    await nextTurn()
    batches[1]?.answer.resolve(['three'])
    assert.equal(await second, 'three')
  })

  it('where nobody answers, those that wait for the next batch learn it at once', async () => {
    const { call, batches, given } = holding()
    const first = settled(call, 1)
    await nextTurn()
    const second = settled(call, 2)
    const reason = new Fault('unavailable', 'away')
    batches[0]?.answer.reject(reason)
    assert.deepEqual(await first, [{ status: 'rejected', reason }])
    assert.deepEqual(await second, [{ status: 'rejected', reason }])
    assert.deepEqual(given(), [[1]])
  })

  it('a batch that isn’t answered call by call is a bug', async () => {
    const { call, batches } = holding()
    const calls = Promise.all([call(1), call(2)])
    await nextTurn()
    batches[0]?.answer.resolve(['one'])
    await assert.rejects(calls, /call by call/)
  })
})
