import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { type Client, status } from '@grpc/grpc-js'
import type { BatchedReply, CallBatch } from '@postrider/kit/grpc/callBatches.ts'
import { until } from '../../../test/support/until.ts'
import type { Call } from './call.ts'
import { sendBatched } from './sendBatched.ts'

type Batch = EventEmitter & { paths: string[]; cancelled: boolean; reply(...replies: Partial<BatchedReply>[]): void }

const batchOf = ({ calls }: CallBatch): Batch => {
  const stream = new EventEmitter()
  return Object.assign(stream, {
    paths: calls.map(({ path }) => path),
    cancelled: false,
    cancel(this: Batch) {
      this.cancelled = true
    },
    reply: (...replies: Partial<BatchedReply>[]) =>
      stream.emit('data', { replies: replies.map((reply) => ({ code: 0, body: Buffer.alloc(0), ...reply })) }),
  })
}

const rig = (now: () => number = Date.now) => {
  const batches: Batch[] = []
  const alone: string[] = []
  const client = {
    makeServerStreamRequest: (_path: string, _encode: unknown, _decode: unknown, calls: CallBatch) => {
      const batch = batchOf(calls)
      batches.push(batch)
      return batch
    },
  } as unknown as Client
  const send = sendBatched({
    client: () => client,
    authorization: 'Bearer x',
    sendAlone: async ({ path }) => {
      alone.push(path)
      return { code: status.OK, body: Buffer.from(path), statusDetails: '' }
    },
    now,
  })
  const call = (path: string, more: Partial<Call> = {}) =>
    send({ path, message: Buffer.alloc(10), deadlineAt: now() + 60_000, headers: {}, ...more })
  const batchNo = (number: number) => until(`batch ${number}`, () => batches[number])
  return { call, alone, batches, batchNo }
}

describe('gRPC batches', () => {
  it('sends the calls of one event loop iteration together and ends each with its reply', async () => {
    const { call, batchNo, alone } = rig()
    const [a, b, c] = [call('/a'), call('/b'), call('/c')]
    const batch = await batchNo(0)
    assert.deepEqual(batch.paths, ['/a', '/b', '/c'])
    batch.reply({ number: 2, body: Buffer.from('of c') }, { number: 0, code: status.NOT_FOUND })
    assert.equal(String((await c).body), 'of c')
    assert.equal((await a).code, status.NOT_FOUND)
    batch.reply({ number: 1 })
    batch.emit('end')
    assert.equal((await b).code, status.OK)
    assert.deepEqual(alone, [])
  })

  it('sends a single call and a large call alone', async () => {
    const { call, alone, batches } = rig()
    await call('/alone')
    const small = call('/small')
    const large = call('/large', { isLong: true })
    await Promise.all([small, large])
    assert.deepEqual(alone, ['/alone', '/large', '/small'])
    assert.equal(batches.length, 0)
  })

  it('splits the calls of an iteration that exceed the size of a batch', async () => {
    const { call, batchNo } = rig()
    for (let number = 0; number < 40; number++) void call(`/${number}`, { message: Buffer.alloc(60_000) })
    const [first, second, third] = [await batchNo(0), await batchNo(1), await batchNo(2)]
    assert.deepEqual(
      [first, second, third].map(({ paths }) => paths.length),
      [17, 17, 6],
    )
    for (const batch of [first, second, third]) batch.emit('end')
  })

  it('fails only the open calls of a batch that failed', async () => {
    const { call, batchNo } = rig()
    const [a, b] = [call('/a'), call('/b')]
    const batch = await batchNo(0)
    batch.reply({ number: 0 })
    batch.emit('error', Object.assign(new Error(), { code: status.UNAVAILABLE, details: 'gone' }))
    assert.equal((await a).code, status.OK)
    assert.deepEqual(await b, { code: status.UNAVAILABLE, body: Buffer.alloc(0), statusDetails: 'gone' })
  })

  it('ends each call at its own deadline and cancels the batch with the last', async () => {
    let now = 0
    const { call, batchNo } = rig(() => now)
    const [short, long] = [call('/a', { deadlineAt: 20 }), call('/b', { deadlineAt: 60 })]
    const batch = await batchNo(0)
    now = 20
    assert.equal((await short).code, status.DEADLINE_EXCEEDED)
    assert.equal(batch.cancelled, false)
    now = 60
    assert.equal((await long).code, status.DEADLINE_EXCEEDED)
    assert.equal(batch.cancelled, true)
  })

  it('returns INTERNAL when a batch ends without a reply', async () => {
    const { call, batchNo } = rig()
    const [a] = [call('/a'), call('/b')]
    const batch = await batchNo(0)
    batch.emit('end')
    assert.equal((await a).code, status.INTERNAL)
  })
})
