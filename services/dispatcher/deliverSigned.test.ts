import assert from 'node:assert/strict'
import type { Email } from '@postrider/domain/email/email.ts'
import { anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { deliveryRig, fence, noTransmission, type Script, statuses, two } from '../../test/support/deliveryRig.ts'
import { transportsOver } from '../../test/support/transportsOver.ts'
import { deliver } from './deliver.ts'
import type { Signing, UnsignableMail } from './signer.ts'

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
    const { state, run } = deliveryRig(mine({ recipients: two }), [[null, { kind: 'next_transaction' }], [null]])
    state.signing = signing()
    await run()
    assert.equal(state.sent.length, 2)
    for (const { raw, signatures } of state.sent)
      assert.deepEqual(Buffer.from(signatures ?? []), signature(String(raw.length)))
  })

  it('has a signature of its own in UTF-8', async () => {
    const { state, run } = deliveryRig(mine({ replyTo: [{ name: '', address: 'é@example.com' }] }), [[null]])
    state.signing = signing()
    await run()
    const [message] = state.sent
    const utf8 = await message?.utf8?.()
    assert.ok(utf8 && message && utf8.raw.length !== message.raw.length)
    assert.deepEqual(Buffer.from(utf8.signatures ?? []), signature(String(utf8.raw.length)))
  })

  it('is read by the transports or needs no key', async () => {
    for (const readsMessage of [true, false]) {
      const { deps, state } = deliveryRig(mine(), [[null]])
      const transports = transportsOver({ ...deps.transports.live.transactional, readsMessage })
      await deliver({ ...deps, transports })({ email: mine(), fence, deaths: 0 })
      assert.deepEqual(state.prepared, [readsMessage])
    }
  })

  it('can be sent by servers with SMTPUTF8 only if the address of its sender needs that', async () => {
    const { state, run } = deliveryRig(mine({ from: { name: '', address: 'é@mine.com' } }), [[null]])
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
      const { state, run } = deliveryRig(mine({ envelopeFrom }), [[null]])
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
      const { log, state, run } = deliveryRig(mine({ recipients }), noTransmission())
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
    const { deps, log, state } = deliveryRig(mine(), noTransmission())
    const signer = { prepare: () => Promise.reject(new Error('a bug')) }
    await assert.rejects(deliver({ ...deps, signer })({ email: mine(), fence, deaths: 0 }), /a bug/)
    assert.deepEqual([log, state.sent], [[], []])
  })

  /** Delivers the email once, at a time. */
  const attempted = async (email: Email, at: number, as: Signing, scripts: Script[] = []) => {
    const { state, run } = deliveryRig(email, scripts)
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
