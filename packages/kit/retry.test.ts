import assert from 'node:assert/strict'
import { Fault } from './fault.ts'
import { type Backoff, backoffMs, retry, retryUntilAvailable } from './retry.ts'

const growing: Backoff = { delaysMs: [100, 200, 500], jitter: 0.5 }

describe('backoff', () => {
  it('uses the listed delays and repeats the last one', () => {
    const delays = [1, 2, 3, 4, 5].map((failures) => backoffMs(growing, failures, () => 0))
    assert.deepEqual(delays, [100, 200, 500, 500, 500])
  })

  it('shortens each delay by at most the jitter', () => {
    assert.equal(
      backoffMs(growing, 1, () => 1),
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

  it('waits as long as the outcome of the try requires', async () => {
    const pauses: number[] = []
    await retry(failing(2), {
      backoff: (ended) => ('error' in ended ? 7 : 0),
      shouldRetry: (ended) => 'error' in ended,
      pause: async (ms) => pauses.push(ms),
    })
    assert.deepEqual(pauses, [7, 7])
  })

  it('returns the first value that is not to be retried', async () => {
    const pauses: number[] = []
    const value = await retry(failing(2), {
      backoff: growing,
      shouldRetry: (ended) => 'error' in ended,
      pause: async (ms) => pauses.push(ms),
      random: () => 0,
    })
    assert.equal(value, 3)
    assert.deepEqual(pauses, [100, 200])
  })

  it('throws the error of the last try', async () => {
    const shouldRetry = (_: unknown, { failures }: { failures: number }): boolean => failures < 2
    const options = { backoff: growing, shouldRetry, pause: async () => {} }
    await assert.rejects(retry(failing(5), options), { message: 'try 2' })
  })
})

describe('retryUntilAvailable', () => {
  /** Each pause advances a clock of the test. */
  const rig = (silentMs: number | null) => {
    let at = 0
    const warned: object[] = []
    const note = (fields: object, text: string) => void warned.push({ ...fields, text })
    const stopping = new AbortController()
    const options = {
      log: { info: note, warn: note } as never,
      stopping: stopping.signal,
      pause: async (ms: number): Promise<void> => {
        at += ms
      },
      ...(silentMs !== null && { silence: { maxMs: silentMs, elapsedMs: () => at } }),
    }
    return { options, warned, stopping, elapsedMs: () => at }
  }

  const away = async (): Promise<never> => {
    throw new Fault('unavailable', 'Away.', { cause: new Error('refused') })
  }

  it('fails with the last reason once the dependency was silent for too long', async () => {
    const { options, warned, elapsedMs } = rig(60_000)
    const message = 'Redis did not become available within 60 s.'
    const expected = { code: 'unavailable', message, cause: new Error('refused') }
    await assert.rejects(retryUntilAvailable('Redis', options, away), expected)
    assert.equal(elapsedMs(), 60_000)
    assert.deepEqual(warned[0], { dependency: 'Redis', reason: 'refused', text: 'dependency unavailable, retrying' })
  })

  it('continues while the dependency responds and is only slow', async () => {
    const { options, elapsedMs } = rig(60_000)
    const open = async () => (elapsedMs() < 600_000 ? away() : 'open')
    const isReachable = async () => elapsedMs() > 30_000
    assert.equal(await retryUntilAvailable('Redis', { ...options, isReachable }, open), 'open')
  })

  it('continues without end when no limit is given', async () => {
    const { options, warned } = rig(null)
    const open = async () => (warned.length < 10_000 ? away() : 'open')
    assert.equal(await retryUntilAvailable('Redis', options, open), 'open')
  })

  it('fails immediately for any other error and when the process is to stop', async () => {
    const { options, stopping } = rig(60_000)
    const refused = new Fault('forbidden', 'No.')
    await assert.rejects(
      retryUntilAvailable('Redis', options, async () => {
        throw refused
      }),
      refused,
    )
    stopping.abort()
    await assert.rejects(retryUntilAvailable('Redis', options, away), { cause: stopping.signal })
  })

  // A process once waited for up to half a minute for a driver that resolved a name, after it had reported that it
  // stops.
  it('abandons a hanging try when the process is to stop, and closes what that try opens later', async () => {
    const { options, stopping } = rig(null)
    const opening = Promise.withResolvers<AsyncDisposable>()
    const waiting = retryUntilAvailable('Redis', options, () => opening.promise)
    stopping.abort()
    await assert.rejects(waiting, { cause: stopping.signal, message: 'Stopped while waiting for Redis.' })
    const closed = Promise.withResolvers<void>()
    opening.resolve({ [Symbol.asyncDispose]: async () => closed.resolve() })
    await closed.promise
  })
})
