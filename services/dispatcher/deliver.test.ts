import assert from 'node:assert/strict'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import type { RecipientResult, Transmission } from '@postrider/domain/email/transmission.ts'
import { type ByteBudget, byteBudget } from '@postrider/kit/byteBudget.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'
import { anAttempt, anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { transportsOver } from '../../test/support/transportsOver.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import type { Signing, UnsignableMail } from './signer.ts'

const fence = 3
const content: Content = { html: null, text: 'It works.', headers: {}, attachments: [] }
const unavailable = (): Fault => new Fault('unavailable', 'The disk is full.')

const answered = (code: number, text: string): RecipientResult => ({
  kind: 'answered',
  reply: { code, enhanced: null, text },
})
const accepted = answered(250, 'queued')

/** One transmission: null accepts the recipient, so it reaches the gate; anything else is its result. */
type Script = (RecipientResult | null)[]

/** One claimed email over a store, a server and a clock that the test controls. `log` has the order of effects. */
const bench = (email: Email, scripts: Script[]) => {
  const log: string[] = []
  const state = {
    stored: email,
    /** What is stored after a commit that failed. */
    onDisk: email,
    done: false,
    /** How often the worker read what is stored. */
    reads: 0,
    isLeased: true,
    /** Whether the workspace is suspended. */
    suspended: false,
    /** The fence in the store, which another worker's claim raises. */
    fence,
    /** The faults that the next writes and `synced` calls throw; null for none. */
    writes: [] as (Fault | null)[],
    syncs: [] as (Fault | null)[],
    /** The server's reply to the final dot. */
    afterDot: accepted as RecipientResult,
    beforeGate: (): void => {},
    atPause: (): void => {},
    sent: [] as Outgoing[],
    pauses: 0,
    at: 1_000,
    /** How the mail may leave. */
    signing: { kind: 'unsigned' } as Signing,
    /** Whether the transports read the message, by call of the signer. */
    prepared: [] as boolean[],
    held: [] as [cause: string, isFirst: boolean][],
  }
  const stopping = new AbortController()
  const transmit = async (message: Outgoing): Promise<Transmission> => {
    state.sent.push(message)
    const script = scripts.shift() ?? assert.fail('unexpected transmission')
    const atGate = script.flatMap((result, number) => (result === null ? [number] : []))
    const results = (outcome: RecipientResult): Transmission => ({
      host: 'mx.example:25',
      steps: [],
      results: script.map((result) => result ?? outcome),
    })
    if (atGate.length === 0) return results(accepted)
    state.beforeGate()
    if (!(await message.gate(atGate))) return results({ kind: 'gate_closed' })
    log.push('dot')
    return results(state.afterDot)
  }
  const deps: DeliverDeps = {
    emails: {
      content: async () => content,
      write: async (_, token, { email, done }) => {
        const fault = state.writes.shift() ?? null
        if (fault) throw fault
        if (token !== state.fence) return false
        log.push(done ? 'write, done' : 'write')
        Object.assign(state, { stored: email, done })
        return true
      },
      lastWrite: async (_, token) => {
        state.reads += 1
        return token === state.fence ? { email: state.stored, writtenAt: null } : null
      },
    },
    durable: {
      synced: async () => {
        const fault = state.syncs.shift() ?? null
        if (fault) {
          state.stored = state.onDisk
          throw fault
        }
        state.onDisk = state.stored
        log.push('on disk')
      },
    },
    leases: { isLeased: (_, token) => state.isLeased && token === fence },
    suspended: { has: () => state.suspended },
    transports: transportsOver({ mailRoute: 'smtp', readsMessage: true, send: transmit, close: async () => {} }),
    signer: {
      prepare: async (_, isRead) => {
        state.prepared.push(isRead)
        return state.signing
      },
    },
    platformAddress: 'mail@postrider.test',
    onHeld: (_, { cause }, isFirst) => void state.held.push([cause, isFirst]),
    messageBytes: { transactional: budgetOf(1_000_000), marketing: budgetOf(1_000_000) },
    maxMessageBytes: 1_000_000,
    now: () => state.at,
    random: () => 0.5,
    pause: async (ms) => {
      state.pauses += 1
      state.at += ms
      state.atPause()
    },
    stopping: stopping.signal,
    onAttempt: () => {},
  }
  const run = () => deliver(deps)({ email, fence, deaths: 0 })
  return { deps, log, state, stopping, run }
}

const budgetOf = (capacityBytes: number): ByteBudget => byteBudget({ capacityBytes, maxBytesPerOwner: capacityBytes })

const statuses = ({ recipients }: Email): string[] => recipients.map(({ status }) => status)
const noTransmission = (): Script[] => []
const two = [aRecipient(), aRecipient({ address: 'bob@example.com' })]

describe('deliver', () => {
  it('sends the final dot only when the accepted recipients are on disk', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    const delivery = await run()
    assert.deepEqual(log, ['write', 'on disk', 'dot', 'write, done', 'on disk'])
    assert.equal(state.reads, 0, 'an email without errors costs no read')
    assert.equal(delivery.kind === 'done' && delivery.nextAt, null)
    assert.deepEqual(statuses(state.stored), ['delivered'])
    assert.deepEqual(
      state.stored.events.map(({ type }) => type),
      ['email.sent', 'email.delivered'],
    )
  })

  for (const [mode, mailRoute, results, hasNotice] of [
    ['live', 'mailbox', [null], true],
    ['test', 'mailbox', [null], false],
    ['live', 'smtp', [null], false],
    ['live', 'simulator', [null], false],
    ['live', 'mailbox', [{ kind: 'lost_before_dot', reason: 'The disk is full.' }], false],
  ] as const)
    it(`${hasNotice ? 'adds a' : 'adds no'} notice to ${mode} mail that the ${mailRoute} ${results[0] === null ? 'accepted' : 'did not accept'}`, async () => {
      const { deps, state } = bench(anEmail({ mode }), [[...results]])
      const { live, test } = deps.transports
      const transports = transportsOver({ ...(mode === 'live' ? live.transactional : test), mailRoute })
      await deliver({ ...deps, transports })({ email: anEmail({ mode }), fence, deaths: 0 })
      assert.deepEqual(
        state.stored.notices.map((notice) => /did not leave the service.*mailbox/.test(notice)),
        hasNotice ? [true] : [],
      )
    })

  it('reads no content for transports that read no message', async () => {
    const { deps, state } = bench(anEmail(), [[null]])
    const transports = transportsOver({ ...deps.transports.live.transactional, readsMessage: false })
    const emails = { ...deps.emails, content: () => assert.fail('the content was read') }
    await deliver({ ...deps, emails, transports })({ email: anEmail(), fence, deaths: 0 })
    assert.deepEqual(statuses(state.stored), ['delivered'])
    assert.equal(state.sent[0]?.raw.length, 0)
  })

  // Regression: a batch of a test key with 50 recipients in each email blocked the process for 0.2 s.
  it('ends transmissions with many recipients in event loop iterations of their own if the transport returns immediately', async () => {
    const recipients = Array.from({ length: 50 }, (_, number) =>
      aRecipient({ address: `deferred+${number}@example.com` }),
    )
    const email = anEmail({ recipients })
    const { deps } = bench(email, [])
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
    const { deps } = bench(email, [])
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
      const { deps } = bench(anEmail(), [])
      const send = async ({ to, gate }: Outgoing): Promise<Transmission> => {
        assert.ok(await gate([0]))
        turnsAtDot = turns
        return { host: 'mx.example:25', steps: [], results: to.map(() => reply) }
      }
      const transports = transportsOver({ ...deps.transports.test, send })
      await deliver({ ...deps, transports }, counted(makeSlices()))({ email: anEmail(), fence, deaths: 0 })
      assert.equal(turns - turnsAtDot, waits)
    })

  it('adds the notice once if a delivery needs two transactions', async () => {
    const { deps, state } = bench(anEmail({ recipients: two }), [[null, { kind: 'next_transaction' }], [null]])
    const transports = transportsOver({ ...deps.transports.live.transactional, mailRoute: 'mailbox' })
    await deliver({ ...deps, transports })({ email: anEmail({ recipients: two }), fence, deaths: 0 })
    assert.deepEqual(statuses(state.stored), ['delivered', 'delivered'])
    assert.equal(state.stored.notices.length, 1)
  })

  it('sends one message to the recipients that are due only', async () => {
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

  it('sends to recipients that need SMTPUTF8 in a transaction of their own', async () => {
    const recipients = [
      aRecipient({ address: '用户@example.com' }),
      aRecipient(),
      aRecipient({ address: 'é@example.com' }),
    ]
    const { state, run } = bench(anEmail({ recipients }), [[null], [answered(553, '5.6.7'), null]])
    await run()
    assert.deepEqual(
      state.sent.map(({ to, utf8 }) => ({ to, utf8: utf8 !== undefined })),
      [
        { to: ['ann@example.com'], utf8: false },
        { to: ['用户@example.com', 'é@example.com'], utf8: true },
      ],
    )
    const [, second] = state.sent
    assert.doesNotMatch(Buffer.from(second?.raw ?? []).toString('latin1'), /[^\0-\x7f]/)
    assert.match(Buffer.from((await second?.utf8?.())?.raw ?? []).toString(), /用户@example\.com/)
    assert.deepEqual(statuses(state.stored), ['bounced', 'delivered', 'delivered'])
  })

  it('offers the message in UTF-8 if an address of reply_to needs SMTPUTF8', async () => {
    const { state, run } = bench(anEmail({ replyTo: [{ name: '', address: 'é@example.com' }] }), [[null]])
    await run()
    assert.match(Buffer.from((await state.sent[0]?.utf8?.())?.raw ?? []).toString(), /^Reply-To: é@example\.com\r$/m)
  })

  it('stores the reply for each recipient', async () => {
    const { state, run } = bench(anEmail({ recipients: two }), [[answered(550, '5.1.1 no such user'), null]])
    await run()
    assert.deepEqual(statuses(state.stored), ['bounced', 'delivered'])
    assert.deepEqual(state.stored.attempts[0]?.committed, [1])
  })

  it('writes the first outcome before it starts another transaction for the remaining recipients', async () => {
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

  // A refusal of the message because of one recipient used to bounce all of them.
  it('tries each recipient alone after the message was refused because of one of them', async () => {
    const three = ['ada', 'bob', 'eve'].map((name) => aRecipient({ address: `${name}@example.com` }))
    const noSuchUser = { ...answered(550, '5.1.1 no such user'), phase: 'dot' } as RecipientResult
    const { log, state, run } = bench(anEmail({ recipients: three }), [[null, null, null], [null], [null], [null]])
    const answers = [noSuchUser, accepted, noSuchUser, accepted]
    state.beforeGate = () => {
      state.afterDot = answers.shift() ?? assert.fail('more than one round')
    }
    await run()
    assert.deepEqual(statuses(state.stored), ['delivered', 'bounced', 'delivered'])
    assert.deepEqual(
      state.stored.recipients.map(({ tries }) => tries),
      [1, 1, 1],
    )
    assert.deepEqual(
      state.stored.attempts.map(({ recipients, outcome, possibleDuplicate }) => ({
        recipients,
        outcome,
        possibleDuplicate,
      })),
      [
        { recipients: [0, 1, 2], outcome: 'deferred', possibleDuplicate: false },
        { recipients: [0], outcome: 'delivered', possibleDuplicate: false },
        { recipients: [1], outcome: 'bounced', possibleDuplicate: false },
        { recipients: [2], outcome: 'delivered', possibleDuplicate: false },
      ],
    )
    // Each outcome is on disk before the next transaction.
    const round = ['write', 'on disk', 'dot']
    assert.deepEqual(log, [
      ...Array.from({ length: 4 }, (_, n) => (n === 0 ? round : ['write', 'on disk', ...round])).flat(),
      'write, done',
      'on disk',
    ])
  })

  it('keeps recipients due that were to be tried alone when the process stops', async () => {
    const full = { ...answered(452, '4.2.2 mailbox full'), phase: 'dot' } as RecipientResult
    const { state, stopping, run } = bench(anEmail({ recipients: two }), [[null, null]])
    state.afterDot = full
    state.beforeGate = () => stopping.abort()
    const delivery = await run()
    assert.deepEqual(
      state.stored.recipients.map(({ status, tries }) => [status, tries]),
      [
        ['deferred', 0],
        ['deferred', 0],
      ],
    )
    assert.ok(delivery.kind === 'done' && delivery.nextAt !== null && delivery.nextAt <= state.at)
  })

  it('defers when every recipient is left to a next transaction, which would repeat endlessly', async () => {
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

  it('fails recipients of expired mail without a transmission', async () => {
    const { state, run } = bench(anEmail({ expiresAt: 900 }), noTransmission())
    await run()
    assert.deepEqual(statuses(state.stored), ['failed'])
    assert.deepEqual(state.stored.owed, [0])
    assert.ok(state.done)
  })

  it('does not send an email without content', async () => {
    const { deps, run } = bench(anEmail(), noTransmission())
    deps.emails.content = async () => null
    await assert.rejects(run(), /no content/)
  })
})

describe('gate', () => {
  it('stays closed for a workspace that was suspended since the claim, and uses no try', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    state.beforeGate = () => {
      state.suspended = true
    }
    const delivery = await run()
    assert.deepEqual(log, ['write, done', 'on disk'])
    assert.ok(delivery.kind === 'done' && delivery.nextAt !== null)
    assert.equal(state.stored.recipients[0]?.tries, 0)
  })

  it('stays closed and writes nothing when the fencing token has changed', async () => {
    const email = anEmail()
    const { log, state, run } = bench(email, [[null]])
    state.beforeGate = () => {
      state.fence = fence + 1
    }
    assert.deepEqual(await run(), { kind: 'lost' })
    assert.deepEqual(log, [])
    assert.equal(state.stored, email)
  })

  it('stays closed when the lease expired, and the email is due again without a try', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    state.isLeased = false
    const delivery = await run()
    assert.deepEqual(log, ['write, done', 'on disk'])
    assert.equal(delivery.kind === 'done' && delivery.nextAt, 0)
    assert.deepEqual(state.stored.attempts[0]?.outcome, 'lost')
    assert.equal(state.stored.attempts[0]?.committed, null)
    assert.equal(state.stored.recipients[0]?.tries, 0)
  })

  it('stays closed when the lease expires during the wait for the disk, and leaves no doubt', async () => {
    const { deps, log, state, run } = bench(anEmail({ onUnknown: 'hold' }), [[null]])
    deps.durable = {
      synced: async () => {
        state.isLeased = false
      },
    }
    await run()
    assert.deepEqual(log, ['write', 'write, done'])
    assert.equal(state.stored.attempts[0]?.committed, null)
    assert.deepEqual(statuses(state.stored), ['deferred'])
    assert.equal(state.stored.recipients[0]?.nextAt, 0)
  })

  for (const [name, fault] of [
    ['refuses the write', { writes: [unavailable()] }],
    ['loses the write with its commit', { syncs: [unavailable()] }],
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

  // The record lost an event that readers had seen: the outcome replaced the write whose response was lost.
  it('stays closed when the response of the store is lost, and the events of its write stay', async () => {
    const { deps, log, state, run } = bench(anEmail(), [[null]])
    const { write } = deps.emails
    let writes = 0
    deps.emails.write = async (...given) => {
      const isWritten = await write(...given)
      if (writes++ > 0) return isWritten
      state.at += 60_000
      throw unavailable()
    }
    await run()
    assert.deepEqual(log, ['write', 'write, done', 'on disk'])
    assert.deepEqual(
      state.stored.events.map(({ type, at }) => [type, at]),
      [
        ['email.sent', 1_000],
        ['email.deferred', 61_000],
      ],
    )
    assert.equal(state.stored.recipients[0]?.tries, 0)
    assert.equal(state.stored.attempts[0]?.committed, null)
  })

  it('keeps refusals of the server when it is closed', async () => {
    const { state, run } = bench(anEmail({ recipients: two }), [[answered(550, '5.1.1 no such user'), null]])
    state.isLeased = false
    await run()
    assert.deepEqual(statuses(state.stored), ['bounced', 'queued'])
  })
})

describe('outcome', () => {
  it('is written repeatedly while the store is unavailable', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    state.writes = [null, unavailable(), unavailable()]
    state.syncs = [null, unavailable()]
    // The lease expires during the retries: only the fence decides which worker owns the email.
    state.atPause = () => {
      state.isLeased = false
    }
    await run()
    assert.equal(state.pauses, 3)
    assert.deepEqual(log, ['write', 'on disk', 'dot', 'write, done', 'write, done', 'on disk'])
    assert.deepEqual(statuses(state.stored), ['delivered'])
  })

  it('is given up when the process stops and the store does not recover', async () => {
    const { state, stopping, run } = bench(anEmail(), [[null]])
    state.writes = [null, ...Array.from({ length: 50 }, unavailable)]
    state.beforeGate = () => stopping.abort()
    await assert.rejects(run(), { code: 'unavailable' })
    assert.ok(state.pauses < 20)
  })

  it('is not written when the store cannot return the content, because nothing was sent', async () => {
    const { deps, log, state, run } = bench(anEmail(), noTransmission())
    deps.emails.content = () => Promise.reject(unavailable())
    await assert.rejects(run(), { code: 'unavailable' })
    assert.deepEqual([log, state.sent, state.pauses], [[], [], 0])
  })

  it('is dropped when another worker claimed the email before it was written', async () => {
    const { log, state, run } = bench(anEmail(), [[null]])
    state.writes = [null, unavailable()]
    state.atPause = () => {
      state.fence = fence + 1
    }
    assert.deepEqual(await run(), { kind: 'lost' })
    assert.deepEqual(log, ['write', 'on disk', 'dot'])
  })
})

describe('outcome in doubt', () => {
  it('leads to an attempt by the schedule, marked as a possible duplicate, after a lost reply', async () => {
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

  it('leads to a marked attempt immediately, without a try of the schedule, after a worker’s death', async () => {
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

  it('under hold sends nothing, after a lost reply and after a death', async () => {
    const lost = bench(anEmail({ onUnknown: 'hold' }), [[null]])
    lost.state.afterDot = { kind: 'lost_after_dot', reason: 'connection closed' }
    await lost.run()
    const attempts = [anAttempt({ id: 'att_dead', committed: [0] })]
    const orphaned = bench(anEmail({ onUnknown: 'hold', attempts }), noTransmission())
    await orphaned.run()
    for (const { state } of [lost, orphaned]) {
      assert.deepEqual(statuses(state.stored), ['unknown'])
      assert.equal(state.stored.recipients[0]?.nextAt, null)
    }
  })
})

describe('stopping process', () => {
  it('starts no other transaction, and the remaining recipients stay due', async () => {
    const { state, stopping, run } = bench(anEmail({ recipients: two }), [[null, { kind: 'next_transaction' }]])
    state.beforeGate = () => stopping.abort()
    const delivery = await run()
    assert.deepEqual(statuses(state.stored), ['delivered', 'queued'])
    assert.equal(delivery.kind === 'done' && delivery.nextAt, 0)
  })

  it('uses no try for a connection it ended before the dot', async () => {
    const { deps, state, stopping, run } = bench(anEmail(), noTransmission())
    const results: RecipientResult[] = [{ kind: 'lost_before_dot', reason: 'the process is stopping' }]
    const send = async () => {
      stopping.abort()
      return { host: '', steps: [], results }
    }
    deps.transports = transportsOver({ mailRoute: 'smtp', readsMessage: true, send, close: async () => {} })
    await run()
    assert.deepEqual(statuses(state.stored), ['queued'])
    assert.equal(state.stored.recipients[0]?.tries, 0)
    assert.equal(state.stored.attempts[0]?.outcome, 'lost')
  })
})

describe('memory for messages', () => {
  it('is reserved before the content is read, and returned', async () => {
    const { deps, run } = bench(anEmail(), [[null]])
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
    const { deps, log, state, stopping, run } = bench(anEmail(), noTransmission())
    const budget = budgetOf(1_000_000)
    deps.messageBytes = { transactional: budget, marketing: budgetOf(0) }
    using _ = await budget.take('ws_2', 1_000_000)
    const delivered = run()
    stopping.abort()
    assert.deepEqual(await delivered, { kind: 'done', nextAt: 0 })
    assert.deepEqual(log, ['write, done', 'on disk'])
    assert.deepEqual(statuses(state.stored), ['queued'])
  })

  // Every email used to reserve the largest possible size, so a lane worked on only four at a time.
  it('is reserved for no more than the size in the email’s record', async () => {
    const { deps, run } = bench(anEmail({ messageBytes: 5_000 }), [[null]])
    const budget = budgetOf(1_000_000)
    deps.messageBytes = { transactional: budget, marketing: budgetOf(0) }
    using _ = await budget.take('ws_2', 995_000)
    assert.equal((await run()).kind, 'done')
  })
})

describe('signed mail', () => {
  const signature = (form: string): Uint8Array => Buffer.from(`DKIM-Signature: ${form}\r\n`)
  const heldBy = (reason: string): UnsignableMail => ({
    kind: 'hold',
    cause: 'domain',
    hold: { reason, maxMs: 300_000 },
  })
  const failed = 'The domain mine.com is not verified, so the mail waits.'
  /** Signs with a field that has the length of what it signs. */
  const signing = (over: Partial<Extract<Signing, { kind: 'sign' }>> = {}): Signing => ({
    kind: 'sign',
    domain: 'mine.com',
    returnPath: null,
    sign: async (message) => signature(String(message.length)),
    ...over,
  })
  const mine = (over: Partial<Email> = {}): Email =>
    anEmail({ domainId: 'dom_1', from: { name: '', address: 'a@mine.com' }, ...over })

  it('has the signature of the bytes that are sent, in every transaction', async () => {
    const { state, run } = bench(mine({ recipients: two }), [[null, { kind: 'next_transaction' }], [null]])
    state.signing = signing()
    await run()
    assert.equal(state.sent.length, 2)
    for (const { raw, signatures } of state.sent)
      assert.deepEqual(Buffer.from(signatures ?? []), signature(String(raw.length)))
  })

  it('has a signature of its own in UTF-8', async () => {
    const { state, run } = bench(mine({ replyTo: [{ name: '', address: 'é@example.com' }] }), [[null]])
    state.signing = signing()
    await run()
    const [message] = state.sent
    const utf8 = await message?.utf8?.()
    assert.ok(utf8 && message && utf8.raw.length !== message.raw.length)
    assert.deepEqual(Buffer.from(utf8.signatures ?? []), signature(String(utf8.raw.length)))
  })

  it('is read by the transports or needs no key', async () => {
    for (const readsMessage of [true, false]) {
      const { deps, state } = bench(mine(), [[null]])
      const transports = transportsOver({ ...deps.transports.live.transactional, readsMessage })
      await deliver({ ...deps, transports })({ email: mine(), fence, deaths: 0 })
      assert.deepEqual(state.prepared, [readsMessage])
    }
  })

  it('can be sent by servers with SMTPUTF8 only if the address of its sender needs that', async () => {
    const { state, run } = bench(mine({ from: { name: '', address: 'é@mine.com' } }), [[null]])
    state.signing = signing()
    await run()
    assert.equal(state.sent[0]?.isUtf8Sender, true)
    assert.match(Buffer.from((await state.sent[0].utf8?.())?.raw ?? []).toString(), /^From: é@mine\.com\r$/m)
  })

  for (const [name, returnPath, envelopeFrom, expected] of [
    ['a verified return path', 'bounces.mine.com', 'bounce@bounces.mine.com', 'bounce@bounces.mine.com'],
    ['a return path that is no longer verified', null, 'bounce@bounces.mine.com', 'mail@postrider.test'],
    ['a return path that was verified later', 'bounces.mine.com', 'mail@postrider.test', 'mail@postrider.test'],
    ['no return path', null, 'mail@postrider.test', 'mail@postrider.test'],
  ] as const)
    it(`has the right envelope sender with ${name}`, async () => {
      const { state, run } = bench(mine({ envelopeFrom }), [[null]])
      state.signing = signing({ returnPath })
      await run()
      assert.equal(state.sent[0]?.from, expected)
      assert.equal(state.stored.envelopeFrom, expected)
    })

  const unsignable: [name: string, signing: Signing][] = [
    ['its domain cannot sign', heldBy(failed)],
    ['the signature fails', signing({ sign: async () => heldBy(failed) })],
    [
      'the signature in UTF-8 fails',
      signing({
        sign: async (message) => (/[^\0-\x7f]/.test(Buffer.from(message).toString()) ? heldBy(failed) : signature('x')),
      }),
    ],
  ]
  for (const [name, state0] of unsignable)
    it(`is not sent if ${name}: it waits without a try, and its record has the reason`, async () => {
      const recipients = [aRecipient(), aRecipient({ address: 'é@example.com', tries: 2 })]
      const { log, state, run } = bench(mine({ recipients }), noTransmission())
      state.signing = state0
      assert.deepEqual(await run(), { kind: 'done', nextAt: 6_000 })
      assert.deepEqual(log, ['write, done', 'on disk'])
      const { stored } = state
      assert.deepEqual(
        stored.recipients.map(({ status, reply, tries, nextAt }) => ({ status, reply, tries, nextAt })),
        [0, 2].map((tries) => ({ status: 'deferred', reply: failed, tries, nextAt: 6_000 })),
      )
      assert.deepEqual([stored.attempts, stored.from], [[], { name: '', address: 'a@mine.com' }])
      assert.deepEqual(state.held, [['domain', true]])
    })

  it('is not sent if the signer throws', async () => {
    const { deps, log, state } = bench(mine(), noTransmission())
    const signer = { prepare: () => Promise.reject(new Error('a bug')) }
    await assert.rejects(deliver({ ...deps, signer })({ email: mine(), fence, deaths: 0 }), /a bug/)
    assert.deepEqual([log, state.sent], [[], []])
  })

  /** Delivers the email once, at a time. */
  const attempted = async (email: Email, at: number, as: Signing, scripts: Script[] = []) => {
    const { state, run } = bench(email, scripts)
    Object.assign(state, { at, signing: as })
    const delivery = await run()
    return { ...state, nextAt: delivery.kind === 'done' ? delivery.nextAt : assert.fail('lost') }
  }

  it('is checked again after half of the time that it has waited, with one event for each reason', async () => {
    let email = mine({ createdAt: 0 })
    const pauses: number[] = []
    for (let at = 0; pauses.length < 12; ) {
      const { stored, nextAt } = await attempted(email, at, heldBy(pauses.length < 11 ? failed : 'Another reason.'))
      pauses.push(((nextAt ?? 0) - at) / 1_000)
      at = nextAt ?? 0
      email = stored
    }
    assert.deepEqual(
      pauses.map((seconds) => Math.round(seconds)),
      [5, 5, 5, 8, 11, 17, 25, 38, 57, 85, 128, 192],
    )
    assert.deepEqual(
      email.events.map(({ type, reply }) => [type, reply]),
      [
        ['email.deferred', failed],
        ['email.deferred', 'Another reason.'],
      ],
    )
  })

  it('leaves at the next check after its domain is verified again, with its own sender', async () => {
    const { stored } = await attempted(mine(), 0, heldBy(failed))
    const { stored: delivered, sent } = await attempted(stored, 5_000, signing(), [[null]])
    assert.deepEqual(statuses(delivered), ['delivered'])
    assert.match(Buffer.from(sent[0]?.raw ?? []).toString(), /^From: a@mine\.com\r$/m)
    assert.equal(delivered.held, undefined)
  })

  it('fails at its expires_in with the reason, and releases the sends', async () => {
    const { stored, nextAt } = await attempted(mine({ expiresAt: 3_000 }), 0, heldBy(failed))
    assert.equal(nextAt, 3_000)
    const { stored: ended } = await attempted(stored, 3_000, heldBy(failed))
    assert.deepEqual(statuses(ended), ['failed'])
    assert.equal(ended.recipients[0]?.reply, `Not delivered before expires_in had passed. ${failed}`)
    assert.deepEqual(ended.owed, [0])
  })

  it('fails without expires_in after 7 days', async () => {
    const week = 7 * 86_400_000
    const { stored } = await attempted(mine(), week - 1_000, heldBy(failed))
    assert.deepEqual(
      stored.recipients.map(({ status, nextAt }) => [status, nextAt]),
      [['deferred', week]],
    )
    const { stored: ended } = await attempted(stored, week, heldBy(failed))
    assert.equal(ended.recipients[0]?.reply, `Given up after 7 days without an attempt. ${failed}`)
    assert.deepEqual([statuses(ended), ended.owed], [['failed'], [0]])
  })

  it('waits only for recipients that are due', async () => {
    const later = aRecipient({
      address: 'bob@example.com',
      status: 'deferred',
      nextAt: 60_000,
      tries: 1,
      reply: '451 later',
    })
    const { stored, nextAt } = await attempted(mine({ recipients: [aRecipient(), later] }), 1_000, heldBy(failed))
    assert.equal(nextAt, 6_000)
    assert.deepEqual(stored.recipients[1], later)
  })
})
