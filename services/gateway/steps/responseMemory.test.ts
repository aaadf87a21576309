import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { makeSlices } from '@postrider/kit/slices.ts'
import { manualTime } from '../../../test/support/manualTime.ts'
import { makeMemory } from '../bodies/memory.ts'
import { shortChunks } from '../bodies/shortChunks.ts'
import type { Context } from '../deps.ts'
import { type ResponseMemory, takeResponseMemory } from './responseMemory.ts'

const length = 100_000

const refused = (response: Promise<ResponseMemory>) => assert.rejects(response, { name: 'Fault', code: 'unavailable' })

/** A client whose request is in progress. */
const makeClient = () => {
  const res = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false })
  const socket = Object.assign(new EventEmitter(), { destroyed: false })
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
const open = () => {
  const share = { bytes: length, bytesOfOne: length }
  const memory = makeMemory(
    {
      longBodies: { ...share, waitMs: 600_000 },
      responses: { bytes: 10 * length, bytesOfOne: 10 * length },
      shortBodies: share,
      openBodies: share,
      paymentBodies: share,
    },
    manualTime(),
    shortChunks(),
  )
  return ({ context }: ReturnType<typeof makeClient>): Promise<ResponseMemory> =>
    takeResponseMemory(context, { memory, slices: makeSlices(), owner: 'ws_1', expectedBytes: length, isCostly: true })
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
})
