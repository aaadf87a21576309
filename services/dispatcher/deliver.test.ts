import assert from 'node:assert/strict'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import type { RecipientResult, Transmission } from '@postrider/domain/email/transmission.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'
import { anAttempt, anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { byteBudget } from './byteBudget.ts'
import { type DeliverDeps, deliver } from './deliver.ts'

const fence = 3
const content: Content = { html: null, text: 'It works.', headers: {}, attachments: [] }
const unavailable = (): Fault => new Fault('unavailable', 'The disk is full.')

const answered = (code: number, text: string): RecipientResult => ({
  kind: 'answered',
  reply: { code, enhanced: null, text },
})
const taken = answered(250, 'queued')

/** One transmission as a server lets it happen: null takes the recipient to the gate, anything else is its result. */
type Script = (RecipientResult | null)[]

/** One claimed email over a store, a server and a clock in the test's hand; `log` has the order of all that matters. */
const bench = (email: Email, scripts: Script[]) => {
  const log: string[] = []
  const state = {
    stored: email,
    done: false,
    held: true,
    /** The fence in the store; another worker's claim raises it. */
    fence,
    /** What the next writes, and waits for the disk, meet: a fault to throw, or null. */
    writes: [] as (Fault | null)[],
    settles: [] as (Fault | null)[],
    /** What the server answers whoever comes through the gate. */
    afterDot: taken as RecipientResult,
    beforeGate: (): void => {},
    atPause: (): void => {},
    sent: [] as Outgoing[],
    pauses: 0,
    at: 1_000,
  }
  const stopping = new AbortController()
  const transmit = async (message: Outgoing): Promise<Transmission> => {
    state.sent.push(message)
    const script = scripts.shift() ?? assert.fail('nothing more was to be sent')
    const accepted = script.flatMap((result, number) => (result === null ? [number] : []))
    const results = (outcome: RecipientResult): Transmission => ({
      host: 'mx.example:25',
      steps: [],
      results: script.map((result) => result ?? outcome),
    })
    if (accepted.length === 0) return results(taken)
    state.beforeGate()
    if (!(await message.gate(accepted))) return results({ kind: 'gate_closed' })
    log.push('dot')
    return results(state.afterDot)
  }
  const deps: DeliverDeps = {
    emails: {
      content: async () => content,
      write: async (_, asked, { email, done }) => {
        const fault = state.writes.shift() ?? null
        if (fault) throw fault
        if (asked !== state.fence) return false
        log.push(done ? 'write, done' : 'write')
        Object.assign(state, { stored: email, done })
        return true
      },
    },
    durable: {
      settled: async () => {
        const fault = state.settles.shift() ?? null
        if (fault) throw fault
        log.push('on disk')
      },
    },
    leases: { isHeld: (_, asked) => state.held && asked === fence },
    routes: (_, numbers) => [
      { transport: { route: 'smtp', send: transmit, close: async () => {} }, numbers: [...numbers] },
    ],
    room: { transactional: byteBudget(1_000_000, 0), marketing: byteBudget(1_000_000, 0) },
    heaviestBytes: 1_000_000,
    now: () => state.at,
    random: () => 0.5,
    pause: async (ms) => {
      state.pauses += 1
      state.at += ms
      state.atPause()
    },
    stopping: stopping.signal,
    attempted: () => {},
  }
  const run = () => deliver(deps)({ email, fence, deaths: 0 })
  return { deps, log, state, stopping, run }
}

const statuses = ({ recipients }: Email): string[] => recipients.map(({ status }) => status)
const nobody = (): Script[] => []
const two = [aRecipient(), aRecipient({ address: 'bob@example.com' })]

describe('deliver', () => {
  it('lets the final dot out only when who was accepted is on disk', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    const delivery = await run()
    assert.deepEqual(log, ['write', 'on disk', 'dot', 'write, done', 'on disk'])
    assert.equal(delivery.kind === 'done' && delivery.nextAt, null)
    assert.deepEqual(statuses(state.stored), ['delivered'])
    assert.deepEqual(
      state.stored.events.map(({ type }) => type),
      ['email.sent', 'email.delivered'],
    )
  })

  it('sends one message to all who are due, and to nobody else', async () => {
    const recipients = [
      aRecipient(),
      aRecipient({ address: 'bob@example.com', nextAt: 1_001, status: 'deferred' }),
      aRecipient({ address: 'cid@example.com', nextAt: null, status: 'bounced' }),
      aRecipient({ address: 'dan@example.com', kind: 'bcc' }),
    ]
    const { state, run } = bench(anEmail({ recipients }), [[null, null]])
    const delivery = await run()
    assert.deepEqual(
      state.sent.map(({ to }) => to),
      [['ann@example.com', 'dan@example.com']],
    )
    assert.deepEqual(statuses(state.stored), ['delivered', 'deferred', 'bounced', 'delivered'])
    assert.equal(delivery.kind === 'done' && delivery.nextAt, 1_001)
  })

  it('keeps what each recipient was answered', async () => {
    const { state, run } = bench(anEmail({ recipients: two }), [[answered(550, '5.1.1 no such user'), null]])
    await run()
    assert.deepEqual(statuses(state.stored), ['bounced', 'delivered'])
    assert.deepEqual(state.stored.attempts[0]?.committed, [1])
  })

  it('opens another transaction at once for whom the server left to it, and keeps the first before', async () => {
    const { log, state, run } = bench(anEmail({ recipients: two }), [[null, { kind: 'next_transaction' }], [null]])
    await run()
    assert.deepEqual(statuses(state.stored), ['delivered', 'delivered'])
    assert.deepEqual(
      state.stored.attempts.map(({ recipients, committed, outcome }) => ({ recipients, committed, outcome })),
      [
        { recipients: [0, 1], committed: [0], outcome: 'delivered' },
        { recipients: [1], committed: [1], outcome: 'delivered' },
      ],
    )
    const first = ['write', 'on disk', 'dot', 'write', 'on disk']
    assert.deepEqual(log, [...first, 'write', 'on disk', 'dot', 'write, done', 'on disk'])
  })

  it('defers where everybody is left to a next transaction, or it would ask for ever', async () => {
    const { state, run } = bench(anEmail({ recipients: two }), [
      [{ kind: 'next_transaction' }, { kind: 'next_transaction' }],
    ])
    await run()
    assert.deepEqual(statuses(state.stored), ['deferred', 'deferred'])
    assert.deepEqual(
      state.stored.recipients.map(({ tries }) => tries),
      [1, 1],
    )
  })

  it('fails who is out of time without asking a server', async () => {
    const { state, run } = bench(anEmail({ expiresAt: 900 }), nobody())
    await run()
    assert.deepEqual(statuses(state.stored), ['failed'])
    assert.deepEqual(state.stored.owed, [0])
    assert.ok(state.done)
  })

  it('never sends an email whose content is not there', async () => {
    const { deps, run } = bench(anEmail(), nobody())
    deps.emails.content = async () => null
    await assert.rejects(run(), /no content/)
  })
})

