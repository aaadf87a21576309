import assert from 'node:assert/strict'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'
import { anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import {
  accepted,
  answered,
  budgetOf,
  content,
  deliveryRig,
  fence,
  noTransmission,
  statuses,
} from '../../test/support/deliveryRig.ts'
import { transportsOver } from '../../test/support/transportsOver.ts'
import { type DeliverDeps, deliver } from './deliver.ts'

describe('memory for messages', () => {
  it('is reserved before the content is read, and returned', async () => {
    const { deps, run } = deliveryRig(anEmail(), [[null]])
    const budget = budgetOf(1_000_000)
    deps.messageBytes = { transactional: budget, marketing: budgetOf(0) }
    let read = false
    deps.emails.content = async () => {
      read = true
      return content
    }
    const share = await budget.take('ws_2', 1_000_000)
    const delivered = run()
    await new Promise(setImmediate)
    assert.equal(read, false)
    share?.[Symbol.dispose]()
    assert.equal((await delivered).kind, 'done')
    using _ = await budget.take('ws_2', 1_000_000)
  })

  it('is not waited for when the process stops, and the email stays due', async () => {
    const { deps, log, state, stopping, run } = deliveryRig(anEmail(), noTransmission())
    const budget = budgetOf(1_000_000)
    deps.messageBytes = { transactional: budget, marketing: budgetOf(0) }
    using _ = await budget.take('ws_2', 1_000_000)
    const delivered = run()
    stopping.abort()
    assert.deepEqual(await delivered, { kind: 'done', nextAt: 0 })
    assert.deepEqual(log, ['write, done', 'on disk'])
    assert.deepEqual(statuses(state.stored), ['queued'])
  })

  // Regression: every email used to reserve the largest possible size, so a lane worked on only four at a time.
  it('is reserved for no more than the size in the email’s record', async () => {
    const { deps, run } = deliveryRig(anEmail({ messageBytes: 5_000 }), [[null]])
    const budget = budgetOf(1_000_000)
    deps.messageBytes = { transactional: budget, marketing: budgetOf(0) }
    using _ = await budget.take('ws_2', 995_000)
    assert.equal((await run()).kind, 'done')
  })
})

describe('deliver', () => {
  // Regression: a batch of a test key with 50 recipients in each email blocked the process for 0.2 s.
  it('ends transmissions with many recipients in event loop iterations of their own if the transport returns immediately', async () => {
    const recipients = Array.from({ length: 50 }, (_, number) =>
      aRecipient({ address: `deferred+${number}@example.com` }),
    )
    const email = anEmail({ recipients })
    const { deps } = deliveryRig(email, [])
    const reply = answered(451, 'Simulated: try again later')
    const send = async ({ to }: Outgoing): Promise<Transmission> => ({
      host: 'simulator',
      steps: [],
      results: to.map(() => reply),
    })
    const transports = transportsOver({ ...deps.transports.test, send, readsMessage: false })
    const run = deliver({ ...deps, transports })
    await assertIterationsBelow(50, () =>
      Promise.all(Array.from({ length: 72 }, () => run({ email, fence, deaths: 0 }))),
    )
  })

  // Deliveries of emails with many recipients and the work of requests of their workspace waited in one queue.
  it('lets a request of the workspace wait for one delivery in each of its slices', async () => {
    const recipients = Array.from({ length: 10 }, () => aRecipient())
    const email = anEmail({ recipients })
    const slices = makeSlices()
    const { deps } = deliveryRig(email, [])
    let begun = 0
    const prepare: DeliverDeps['signer']['prepare'] = async () => {
      begun += 1
      return { kind: 'unsigned' }
    }
    const send = async ({ to }: Outgoing): Promise<Transmission> => ({
      host: 'simulator',
      steps: [],
      results: to.map(() => answered(451, 'try again later')),
    })
    const transports = transportsOver({ ...deps.transports.test, send, readsMessage: false })
    const run = deliver({ ...deps, signer: { prepare }, transports }, slices)
    const deliveries = Promise.all(Array.from({ length: 50 }, () => run({ email, fence, deaths: 0 })))
    for (let slice = 0; slice < 5; slice++) await nextSlice(slices.of(email.workspace))
    assert.ok(begun <= 5, `${begun} deliveries began during a request`)
    await deliveries
    assert.equal(begun, 50)
  })

  // Regression: the outcome of mail that the server had accepted waited for the work of requests before it was stored.
  for (const [name, reply, waits] of [
    ['stores an acceptance without a turn', accepted, 0],
    ['takes a turn for the class of a refusal', answered(550, 'no such user'), 1],
  ] as const)
    it(name, async () => {
      let [turns, turnsAtDot] = [0, 0]
      const counted = (slices: Slices): Slices => ({
        ...slices,
        begin: (steps) => {
          turns += 1
          return slices.begin(steps)
        },
        of: (owner) => counted(slices.of(owner)),
      })
      const { deps } = deliveryRig(anEmail(), [])
      const send = async ({ to, gate }: Outgoing): Promise<Transmission> => {
        assert.ok(await gate([0]))
        turnsAtDot = turns
        return { host: 'mx.example:25', steps: [], results: to.map(() => reply) }
      }
      const transports = transportsOver({ ...deps.transports.test, send })
      await deliver({ ...deps, transports }, counted(makeSlices()))({ email: anEmail(), fence, deaths: 0 })
      assert.equal(turns - turnsAtDot, waits)
    })
})
