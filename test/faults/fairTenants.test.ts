import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { memoryDoorbell } from '@postrider/adapters/memory/doorbell.ts'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'
import { dispatcher } from '../../services/dispatcher/dispatcher.ts'
import { intakeService } from '../../services/intake/intake.ts'
import { caller, mail, request, testIntake } from '../support/testIntake.ts'
import { type Fairness, fairTenants, type Tenants } from './fairTenants.ts'

/** A server that takes everything, 2 ms a message, from when it is opened. */
const slowServer = () => {
  const opened = Promise.withResolvers<void>()
  const takenAt = new Map<string, number>()
  const send = async ({ emailId, to, gate }: Outgoing): Promise<Transmission> => {
    await opened.promise
    await pause(2)
    const taken = await gate(to.map((_, number) => number))
    if (taken) takenAt.set(emailId, Date.now())
    const reply = { code: 250, enhanced: null, text: 'OK' }
    const result = taken ? ({ kind: 'answered', reply } as const) : ({ kind: 'gate_closed' } as const)
    return { host: 'mx.example:25', steps: [], results: to.map(() => result) }
  }
  const transport: Transport = { route: 'smtp', send, close: async () => {} }
  return { transport, takenAt, open: opened.resolve }
}

/** Standalone's own parts over a real file: accepts and delivers in one process. */
const openTenants = async () => {
  const stack = new AsyncDisposableStack()
  const rig = stack.use(await testIntake())
  const server = slowServer()
  const doorbell = memoryDoorbell()
  const intake = intakeService({ ...rig.deps, doorbell, now: Date.now })
  const tenants: Tenants = {
    submit: (tenant, lane, count) => {
      const given = request({
        caller: caller({ workspace: `ws_${tenant}`, mode: 'test', has_postal_address: true }),
        mail: mail({ category: lane, to: [{ name: '', address: 'ann@example.com' }] }),
      })
      return Promise.all(Array.from({ length: count }, async () => (await intake.Submit(given)).id))
    },
    deliveredAt: (id) => server.takenAt.get(id),
  }
  const work = (listened: Pick<Doorbell, 'listen'> = doorbell): void => {
    stack.use(
      dispatcher({
        emails: rig.emails,
        durable: rig.db,
        doorbell: listened,
        routes: (_, numbers) => [{ transport: server.transport, numbers: [...numbers] }],
        closeTransports: async () => {},
        lanes: {
          transactional: { concurrency: 64, bytes: 40 * 2 ** 20 },
          marketing: { concurrency: 32, bytes: 24 * 2 ** 20 },
        },
        heaviestBytes: 10 * 2 ** 20,
        now: Date.now,
        random: Math.random,
        pause,
        log: makeLog('faults', 'silent'),
        metrics: makeMetrics(),
      }),
    )
  }
  return { tenants, work, open: server.open, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const assertFair = ({ transactionalMs, marketingMs, busyLeft }: Fairness): void => {
  assert.ok(busyLeft > 2_000, `only ${busyLeft} of the busy tenant's mail was left: nobody had to wait`)
  assert.ok(transactionalMs < 1_000, `transactional mail took ${transactionalMs} ms`)
  assert.ok(marketingMs < 2_000, `marketing mail took ${marketingMs} ms`)
}

describe('a tenant that queues 20,000 marketing mails (I26)', function () {
  this.timeout(120_000)

  it('hardly delays another’s mail, in its lane or in the other', async () => {
    await using system = await openTenants()
    system.work()
    assertFair(await fairTenants(system.tenants, system.open))
  })

  it('hardly delays it also where no ring is heard and scans find everything', async () => {
    await using system = await openTenants()
    system.open()
    assertFair(await fairTenants(system.tenants, () => system.work({ listen: () => () => {} })))
  })
})
