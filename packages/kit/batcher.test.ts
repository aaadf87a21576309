import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { batcher } from './batcher.ts'
import { Fault } from './fault.ts'

/** Batches in flight that the test completes. */
const openBatches = ({ max = 10, maxInFlight = 1 } = {}) => {
  const batches: { inputs: readonly number[]; answer: PromiseWithResolvers<readonly (string | Error)[]> }[] = []
  const call = batcher<number, string>({
    max,
    maxInFlight,
    run: (inputs) => {
      const answer = Promise.withResolvers<readonly (string | Error)[]>()
      batches.push({ inputs, answer })
      return answer.promise
    },
  })
  return { call, batches, inputs: () => batches.map(({ inputs }) => inputs) }
}

const settled = (call: (input: number) => Promise<string>, ...inputs: number[]) => Promise.allSettled(inputs.map(call))

describe('batcher', () => {
  it('sends the calls of one event loop iteration as one batch and returns each its own result', async () => {
    const batches: (readonly number[])[] = []
    const call = batcher<number, number>({
      max: 10,
      maxInFlight: 1,
      run: async (inputs) => {
        batches.push(inputs)
        return inputs.map((number) => 2 * number)
      },
    })
    assert.deepEqual(await Promise.all([1, 2, 3].map(call)), [2, 4, 6])
    assert.equal(await call(4), 8)
    assert.deepEqual(batches, [[1, 2, 3], [4]])
  })

  it('adds calls to the next batch while the most batches are in flight', async () => {
    const { call, batches, inputs } = openBatches({ maxInFlight: 2 })
    const calls: Promise<string>[] = []
    for (const number of [1, 2, 3, 4]) {
      calls.push(call(number))
      await nextIteration()
    }
    assert.deepEqual(inputs(), [[1], [2]])
    batches[1]?.answer.resolve(['two'])
    assert.equal(await calls[1], 'two')
    await nextIteration()
    assert.deepEqual(inputs(), [[1], [2], [3, 4]])
    batches[0]?.answer.resolve(['one'])
    batches[2]?.answer.resolve(['three', 'four'])
    assert.deepEqual(await Promise.all(calls), ['one', 'two', 'three', 'four'])
  })

  it('limits the calls in a batch', async () => {
    const { call, batches, inputs } = openBatches({ max: 2, maxInFlight: 2 })
    const calls = settled(call, 1, 2, 3)
    await nextIteration()
    assert.deepEqual(inputs(), [[1, 2], [3]])
    for (const { inputs, answer } of batches) answer.resolve(inputs.map(String))
    assert.equal((await calls).length, 3)
  })

  it('throws the error of one call to that call alone', async () => {
    const { call, batches } = openBatches()
    const calls = settled(call, 1, 2)
    await nextIteration()
    const reason = new Error('too long')
    batches[0]?.answer.resolve([reason, 'two'])
    assert.deepEqual(await calls, [
      { status: 'rejected', reason },
      { status: 'fulfilled', value: 'two' },
    ])
  })

  it('throws an error of the batch to all its calls and sends the next batch', async () => {
    const { call, batches } = openBatches()
    const first = settled(call, 1, 2)
    await nextIteration()
    const second = call(3)
    const reason = new Error('a bug')
    batches[0]?.answer.reject(reason)
    assert.deepEqual(await first, [
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
    await nextIteration()
    batches[1]?.answer.resolve(['three'])
    assert.equal(await second, 'three')
  })

  it('throws unavailable to the calls that wait for the next batch too', async () => {
    const { call, batches, inputs } = openBatches()
    const first = settled(call, 1)
    await nextIteration()
    const second = settled(call, 2)
    const reason = new Fault('unavailable', 'away')
    batches[0]?.answer.reject(reason)
    assert.deepEqual(await first, [{ status: 'rejected', reason }])
    assert.deepEqual(await second, [{ status: 'rejected', reason }])
    assert.deepEqual(inputs(), [[1]])
  })

  it('throws when a batch returns the wrong number of results', async () => {
    const { call, batches } = openBatches()
    const calls = Promise.all([call(1), call(2)])
    await nextIteration()
    batches[0]?.answer.resolve(['one'])
    await assert.rejects(calls, /wrong number of results/)
  })
})
