import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { byteBudget } from '@postrider/kit/byteBudget.ts'
import { manualTime } from '../../../test/support/manualTime.ts'
import { until } from '../../../test/support/until.ts'
import type { Context } from '../deps.ts'
import { roomFor } from './bodyRoom.ts'
import { collectBody } from './collectBody.ts'

const maxMs = 5_000

/** Reads a body of 20 bytes with a limit of time, from memory for 100 bytes. */
const open = () => {
  const time = manualTime()
  const request = Object.assign(new PassThrough(), { headers: { 'content-length': '20' }, complete: true })
  const response = Object.assign(new EventEmitter(), { setHeader: () => {} })
  const context = { req: request, res: response, state: { clientAddress: '127.0.0.1' } } as unknown as Context
  const budget = byteBudget({ capacityBytes: 100, maxBytesPerOwner: 100 })
  const memory = { long: budget, short: budget, waitMs: 600_000, clock: time, chunks: { count: () => false } }
  const room = roomFor(memory, { owner: 'a', expectedBytes: (bytes) => bytes })
  const body = collectBody(context, { maxBytes: 100, room, memory: { ...memory, maxMs } })
  body.catch(() => {})
  return { time, request, budget, body }
}

describe('time of a body', () => {
  it('has a limit', async () => {
    const { time, request, body } = open()
    request.write(Buffer.alloc(10))
    time.fireNext()
    assert.equal(time.elapsed(), maxMs)
    await assert.rejects(body, { code: 'request_timeout' })
  })

  // A body that had waited for memory got 408, although its client had sent without a pause.
  it('does not count while the body waits for memory', async () => {
    const { time, request, budget, body } = open()
    const other = budget.tryTake('b', 95) ?? assert.fail('no memory')
    request.write(Buffer.alloc(10))
    await until('the body waits', () => request.isPaused() || undefined)
    for (let n = 0; n < 10; n++) time.fireNext()
    assert.ok(time.elapsed() > 2 * maxMs)
    other[Symbol.dispose]()
    await until('the body is read', () => !request.isPaused() || undefined)
    request.end(Buffer.alloc(10))
    assert.equal((await body).length, 20)
  })

  it('counts after a wait for memory', async () => {
    const { time, request, budget, body } = open()
    const other = budget.tryTake('b', 95) ?? assert.fail('no memory')
    request.write(Buffer.alloc(10))
    await until('the body waits', () => request.isPaused() || undefined)
    time.fireNext()
    other[Symbol.dispose]()
    await until('the body is read', () => !request.isPaused() || undefined)
    time.fireNext()
    assert.equal(time.elapsed(), 2 * maxMs)
    await assert.rejects(body, { code: 'request_timeout' })
  })
})