describe('the gate', () => {
  it('stays closed to a worker whose fence was passed, and nothing of it is written', async () => {
    const email = anEmail()
    const { log, state, run } = bench(email, [[null]])
    state.beforeGate = () => {
      state.fence = fence + 1
    }
    assert.deepEqual(await run(), { kind: 'lost' })
    assert.deepEqual(log, [])
    assert.equal(state.stored, email)
  })

  it('stays closed when the lease ran out, and the email is due again without a try', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    state.held = false
    const delivery = await run()
    assert.deepEqual(log, ['write, done', 'on disk'])
    assert.equal(delivery.kind === 'done' && delivery.nextAt, 0)
    assert.deepEqual(state.stored.attempts[0]?.outcome, 'lost')
    assert.equal(state.stored.attempts[0]?.committed, null)
    assert.equal(state.stored.recipients[0]?.tries, 0)
  })

  it('stays closed when the lease runs out while the disk is waited for, and nobody is in doubt', async () => {
    const { deps, log, state, run } = bench(anEmail({ onUnknown: 'hold' }), [[null]])
    deps.durable = {
      settled: async () => {
        state.held = false
      },
    }
    await run()
    assert.deepEqual(log, ['write', 'write, done'])
    assert.equal(state.stored.attempts[0]?.committed, null)
    assert.deepEqual(statuses(state.stored), ['deferred'])
    assert.equal(state.stored.recipients[0]?.nextAt, 0)
  })

  for (const [name, fault] of [
    ['can’t take the write', { writes: [unavailable()] }],
    ['loses the write with its commit', { settles: [unavailable()] }],
  ] as const) {
    it(`stays closed when the store ${name}, and the email is due again`, async () => {
      const { log, state, run } = bench(anEmail(), [[null]])
      Object.assign(state, fault)
      const delivery = await run()
      assert.ok(!log.includes('dot'))
      assert.equal(delivery.kind === 'done' && delivery.nextAt, 0)
      assert.deepEqual(statuses(state.stored), ['queued'])
      assert.equal(state.stored.attempts[0]?.committed, null)
    })
  }

  it('when closed keeps what a server had refused', async () => {
    const { state, run } = bench(anEmail({ recipients: two }), [[answered(550, '5.1.1 no such user'), null]])
    state.held = false
    await run()
    assert.deepEqual(statuses(state.stored), ['bounced', 'queued'])
  })
})

