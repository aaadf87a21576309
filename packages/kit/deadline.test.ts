import assert from 'node:assert/strict'
import { currentDeadline, withDeadline, withTimeout } from './deadline.ts'

const never = new Promise<never>(() => {})

describe('deadline of calls', () => {
  it('is available to nested work after a wait', async () => {
    const seen = await withDeadline(5, async () => {
      await null
      return currentDeadline()
    })
    assert.deepEqual([seen, currentDeadline()], [5, Number.POSITIVE_INFINITY])
  })
})

describe('wait within a time', () => {
  const longMs = 3_600_000

  it('returns the value of work that ends in time, and clears its timer', async () => {
    let isCleared = false
    let reason: unknown
    const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
      assert.equal(ms, longMs)
      signal.addEventListener('abort', () => {
        isCleared = true
        reason = signal.reason
      })
      await never
    }
    assert.equal(await withTimeout(longMs, Promise.resolve('answer'), { pause }), 'answer')
    assert.ok(isCleared)
    // Regression: an error with its stack was made each time; probes do this several times a second.
    assert.equal(reason instanceof Error, false)
  })

  it('throws what the work throws in time', async () => {
    await assert.rejects(withTimeout(longMs, Promise.reject(new Error('refused'))), /refused/)
  })

  it('returns undefined for late work, whose failure is ignored', async () => {
    const { promise, reject } = Promise.withResolvers<string>()
    assert.equal(await withTimeout(1, promise), undefined)
    // An unhandled rejection would end this test.
    reject(new Error('late'))
    await new Promise(setImmediate)
  })

  it('ends early when the process stops', async () => {
    const stopping = new AbortController()
    const waiting = withTimeout(longMs, never, { stopping: stopping.signal })
    stopping.abort()
    assert.equal(await waiting, undefined)
    assert.equal(await withTimeout(longMs, never, { stopping: stopping.signal }), undefined)
  })
})
