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
import { until } from '../support/until.ts'

const content = { html: null, text: 'It works.', headers: {}, attachments: [] }
const start = 1_000_000

/** As a consumer group: each ring is heard by one of those who listen. */
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

type Worker = { work: Dispatcher; sent: string[]; waiting: Set<string>; goOn(): void; time: { at: number } }

/** One store, and dispatchers over it that each have a clock and a server of their own. */
const openStore = async () => {
  const stack = new AsyncDisposableStack()
  const { emails, db } = stack.use(await testIntake())
  const doorbell = sharedDoorbell()
  const startOne = (given: { stuck: boolean; time: { at: number } }): Worker => {
    const free = Promise.withResolvers<void>()
    if (!given.stuck) free.resolve()
    const sent: string[] = []
    const waiting = new Set<string>()
    const send = async ({ emailId, to, gate }: Outgoing): Promise<Transmission> => {
      waiting.add(emailId)
      await free.promise
      const taken = await gate([0])
      waiting.delete(emailId)
      if (taken) sent.push(emailId)
      const reply = { code: 250, enhanced: null, text: 'OK' }
      const result = taken ? ({ kind: 'answered', reply } as const) : ({ kind: 'gate_closed' } as const)
      return { host: 'mx.example:25', steps: [], results: to.map(() => result) }
    }
    const work = stack.use(
      openDispatcher({
        emails,
        durable: db,
        doorbell,
        transports: transportsOver({ mailRoute: 'smtp', send, close: async () => free.resolve() }),
        concurrency: { transactional: 8, marketing: 8 },
        maxMessageBytes: 10_000,
        now: () => given.time.at,
        pause: async () => {},
        log: makeLog('faults', 'silent'),
        metrics: makeMetrics(dispatcherMetrics),
      }),
    )
    return { work, sent, waiting, goOn: free.resolve, time: given.time }
  }
  const keep = async (count: number): Promise<Email[]> => {
    const kept = Array.from({ length: count }, (_, number) => anEmail({ id: `em_${number}`, createdAt: start }))
    await Promise.all(kept.map((email) => emails.insert(email, content)))
    return kept
  }
  return { emails, doorbell, start: startOne, keep, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const idsOf = (emails: readonly Email[]): string[] => emails.map(({ id }) => id).sort()

describe('several dispatchers on one store (I15)', () => {
  it('send each mail once, and share the work', async () => {
    await using store = await openStore()
    const time = { at: start }
    const workers = [1, 2, 3].map(() => store.start({ stuck: false, time }))
    const emails = await store.keep(600)
    for (const email of emails) store.doorbell.ring('transactional', [dueOf(email)])
    await Promise.all(workers.map(({ work }) => work.drain()))
    assert.deepEqual(workers.flatMap(({ sent }) => sent).sort(), idsOf(emails))
    for (const { sent } of workers) assert.ok(sent.length > 100, `one sent ${sent.length} of 600`)
  })

  for (const [what, moves] of [
    ['by its own clock', true],
    ['by the fence, where its clock stood still too', false],
  ] as const) {
    it(`take over what one held that stood still, and its late sends are refused ${what}`, async () => {
      await using store = await openStore()
      const emails = await store.keep(30)
      const still = store.start({ stuck: true, time: { at: start } })
      await until('all it may hold is in work', () => (still.waiting.size >= 7 ? true : undefined))
      const other = store.start({ stuck: false, time: { at: start } })
      await other.work.drain()
      const untaken = other.sent.length
      assert.ok(untaken > 0 && untaken < 30, `${untaken} were free`)
      for (const id of still.waiting) assert.ok(!other.sent.includes(id), 'its lease is live')

      other.time.at = start + 31_000
      if (moves) still.time.at = start + 31_000
      await other.work.drain()
      assert.deepEqual([...other.sent].sort(), idsOf(emails))
      const before = await Promise.all(emails.map(({ id }) => store.emails.get(id)))

      still.goOn()
      await until('it has tried all it held', () => (still.waiting.size === 0 ? true : undefined))
      await still.work.drain()
      assert.deepEqual(still.sent, [])
      assert.deepEqual(await Promise.all(emails.map(({ id }) => store.emails.get(id))), before)
    })
  }
})
