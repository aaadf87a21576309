import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { memoryDoorbell } from '@postrider/adapters/memory/doorbell.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'
import { openDispatcher } from '../../services/dispatcher/dispatcher.ts'
import { dispatcherMetrics } from '../../services/dispatcher/metrics.ts'
import { intakeService } from '../../services/intake/intake.ts'
import { caller, mail, request, testIntake } from '../support/testIntake.ts'
import { transportsOver } from '../support/transportsOver.ts'
import { unsignedMail } from '../support/unsignedMail.ts'
import { fairTenants, type Overtaken, type Tenants } from './fairTenants.ts'

/** A server that accepts every message in the next event loop iteration, as soon as it is opened. */
const slowServer = () => {
  const opened = Promise.withResolvers<void>()
  const delivered: string[] = []
  const send = async ({ emailId, to, gate }: Outgoing): Promise<Transmission> => {
    await opened.promise
    await nextIteration()
    const isOpen = await gate(to.map((_, number) => number))
    if (isOpen) delivered.push(emailId)
    const reply = { code: 250, enhanced: null, text: 'OK' }
    const result = isOpen ? ({ kind: 'answered', reply } as const) : ({ kind: 'gate_closed' } as const)
    return { host: 'mx.example:25', steps: [], results: to.map(() => result) }
  }
  const transport: Transport = { mailRoute: 'smtp', readsMessage: true, send, close: async () => {} }
  return { transport, delivered, open: opened.resolve }
}

/**
 * Opens intake in this process on a SQLite file, as standalone does, for all tests: to accept 20,000 emails costs more
 * than to deliver some of them.
 */
const useIntake = () => {
  const stack = new AsyncDisposableStack()
  const doorbell = memoryDoorbell()
  const waiting = new Set<string>()
  let rig: Awaited<ReturnType<typeof testIntake>>
  let intake: ReturnType<typeof intakeService>
  before(async () => {
    rig = stack.use(await testIntake())
    intake = intakeService({ ...rig.deps, doorbell, now: Date.now })
  })
  after(() => stack.disposeAsync())
  return {
    rig: () => rig,
    doorbell,
    /** The emails of the busy tenant that no dispatcher has delivered. */
    waiting,
    submit: async (tenant: 'busy' | 'other', lane: Lane): Promise<string> => {
      const given = request({
        caller: caller({ workspace: `ws_${tenant}`, mode: 'test', hasPostalAddress: true }),
        mail: mail({ category: lane, to: [{ name: '', address: 'ann@example.com' }] }),
      })
      const { id } = await intake.Submit(given)
      if (tenant === 'busy') waiting.add(id)
      return id
    },
  }
}

type Intake = ReturnType<typeof useIntake>

/** Opens a dispatcher on the mail of an intake, when it is started. */
const openTenants = ({ rig, doorbell, waiting, submit }: Intake, receives: 'rings' | 'nothing') => {
  const stack = new AsyncDisposableStack()
  const server = slowServer()
  const listened = receives === 'rings' ? doorbell : { listen: () => () => {} }
  const found = new Map<Lane, number>()
  const start = (): void => {
    const { emails, db } = rig()
    stack.use(
      openDispatcher({
        emails: {
          ...emails,
          claim: async (query) => {
            const claimed = await emails.claim(query)
            const isFound = claimed.some(({ email }) => email.workspace === 'ws_other')
            if (isFound && !found.has(query.lane)) found.set(query.lane, server.delivered.length)
            return claimed
          },
        },
        ...unsignedMail,
        suspensions: { suspended: async () => new Set() },
        outcomes: { addOutcomes: async () => {} },
        durable: db,
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
  const tenants: Tenants = {
    submit,
    start,
    answer: server.open,
    delivered: () => server.delivered,
    // The marketing lane is never without mail, so it reads more as soon as slots are free.
    deliveredUntilFound: (lane) => (receives === 'nothing' && lane === 'transactional' ? (found.get(lane) ?? 0) : 0),
  }
  return {
    tenants,
    [Symbol.asyncDispose]: async () => {
      await stack.disposeAsync()
      for (const id of server.delivered) waiting.delete(id)
    },
  }
}

const busyCount = 20_000

/** In the order of acceptance nearly all emails of the busy tenant would be delivered first. */
const assertFair = ({ transactional, marketing }: Overtaken): void => {
  const max = busyCount / 20
  assert.ok(transactional < max, `${transactional} emails of the busy tenant left before transactional mail`)
  assert.ok(marketing < max, `${marketing} emails of the busy tenant left before marketing mail`)
}

describe('tenant that queues 20,000 marketing emails (I26)', () => {
  const intake = useIntake()
  const { waiting } = intake

  it('does not delay the mail of another tenant in either lane', async () => {
    await using system = openTenants(intake, 'rings')
    assertFair(await fairTenants(system.tenants, { busyCount, waiting }))
  })

  it('does not delay the mail of another tenant if no ring is received and scans find all mail', async () => {
    await using system = openTenants(intake, 'nothing')
    assertFair(await fairTenants(system.tenants, { busyCount, waiting }))
  })
})
