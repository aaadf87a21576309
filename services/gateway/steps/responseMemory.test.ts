import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { manualTime } from '../../../test/support/manualTime.ts'
import { until } from '../../../test/support/until.ts'
import { type MemoryClock, makeMemory } from '../bodies/memory.ts'
import { shortChunks } from '../bodies/shortChunks.ts'
import type { Context } from '../deps.ts'
import { type ResponseMemory, takeResponseMemory } from './responseMemory.ts'

const length = 100_000

const refused = (response: Promise<ResponseMemory>) => assert.rejects(response, { name: 'Fault', code: 'unavailable' })

/** A client whose request is in progress. */
const makeClient = () => {
  const res = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false })
  const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => leave() })
  const context = { res, req: { socket }, body: Buffer.alloc(length) } as unknown as Context
  const leave = (): void => {
    res.destroyed = true
    socket.destroyed = true
    res.emit('close')
    socket.emit('close')
  }
  return { context, leave }
}

/** Memory for one response at a time. */
const open = (clock: MemoryClock = manualTime(), slices: Pick<Slices, 'step'> = makeSlices()) => {
  const share = { bytes: length, bytesOfOne: length }
  const memory = makeMemory(
    {
      longBodies: { ...share, waitMs: 600_000 },
      responses: { bytes: 10 * length, bytesOfOne: 10 * length },
      shortBodies: share,
      openBodies: share,
      paymentBodies: share,
    },
    clock,
    shortChunks(),
  )
  return ({ context }: ReturnType<typeof makeClient>): Promise<ResponseMemory> =>
    takeResponseMemory(context, { memory, slices, owner: 'ws_1', expectedBytes: length, isCostly: true })
}

const sendOne = async (take: ReturnType<typeof open>): Promise<ReturnType<typeof makeClient>> => {
  const client = makeClient()
  using response = await take(client)
  await response.send()
  return client
}

describe('memory of responses', () => {
  it('is not waited for after the client has left', async () => {
    const take = open()
    await sendOne(take)
    const waiting = makeClient()
    const response = take(waiting)
    waiting.leave()
    await refused(response)
  })

  // Regression: when 50 clients left, the message of each was composed.
  it('is not given to a client that disconnects together with its predecessor', async () => {
    const take = open()
    const sent = await sendOne(take)
    const clients = [makeClient(), makeClient()]
    const responses = clients.map(take)
    sent.leave()
    await Promise.resolve()
    for (const { leave } of clients) leave()
    for (const response of responses) await refused(response)
  })

  it('is given to the next client when one has left', async () => {
    const take = open()
    const sent = await sendOne(take)
    const next = take(makeClient())
    sent.leave()
    await nextIteration()
    using response = await next
    assert.ok(response)
  })

  // A client that reads everything was disconnected when its next piece waited for its turn, and others waited for
  // memory.
  it('is not taken from a client whose next piece waits for its turn, but from one that does not read a piece', async () => {
    let [time, turns] = [0, [] as (() => void)[]]
    const clock = { elapsed: () => time, after: () => assert.fail('no timer is set') }
    const slices = { step: () => new Promise<void>((resolve) => turns.push(resolve)) }
    const take = open(clock, slices)
    const first = await sendOne(take)
    const body = first.context.body as Readable
    body.on('readable', () => {})
    await until('the first piece waits', () => turns.length === 1 || undefined)
    time += 60_000
    const second = makeClient()
    const waiting = take(second)
    assert.equal(first.context.req.socket.destroyed, false)
    second.leave()
    await refused(waiting)
    for (const turn of turns.splice(0)) turn()
    await until('the first piece is written', () => body.readableLength > 0 || undefined)
    time += 60_000
    const third = take(makeClient())
    assert.equal(first.context.req.socket.destroyed, true)
    await third
  })
})
