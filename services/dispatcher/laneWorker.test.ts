import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { makeLog } from '@postrider/kit/log.ts'
import type { ClaimedEmail } from '@postrider/ports/emails.ts'
import { anEmail } from '../../test/support/anEmail.ts'
import type { Delivery } from './deliver.ts'
import { laneWorker } from './laneWorker.ts'

/** A store with so many emails due, a worker over it whose deliveries end when the test says so. */
const bench = (due: number, concurrency: number, broken: { claim?: Error; letGo?: Error } = {}) => {
  const waiting = Array.from({ length: due }, (_, number) => anEmail({ id: `em_${number}` }))
  const letGo: string[] = []
  const held = new Set<string>()
  const open: { id: string; end: (delivery: Delivery) => void }[] = []
  const heard: (() => void)[] = []
  const worker = laneWorker({
    lane: 'transactional',
    emails: {
      claim: async ({ limit }) => {
        if (broken.claim) throw broken.claim
        return waiting.splice(0, limit).map((email): ClaimedEmail => ({ email, fence: 1, deaths: 0 }))
      },
      nextDue: async () => (waiting.length > 0 ? 0 : null),
      letGo: async (all) => {
        if (broken.letGo) throw broken.letGo
        letGo.push(...all.map(({ id }) => id))
      },
    },
    leases: { hold: (id) => held.add(id), drop: (id) => held.delete(id) },
    deliver: ({ email }) => {
      const { promise, resolve } = Promise.withResolvers<Delivery>()
      open.push({ id: email.id, end: resolve })
      return promise
    },
    doorbell: {
      listen: (_, ring) => {
        heard.push(() => ring([]))
        return () => {}
      },
    },
    concurrency,
    now: () => 0,
    log: makeLog('test', 'silent'),
  })
  const endAll = () => {
    for (const { id, end } of open.splice(0)) end({ kind: 'done', email: anEmail({ id }), nextAt: null })
  }
  return { waiting, letGo, held, open, worker, endAll, ring: () => heard.forEach((ring) => void ring()) }
}

describe('a lane', () => {
  it('works on so many at a time and claims as many ahead', async () => {
    const { open, held, waiting, worker, endAll } = bench(10, 3)
    await turn()
    assert.equal(open.length, 3)
    assert.equal(held.size, 6)
    assert.equal(waiting.length, 4)
    endAll()
    await turn()
    assert.equal(open.length, 3)
    const disposed = worker[Symbol.asyncDispose]()
    endAll()
    await disposed
  })

  it('lets go of what it has not begun when it stops, and finishes the rest', async () => {
    const { open, letGo, worker, endAll } = bench(6, 3)
    await turn()
    const begun = open.map(({ id }) => id)
    const stopped = worker[Symbol.asyncDispose]()
    await turn()
    assert.deepEqual(letGo, ['em_3', 'em_4', 'em_5'])
    assert.deepEqual(begun, ['em_0', 'em_1', 'em_2'])
    endAll()
    await stopped
  })

  it('is woken by the doorbell', async () => {
    const { open, waiting, ring, worker, endAll } = bench(0, 3)
    await turn()
    waiting.push(anEmail({ id: 'em_new' }))
    ring()
    await turn()
    assert.deepEqual(
      open.map(({ id }) => id),
      ['em_new'],
    )
    endAll()
    await worker[Symbol.asyncDispose]()
  })

  it('drains to the last email that is due', async () => {
    const { waiting, worker, endAll } = bench(20, 3)
    const drained = worker.drain()
    const ending = setInterval(endAll, 1)
    await drained
    clearInterval(ending)
    assert.equal(waiting.length, 0)
    await worker[Symbol.asyncDispose]()
  })

  it('tells who drains it what keeps it from claiming, and doesn’t try for ever', async () => {
    const { worker } = bench(1, 3, { claim: new Error('the disk is full') })
    await assert.rejects(worker.drain(), /disk is full/)
    await worker[Symbol.asyncDispose]()
  })

  it('waits for what is in work also where it can’t let go of the rest', async () => {
    const { worker, endAll } = bench(6, 3, { letGo: new Error('the disk is full') })
    await turn()
    let stopped = false
    const stopping = worker[Symbol.asyncDispose]().then(() => {
      stopped = true
    })
    await turn()
    assert.equal(stopped, false)
    endAll()
    await stopping
  })

  it('that has stopped has nothing to drain', async () => {
    const { worker, waiting } = bench(0, 3)
    await worker[Symbol.asyncDispose]()
    waiting.push(anEmail())
    await worker.drain()
    assert.equal(waiting.length, 1)
  })
})
