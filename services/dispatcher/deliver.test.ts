import assert from 'node:assert/strict'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { anEmail, aRecipient } from '../../test/support/anEmail.ts'
import {
  accepted,
  answered,
  deliveryRig,
  fence,
  noTransmission,
  statuses,
  two,
} from '../../test/support/deliveryRig.ts'
import { transportsOver } from '../../test/support/transportsOver.ts'
import { deliver } from './deliver.ts'

describe('deliver', () => {
  it('sends the final dot only when the accepted recipients are on disk', async () => {
    const { log, state, run } = deliveryRig(anEmail(), [[null]])
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
      const { deps, state } = deliveryRig(anEmail({ mode }), [[...results]])
      const { live, test } = deps.transports
      const transports = transportsOver({ ...(mode === 'live' ? live.transactional : test), mailRoute })
      await deliver({ ...deps, transports })({ email: anEmail({ mode }), fence, deaths: 0 })
      assert.deepEqual(
        state.stored.notices.map((notice) => /did not leave the service.*mailbox/.test(notice)),
        hasNotice ? [true] : [],
      )
    })

  it('reads no content for transports that read no message', async () => {
    const { deps, state } = deliveryRig(anEmail(), [[null]])
    const transports = transportsOver({ ...deps.transports.live.transactional, readsMessage: false })
    const emails = { ...deps.emails, content: () => assert.fail('the content was read') }
    await deliver({ ...deps, emails, transports })({ email: anEmail(), fence, deaths: 0 })
    assert.deepEqual(statuses(state.stored), ['delivered'])
    assert.equal(state.sent[0]?.raw.length, 0)
  })

  it('adds the notice once if a delivery needs two transactions', async () => {
    const { deps, state } = deliveryRig(anEmail({ recipients: two }), [[null, { kind: 'next_transaction' }], [null]])
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
    const { state, run } = deliveryRig(anEmail({ recipients }), [[null, null]])
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
    const { state, run } = deliveryRig(anEmail({ recipients }), [[null], [answered(553, '5.6.7'), null]])
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
    const { state, run } = deliveryRig(anEmail({ replyTo: [{ name: '', address: 'é@example.com' }] }), [[null]])
    await run()
    assert.match(Buffer.from((await state.sent[0]?.utf8?.())?.raw ?? []).toString(), /^Reply-To: é@example\.com\r$/m)
  })

  it('stores the reply for each recipient', async () => {
    const { state, run } = deliveryRig(anEmail({ recipients: two }), [[answered(550, '5.1.1 no such user'), null]])
    await run()
    assert.deepEqual(statuses(state.stored), ['bounced', 'delivered'])
    assert.deepEqual(state.stored.attempts[0]?.committed, [1])
  })

  it('writes the first outcome before it starts another transaction for the remaining recipients', async () => {
    const { log, state, run } = deliveryRig(anEmail({ recipients: two }), [
      [null, { kind: 'next_transaction' }],
      [null],
    ])
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

  // Regression: a refusal of the message because of one recipient used to bounce all of them.
  it('tries each recipient alone after the message was refused because of one of them', async () => {
    const three = ['ada', 'bob', 'eve'].map((name) => aRecipient({ address: `${name}@example.com` }))
    const noSuchUser = { ...answered(550, '5.1.1 no such user'), phase: 'dot' } as RecipientResult
    const { log, state, run } = deliveryRig(anEmail({ recipients: three }), [
      [null, null, null],
      [null],
      [null],
      [null],
    ])
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
    const { state, stopping, run } = deliveryRig(anEmail({ recipients: two }), [[null, null]])
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
    const { state, run } = deliveryRig(anEmail({ recipients: two }), [
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
    const { state, run } = deliveryRig(anEmail({ expiresAt: 900 }), noTransmission())
    await run()
    assert.deepEqual(statuses(state.stored), ['failed'])
    assert.deepEqual(state.stored.owed, [0])
    assert.ok(state.done)
  })

  it('does not send an email without content', async () => {
    const { deps, run } = deliveryRig(anEmail(), noTransmission())
    deps.emails.content = async () => null
    await assert.rejects(run(), /no content/)
  })
})
