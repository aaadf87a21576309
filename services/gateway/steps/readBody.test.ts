import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { byteBudget } from '@postrider/kit/byteBudget.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { manualTime } from '../../../test/support/manualTime.ts'
import { drainedBytes } from '../bodies/collectBody.ts'
import { shortChunks } from '../bodies/shortChunks.ts'
import type { Context } from '../deps.ts'
import { readBody, withBody } from './readBody.ts'
import { requestScheduler } from './requestScheduler.ts'

const longBytes = 100_000
const chunks = shortChunks()

/**
 * A request of which nothing has arrived but its header. As one of Node, it is complete when everything has arrived,
 * before that is read.
 */
const requestWith = (headers: Record<string, string>): PassThrough => {
  const request = Object.assign(new PassThrough(), { headers: { 'content-type': 'application/json', ...headers } })
  Object.defineProperty(request, 'complete', { get: () => request.writableEnded })
  return request
}

/** A request that announces a long body and sends most of it. */
const longRequest = (): PassThrough => {
  const request = requestWith({ 'content-length': String(longBytes) })
  request.write(Buffer.alloc(longBytes - 10, ' '))
  return request
}

describe('memory of a body', () => {
  // The server closes several connections in one iteration, for example those that exceed the time for a request. The
  // share that the end of the first one gave to the second one was never returned.
  it('is returned if the client disconnects in the iteration in which its share is granted', async () => {
    const budget = byteBudget({ capacityBytes: longBytes, maxBytesPerOwner: longBytes, isFirstFit: true })
    const memory = { long: budget, short: budget, waitMs: 60_000, clock: manualTime(), ownerOf: () => 'ws_1', chunks }
    const workspaceTurns = requestScheduler(() => performance.now())
    const step = readBody(longBytes, { slices: makeSlices(), workspaceTurns, names: new Set() }, memory)
    const requests = [longRequest(), longRequest()]
    const ended = requests.map((req) => step({ req, state: {} } as unknown as Context, async () => {}))
    await nextIteration()
    await nextIteration()
    assert.equal(budget.tryTake('ws_2', 50_000), null)
    for (const request of requests) request.destroy()
    for (const { status } of await Promise.allSettled(ended)) assert.equal(status, 'rejected')
    await nextIteration()
    assert.notEqual(budget.tryTake('ws_2', longBytes), null)
  })
})

describe('long body', () => {
  it('is parsed in the turns of its workspace', async () => {
    const budget = byteBudget({ capacityBytes: longBytes, maxBytesPerOwner: longBytes, isFirstFit: true })
    const memory = { long: budget, short: budget, waitMs: 60_000, clock: manualTime(), ownerOf: () => 'ws_1', chunks }
    const owners: string[] = []
    const slices: Slices = {
      ...makeSlices(),
      of: (owner) => {
        owners.push(owner)
        return makeSlices()
      },
    }
    const workspaceTurns = requestScheduler(() => performance.now())
    const step = readBody(longBytes, { slices, workspaceTurns, names: new Set() }, memory)
    const req = longRequest()
    req.end('{}'.padEnd(10))
    const context = { req, state: { identity: { caller: { workspace: 'ws_1' } } } } as unknown as Context
    await step(context, async () => {})
    assert.deepEqual([context.state.body, [...new Set(owners)]], [{}, ['ws_1']])
  })

  it('is read in the turns of its workspace, and its memory is free afterwards', async () => {
    const bytes = 2 ** 20
    const budget = byteBudget({ capacityBytes: bytes, maxBytesPerOwner: bytes, isFirstFit: true })
    const memory = { long: budget, short: budget, waitMs: 60_000, clock: manualTime(), ownerOf: () => 'ws_1', chunks }
    const req = requestWith({ 'content-length': String(bytes) })
    const pieces = Array.from({ length: 16 }, () => new Uint8Array(bytes / 16).fill(0x20))
    let turns = 0
    let isOpen = false
    const turn = async (): Promise<void> => {
      turns += 1
      isOpen = true
      await Promise.resolve()
      isOpen = false
    }
    const context = { req, state: {} } as unknown as Context
    const kept: Buffer[] = []
    const read = withBody(context, { maxBytes: bytes, memory, turn }, async (body) => {
      assert.equal(body.toString(), ' '.repeat(bytes))
      kept.push(body)
    })
    for (const piece of pieces) req.write(piece)
    req.end()
    await read
    assert.ok(turns >= 7 && !isOpen, `${turns} turns`)
    assert.deepEqual(
      [...kept, ...pieces].map(({ length }) => length),
      Array(17).fill(0),
    )
  })
})

