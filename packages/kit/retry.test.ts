import assert from 'node:assert/strict'
import { backoffMs, retry } from './retry.ts'

const doubling = { firstMs: 100, factor: 2, mostMs: 500, jitter: 0.5 }

describe('backoff', () => {
  it('grows by its factor up to its maximum', () => {
    const delays = [1, 2, 3, 4, 5].map((failures) => backoffMs(doubling, failures, () => 0))
    assert.deepEqual(delays, [100, 200, 400, 500, 500])
  })

  it('shortens each delay by at most the jitter', () => {
    assert.equal(
      backoffMs(doubling, 1, () => 1),
      50,
    )
  })
})

describe('retry', () => {
  const failing = (failures: number) => {
    let tries = 0
    return async (): Promise<number> => {
      tries += 1
      if (tries <= failures) throw new Error(`try ${tries}`)
      return tries
    }
  }

  it('returns the first value that is not to be retried', async () => {
    const pauses: number[] = []
    const value = await retry(failing(2), {
      backoff: doubling,
      shouldRetry: (ended) => 'error' in ended,
      pause: async (ms) => pauses.push(ms),
      random: () => 0,
    })
    assert.equal(value, 3)
    assert.deepEqual(pauses, [100, 200])
  })

  it('throws the error of the last try', async () => {
    const shouldRetry = (_: unknown, { failures }: { failures: number }): boolean => failures < 2
    const options = { backoff: doubling, shouldRetry, pause: async () => {} }
    await assert.rejects(retry(failing(5), options), { message: 'try 2' })
  })
})
