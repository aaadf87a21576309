import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { memoryDoorbell } from '@postrider/adapters/memory/doorbell.ts'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'
import { openDispatcher } from '../../services/dispatcher/dispatcher.ts'
import { dispatcherMetrics } from '../../services/dispatcher/metrics.ts'
import { intakeService } from '../../services/intake/intake.ts'
import { caller, mail, request, testIntake } from '../support/testIntake.ts'
import { transportsOver } from '../support/transportsOver.ts'
import { fairTenants, type Overtaken, type Tenants } from './fairTenants.ts'

/** A server that takes everything, 2 ms a message, from when it is opened. */
const slowServer = () => {
  const opened = Promise.withResolvers<void>()
  const delivered: string[] = []
  const send = async ({ emailId, to, gate }: Outgoing): Promise<Transmission> => {
    await opened.promise
    await pause(2)
    const taken = await gate(to.map((_, number) => number))
    if (taken) delivered.push(emailId)
    const reply = { code: 250, enhanced: null, text: 'OK' }
    const result = taken ? ({ kind: 'answered', reply } as const) : ({ kind: 'gate_closed' } as const)
    return { host: 'mx.example:25', steps: [], results: to.map(() => result) }
  }
  const transport: Transport = { mailRoute: 'smtp', send, close: async () => {} }
  return { transport, delivered, open: opened.resolve }
}

/** Standalone's own parts over a real file: accepts and delivers in one process. */
const openTenants = async (heard: 'rings' | 'nothing') => {
  const stack = new AsyncDisposableStack()
  const rig = stack.use(await testIntake())
  const server = slowServer()
  const doorbell = memoryDoorbell()
  const intake = intakeService({ ...rig.deps, doorbell, now: Date.now })
  const listened = heard === 'rings' ? doorbell : { listen: () => () => {} }
  const tenants: Omit<Tenants, 'start'> = {
    submit: async (tenant, lane) => {
      const given = request({
        caller: caller({ workspace: `ws_${tenant}`, mode: 'test', has_postal_address: true }),
        mail: mail({ category: lane, to: [{ name: '', address: 'ann@example.com' }] }),
      })
      return (await intake.Submit(given)).id
    },
    answer: server.open,
    delivered: () => server.delivered,
  }
  const start = (): void => {
    stack.use(
      openDispatcher({
        emails: rig.emails,
        durable: rig.db,
        doorbell: listened,
        transports: transportsOver(server.transport),
        concurrency: { transactional: 64, marketing: 32 },
        maxMessageBytes: 10 * 2 ** 20,
        now: Date.now,
        log: makeLog('faults', 'silent'),
        metrics: makeMetrics(dispatcherMetrics),
      }),
    )
  }
  return { tenants: { ...tenants, start }, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const busyCount = 20_000

/** In order of acceptance nearly all of the busy tenant's emails would go first. */
const assertFair = ({ transactional, marketing }: Overtaken, most: number): void => {
  assert.ok(transactional < most, `${transactional} of the busy tenant's emails went before transactional mail`)
  assert.ok(marketing < most, `${marketing} of the busy tenant's emails went before marketing mail`)
}

describe('a tenant that queues 20,000 marketing mails (I26)', function () {
  this.timeout(240_000)

  it('is overtaken by mail of another tenant, in its lane and in the other', async () => {
    await using system = await openTenants('rings')
    assertFair(await fairTenants(system.tenants, { busyCount }), 1_000)
  })

  it('is overtaken also where no ring is heard and scans find all mail', async () => {
    await using system = await openTenants('nothing')
    assertFair(await fairTenants(system.tenants, { busyCount }), 5_000)
  })
})