describe('an outcome', () => {
  it('is written again and again while the store can’t keep it', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    state.writes = [null, unavailable(), unavailable()]
    state.settles = [null, unavailable()]
    // Longer than any lease: the fence decides whose email it is.
    state.atPause = () => {
      state.held = false
    }
    await run()
    assert.equal(state.pauses, 3)
    assert.deepEqual(log, ['write', 'on disk', 'dot', 'write, done', 'write, done', 'on disk'])
    assert.deepEqual(statuses(state.stored), ['delivered'])
  })

  it('is given up when the process must stop and the store doesn’t come back', async () => {
    const { state, stopping, run } = bench(anEmail(), [[null]])
    state.writes = [null, ...Array.from({ length: 50 }, unavailable)]
    state.beforeGate = () => stopping.abort()
    await assert.rejects(run(), { code: 'unavailable' })
    assert.ok(state.pauses < 20)
  })

  it('is none where the store can’t give the content: nothing was sent, and nothing is written', async () => {
    const { deps, log, state, run } = bench(anEmail(), nobody())
    deps.emails.content = () => Promise.reject(unavailable())
    await assert.rejects(run(), { code: 'unavailable' })
    assert.deepEqual([log, state.sent, state.pauses], [[], [], 0])
  })

  it('is dropped when another worker claimed the email meanwhile', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    state.writes = [null, unavailable()]
    state.atPause = () => {
      state.fence = fence + 1
    }
    assert.deepEqual(await run(), { kind: 'lost' })
    assert.deepEqual(log, ['write', 'on disk', 'dot'])
  })
})

describe('doubt', () => {
  it('after a lost reply leads to a marked attempt by the schedule', async () => {
    const first = bench(anEmail(), [[null]])
    first.state.afterDot = { kind: 'lost_after_dot', reason: 'connection closed' }
    await first.run()
    const { stored } = first.state
    assert.equal(stored.recipients[0]?.nextAt, 1_000 + 5 * 60_000)
    const second = bench({ ...stored, recipients: [aRecipient({ ...stored.recipients[0], nextAt: 1_000 })] }, [[null]])
    await second.run()
    assert.deepEqual(
      second.state.stored.attempts.map(({ possibleDuplicate }) => possibleDuplicate),
      [false, true],
    )
  })

  it('after a worker’s death leads to a marked attempt at once, and to no try of the schedule', async () => {
    const { state, run } = bench(anEmail({ attempts: [anAttempt({ id: 'att_dead', committed: [0] })] }), [[null]])
    await run()
    assert.deepEqual(
      state.stored.attempts.map(({ possibleDuplicate, outcome }) => ({ possibleDuplicate, outcome })),
      [
        { possibleDuplicate: false, outcome: 'unknown' },
        { possibleDuplicate: true, outcome: 'delivered' },
      ],
    )
    assert.equal(state.stored.recipients[0]?.tries, 1)
  })

  it('under hold sends nothing, whichever way it arose', async () => {
    const lost = bench(anEmail({ onUnknown: 'hold' }), [[null]])
    lost.state.afterDot = { kind: 'lost_after_dot', reason: 'connection closed' }
    await lost.run()
    const attempts = [anAttempt({ id: 'att_dead', committed: [0] })]
    const orphaned = bench(anEmail({ onUnknown: 'hold', attempts }), nobody())
    await orphaned.run()
    for (const { state } of [lost, orphaned]) {
      assert.deepEqual(statuses(state.stored), ['unknown'])
      assert.equal(state.stored.recipients[0]?.nextAt, null)
    }
  })
})

describe('a process that is to stop', () => {
  it('begins no other transaction, and what is left is due at once', async () => {
    const { state, stopping, run } = bench(anEmail({ recipients: two }), [[null, { kind: 'next_transaction' }]])
    state.beforeGate = () => stopping.abort()
    const delivery = await run()
    assert.deepEqual(statuses(state.stored), ['delivered', 'queued'])
    assert.equal(delivery.kind === 'done' && delivery.nextAt, 0)
  })

  it('uses no try for what it cut off before the dot', async () => {
    const { deps, state, stopping, run } = bench(anEmail(), nobody())
    const results: RecipientResult[] = [{ kind: 'lost_before_dot', reason: 'we are stopping' }]
    const send = async () => {
      stopping.abort()
      return { host: '', steps: [], results }
    }
    deps.routes = () => [{ transport: { route: 'smtp', send, close: async () => {} }, numbers: [0] }]
    await run()
    assert.deepEqual(statuses(state.stored), ['queued'])
    assert.equal(state.stored.recipients[0]?.tries, 0)
    assert.equal(state.stored.attempts[0]?.outcome, 'lost')
  })
})

describe('room for messages', () => {
  it('is waited for before the content is read, and given back', async () => {
    const { deps, run } = bench(anEmail(), [[null]])
    const room = byteBudget(1_000_000, 0)
    deps.room = { transactional: room, marketing: byteBudget(0, 0) }
    let read = false
    deps.emails.content = async () => {
      read = true
      return content
    }
    const taken = await room.take('ws_2', 1_000_000)
    const delivered = run()
    await new Promise(setImmediate)
    assert.equal(read, false)
    taken[Symbol.dispose]()
    assert.equal((await delivered).kind, 'done')
    using _ = await room.take('ws_2', 1_000_000)
  })

  // Every email used to take room for the longest there may be, so four at a time were all that a lane worked on.
  it('is taken for no more than the email says it needs', async () => {
    const { deps, run } = bench(anEmail({ messageBytes: 5_000 }), [[null]])
    const room = byteBudget(1_000_000, 0)
    deps.room = { transactional: room, marketing: byteBudget(0, 0) }
    using _ = await room.take('ws_2', 995_000)
    assert.equal((await run()).kind, 'done')
  })
})
