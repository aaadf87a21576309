import assert from 'node:assert/strict'
import type { Due } from '@postrider/domain/email/due.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import type { Email, Lane } from '@postrider/domain/email/email.ts'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'
import { type Dispatcher, openDispatcher } from '../../services/dispatcher/dispatcher.ts'
import { dispatcherMetrics } from '../../services/dispatcher/metrics.ts'
import { anEmail } from '../support/anEmail.ts'
import { testIntake } from '../support/testIntake.ts'
import { transportsOver } from '../support/transportsOver.ts'
import { unsignedMail } from '../support/unsignedMail.ts'
import { until } from '../support/until.ts'

const content = { html: null, text: 'It works.', headers: {}, attachments: [] }
const start = 1_000_000

/** Returns a doorbell that passes each ring to one listener, as a consumer group does. */
const sharedDoorbell = (): Doorbell => {
  const listeners: Record<Lane, ((due: readonly Due[]) => void)[]> = { transactional: [], marketing: [] }
  let turn = 0
  return {
    ring: (lane, due) => listeners[lane][turn++ % listeners[lane].length]?.(due),
    listen: (lane, heard) => {
      listeners[lane].push(heard)
      return () => {
        listeners[lane] = listeners[lane].filter((one) => one !== heard)
      }
    },
  }
}

type Worker = { work: Dispatcher; sent: string[]; waiting: Set<string>; unblock(): void; time: { at: number } }

/** Opens a store and starts dispatchers on it, each with its own clock and server. */
const openStore = async () => {
  const stack = new AsyncDisposableStack()
  const { emails, db } = stack.use(await testIntake())
  const doorbell = sharedDoorbell()
  const startOne = ({ blocked, time }: { blocked: boolean; time: { at: number } }): Worker => {
    const unblocked = Promise.withResolvers<void>()
    if (!blocked) unblocked.resolve()
    const sent: string[] = []
    const waiting = new Set<string>()
    const send = async ({ emailId, to, gate }: Outgoing): Promise<Transmission> => {
      waiting.add(emailId)
      await unblocked.promise
      const isOpen = await gate([0])
      waiting.delete(emailId)
      if (isOpen) sent.push(emailId)
      const reply = { code: 250, enhanced: null, text: 'OK' }
      const result = isOpen ? ({ kind: 'answered', reply } as const) : ({ kind: 'gate_closed' } as const)
      return { host: 'mx.example:25', steps: [], results: to.map(() => result) }
    }
    const work = stack.use(
      openDispatcher({
        emails,
        ...unsignedMail,
        suspensions: { suspended: async () => new Set() },
        outcomes: { addOutcomes: async () => {} },
        durable: db,
        doorbell,
        transports: transportsOver({
          mailRoute: 'smtp',
          readsMessage: true,
          send,
          close: async () => unblocked.resolve(),
        }),
        concurrency: { transactional: 8, marketing: 8 },
        maxMessageBytes: 10_000,
        now: () => time.at,
        pause: async () => {},
        log: makeLog('faults', 'silent'),
        metrics: makeMetrics(dispatcherMetrics),
      }),
    )
    return { work, sent, waiting, unblock: unblocked.resolve, time }
  }
  const insert = async (count: number): Promise<Email[]> => {
    const inserted = Array.from({ length: count }, (_, number) => anEmail({ id: `em_${number}`, createdAt: start }))
    await Promise.all(inserted.map((email) => emails.insert(email, content)))
    return inserted
  }
  return { emails, doorbell, start: startOne, insert, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const idsOf = (emails: readonly Email[]): string[] => emails.map(({ id }) => id).sort()

describe('several dispatchers on one store (I15)', () => {
  it('send each email once and share the work', async () => {
    await using store = await openStore()
    const time = { at: start }
    const workers = [1, 2, 3].map(() => store.start({ blocked: false, time }))
    const emails = await store.insert(600)
    for (const email of emails) store.doorbell.ring('transactional', [dueOf(email)])
    await Promise.all(workers.map(({ work }) => work.drain()))
    assert.deepEqual(workers.flatMap(({ sent }) => sent).sort(), idsOf(emails))
    for (const { sent } of workers) assert.ok(sent.length > 100, `one sent ${sent.length} of 600`)
  })

  for (const [what, moves] of [
    ['its own clock', true],
    ['the fence if its clock was paused too', false],
  ] as const) {
    it(`deliver the mail of a paused dispatcher, whose late sends are refused by ${what}`, async () => {
      await using store = await openStore()
      const emails = await store.insert(30)
      const paused = store.start({ blocked: true, time: { at: start } })
      await until('it has begun all deliveries that it may', () => (paused.waiting.size >= 7 ? true : undefined))
      const other = store.start({ blocked: false, time: { at: start } })
      await other.work.drain()
      const unclaimed = other.sent.length
      assert.ok(unclaimed > 0 && unclaimed < 30, `${unclaimed} were not claimed`)
      for (const id of paused.waiting) assert.ok(!other.sent.includes(id), 'its lease is live')

      other.time.at = start + 31_000
      if (moves) paused.time.at = start + 31_000
      await other.work.drain()
      assert.deepEqual([...other.sent].sort(), idsOf(emails))
      const before = await Promise.all(emails.map(({ id }) => store.emails.get(id)))

      paused.unblock()
      await until('it has ended all its deliveries', () => (paused.waiting.size === 0 ? true : undefined))
      await paused.work.drain()
      assert.deepEqual(paused.sent, [])
      assert.deepEqual(await Promise.all(emails.map(({ id }) => store.emails.get(id))), before)
    })
  }
})
