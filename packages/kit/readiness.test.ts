import assert from 'node:assert/strict'
import { readiness } from './readiness.ts'

describe('readiness', () => {
  it('is there when everything needed answers', async () => {
    const ready = readiness({ store: async () => {}, peer: () => true })
    assert.equal(await ready.ready(), true)
    assert.deepEqual(await ready.report(), { store: 'ok', peer: 'ok' })
  })

  it('is not there while something throws, says no, or doesn’t answer, and the report says what', async () => {
    const ready = readiness(
      {
        store: () => {
          throw new Error('refused')
        },
        peer: async () => false,
        slow: () => new Promise(() => {}),
        fine: () => {},
      },
      { timeoutMs: 5 },
    )
    assert.equal(await ready.ready(), false)
    assert.deepEqual(await ready.report(), { store: 'refused', peer: 'not ready', slow: 'no answer', fine: 'ok' })
  })

  it('asks again only after a moment', async () => {
    let [asked, now] = [0, 0]
    const ready = readiness(
      {
        store: () => {
          asked += 1
        },
      },
      { now: () => now, servesMs: 500 },
    )
    await Promise.all([ready.ready(), ready.ready()])
    assert.equal(asked, 1)
    now = 501
    await ready.ready()
    assert.equal(asked, 2)
  })

  it('ends at once when the process drains', async () => {
    const ready = readiness({ store: () => {} })
    assert.equal(await ready.ready(), true)
    ready.drain()
    assert.equal(await ready.ready(), false)
    assert.deepEqual(await ready.report(), { store: 'ok', process: 'stopping' })
  })
})