describe('body over the limit', () => {
  // A header that was set after the response ended the process.
  it('may arrive further, and end, after its response was sent', async () => {
    const budget = byteBudget({ capacityBytes: 100, maxBytesPerOwner: 100, isFirstFit: true })
    const memory = { long: budget, short: budget, waitMs: 60_000, clock: manualTime(), ownerOf: () => 'ws_1', chunks }
    const req = requestWith({})
    const res = {
      headersSent: false,
      setHeader(): void {
        assert.ok(!this.headersSent, 'a header was set after the response')
      },
    }
    const read = withBody({ req, res, state: {} } as unknown as Context, { maxBytes: 10, memory }, async () => {})
    req.write(Buffer.alloc(11))
    req.write(Buffer.alloc(drainedBytes))
    await assert.rejects(read, { code: 'too_large' })
    // Behind a pending response, it was read and dropped without a bound.
    assert.ok(req.isPaused())
    res.headersSent = true
    req.resume()
    req.write(Buffer.alloc(1))
    req.destroy()
    await once(req, 'close')
  })
})

describe('short body that has arrived', () => {
  const bytes = 40
  const framings: Record<string, string>[] = [{ 'content-length': String(bytes) }, { 'transfer-encoding': 'chunked' }]
  const shortRequest = (framing: Record<string, string>): PassThrough => {
    const request = requestWith(framing)
    request.write(Buffer.alloc(bytes, ' '))
    return request
  }
  const contextOf = (req: PassThrough): Context =>
    ({ req, res: { setHeader: () => {} }, state: {} }) as unknown as Context
  const budgetOf = (capacityBytes: number) => {
    const budget = byteBudget({ capacityBytes, maxBytesPerOwner: capacityBytes, isFirstFit: true })
    const clock = manualTime()
    const memory = { long: budget, short: budget, waitMs: 60_000, clock, ownerOf: () => 'ws_1', chunks }
    return { budget, memory }
  }

  for (const framing of framings) {
    const name = Object.keys(framing).join()

    it(`counts against the memory until its request ends, and its end is read: ${name}`, async () => {
      const { budget, memory } = budgetOf(bytes)
      const req = shortRequest(framing)
      const ended = once(req, 'end')
      const read = withBody(contextOf(req), { maxBytes: 100, memory }, async (body) => {
        assert.equal(body.length, bytes)
        assert.equal(budget.tryTake('ws_2', 1), null)
      })
      req.end()
      await read
      assert.notEqual(budget.tryTake('ws_2', bytes), null)
      await ended
    })

    // It did not: the end of a body is read together with its last bytes, although the request is paused.
    it(`waits for memory: ${name}`, async () => {
      const { budget, memory } = budgetOf(bytes)
      const other = budget.tryTake('ws_1', bytes)
      const read: number[] = []
      const req = shortRequest(framing)
      req.end()
      const done = withBody(contextOf(req), { maxBytes: 100, memory }, async (body) => {
        read.push(body.length)
        assert.equal(budget.tryTake('ws_2', 1), null)
      })
      await nextIteration()
      await nextIteration()
      assert.deepEqual(read, [])
      other?.[Symbol.dispose]()
      await done
      assert.deepEqual(read, [bytes])
    })

    it(`may wait for memory for longer than a body may take to arrive: ${name}`, async () => {
      const { budget, memory } = budgetOf(bytes)
      const other = budget.tryTake('ws_1', bytes)
      const read: number[] = []
      const req = shortRequest(framing)
      req.end()
      const limits = { maxBytes: 100, memory: { ...memory, maxMs: 5_000 } }
      const done = withBody(contextOf(req), limits, async (body) => {
        read.push(body.length)
      })
      await nextIteration()
      // The only timer is that of `maxMs`.
      memory.clock.fireNext()
      assert.equal(memory.clock.elapsed(), 5_000)
      other?.[Symbol.dispose]()
      await done
      assert.deepEqual(read, [bytes])
    })

    it(`is refused if memory is not free in time: ${name}`, async () => {
      const { budget, memory } = budgetOf(bytes)
      budget.tryTake('ws_1', bytes)
      const req = shortRequest(framing)
      req.end()
      const done = withBody(contextOf(req), { maxBytes: 100, memory: { ...memory, waitMs: 1 } }, async () => {})
      await assert.rejects(done, { code: 'unavailable' })
    })
  }
})
