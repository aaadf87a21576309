import assert from 'node:assert/strict'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { answered, busy, delivered, lostAfter, lostBefore, noSuchUser } from '../../../test/support/recipientResults.ts'
import { capturedNotice } from './conversation.ts'
import { withoutSharedRefusals } from './countedResults.ts'
import type { Email, Recipient } from './email.ts'
import type { RecipientResult, Transmission } from './transmission.ts'
import { withCaptureNotice, withTransmission } from './withTransmission.ts'

const timing = { at: 1_000, random: () => 0.5 }

const transmitted = (results: RecipientResult[], over: Partial<Email> = {}): Email => {
  const numbers = results.map((_, number) => number)
  const email = anEmail({
    recipients: numbers.map((number) => aRecipient({ address: `r${number}@example.com` })),
    attempts: [anAttempt({ recipients: numbers })],
    ...over,
  })
  const transmission: Transmission = { host: 'mx:25', steps: [], results }
  return withTransmission(email, 'att_1', numbers, transmission, timing)
}

const statusOf = ({ status, class: replyClass, nextAt }: Recipient) => [status, replyClass, nextAt !== null]

describe('recipient after a transmission', () => {
  const table: [name: string, result: RecipientResult, over: Partial<Email>, expected: unknown[]][] = [
    ['is delivered after 2yz', delivered, {}, ['delivered', null, false]],
    ['is bounced after a permanent refusal', noSuchUser, {}, ['bounced', 'invalid', false]],
    ['is deferred after 4yz', busy, {}, ['deferred', 'transient', true]],
    ['is deferred after a connection lost before the dot', lostBefore, {}, ['deferred', 'transient', true]],
    ['is deferred after a reply lost after the dot by default', lostAfter, {}, ['deferred', 'unknown', true]],
    [
      'is unknown after a reply lost after the dot under hold',
      lostAfter,
      { onUnknown: 'hold' },
      ['unknown', 'unknown', false],
    ],
    ['is unchanged when left to the next transaction', { kind: 'next_transaction' }, {}, ['queued', null, true]],
    ['is unchanged after a closed gate', { kind: 'gate_closed' }, {}, ['queued', null, true]],
    ['fails when the next try would come after expires_in', busy, { expiresAt: 2_000 }, ['failed', 'transient', false]],
  ]
  for (const [name, result, over, expected] of table) {
    it(name, () => {
      const [recipient] = transmitted([result], over).recipients
      assert.ok(recipient)
      assert.deepEqual(statusOf(recipient), expected)
    })
  }

  it('is due at the next step of the schedule, with the try counted', () => {
    const [recipient] = transmitted([busy]).recipients
    assert.equal(recipient?.tries, 1)
    assert.equal(recipient?.nextAt, 1_000 + 5 * 60_000)
  })

  it('fails when the schedule is used up', () => {
    const [recipient] = transmitted([busy], { recipients: [aRecipient({ tries: 8 })] }).recipients
    assert.equal(recipient?.status, 'failed')
    assert.match(recipient?.reply ?? '', /schedule is used up/)
  })
})

describe('email after a transmission', () => {
  it('has the outcome of each recipient', () => {
    const email = transmitted([delivered, noSuchUser, busy])
    assert.deepEqual(
      email.recipients.map(({ status }) => status),
      ['delivered', 'bounced', 'deferred'],
    )
    assert.equal(email.attempts[0]?.outcome, 'partial')
  })

  // Regression: the attempt was bounced, while its recipient was deferred.
  it('has an attempt and a recipient with one outcome when the reply names our return path', () => {
    const disabled = answered(550, '5.2.1', '<bounce@sender.example>: mailbox disabled')
    const { attempts, recipients } = transmitted([disabled], { envelopeFrom: 'bounce@sender.example' })
    assert.deepEqual([attempts[0]?.outcome, recipients[0]?.status], ['deferred', 'deferred'])
  })

  it('has an event for each changed recipient, in sequence', () => {
    const email = transmitted([delivered, { kind: 'next_transaction' }, busy])
    assert.deepEqual(
      email.events.map(({ sequence, type, recipient }) => [sequence, type, recipient]),
      [
        [1, 'email.delivered', 0],
        [2, 'email.deferred', 2],
      ],
    )
  })

  it('leaves no doubt when the gate closed after its write', () => {
    const attempts = [anAttempt({ committed: [0] })]
    const email = transmitted([{ kind: 'gate_closed' }], { attempts, recipients: [aRecipient({ nextAt: 7 })] })
    assert.equal(email.attempts[0]?.committed, null)
    assert.deepEqual(
      email.recipients.map(({ status, nextAt, tries }) => ({ status, nextAt, tries })),
      [{ status: 'deferred', nextAt: 7, tries: 0 }],
    )
    assert.equal(email.events.at(-1)?.type, 'email.deferred')
  })
})

describe('refusal of a session or a message', () => {
  const refusal = (phase: 'greeting' | 'auth', code: number, text: string): RecipientResult => ({
    kind: 'lost_before_dot',
    reason: `mx:25: it refused: ${code} ${text}`,
    refusal: { phase, reply: { code, enhanced: null, text } },
  })
  const at = (phase: 'mail' | 'data' | 'dot', result: RecipientResult): RecipientResult =>
    result.kind === 'answered' ? { ...result, phase } : result

  it('gives a refused session the class of the reply, and retries', () => {
    const classes = [
      refusal('greeting', 554, 'IP address is block listed'),
      refusal('greeting', 554, 'No SMTP service here'),
      refusal('auth', 535, 'Authentication failed'),
      lostBefore,
    ].map((result) => transmitted([result]).recipients[0])
    assert.deepEqual(
      classes.map((one) => [one?.status, one?.class]),
      [
        ['deferred', 'reputation'],
        ['deferred', 'transient'],
        ['deferred', 'policy'],
        ['deferred', 'transient'],
      ],
    )
    assert.match(classes[0]?.reply ?? '', /554 IP address is block listed/)
  })

  // Regression: it used to mark every recipient `invalid`.
  it('defers every recipient when MAIL is refused because of our sender', () => {
    const unknownSender = at('mail', answered(550, '5.1.1', '<bounce@sender.example>: User unknown'))
    const { recipients } = transmitted([unknownSender, unknownSender])
    assert.deepEqual(recipients.map(statusOf), [
      ['deferred', 'policy', true],
      ['deferred', 'policy', true],
    ])
  })

  const noUser = at('dot', noSuchUser)

  it('leaves recipients that are tried alone due, with no try used', () => {
    const [one, two] = withoutSharedRefusals([noUser, noUser], ['a@example.com', 'b@example.com'])
    assert.ok(one && two)
    const email = transmitted([one, two], { attempts: [anAttempt({ recipients: [0, 1], committed: [0, 1] })] })
    assert.deepEqual(
      email.recipients.map(({ status, tries, nextAt }) => [status, tries, nextAt !== null && nextAt <= timing.at]),
      [
        ['deferred', 0, true],
        ['deferred', 0, true],
      ],
    )
    assert.deepEqual([email.attempts[0]?.outcome, email.attempts[0]?.reply], ['deferred', '550 5.1.1 no such user'])
    assert.deepEqual(
      email.events.map(({ type }) => type),
      ['email.deferred', 'email.deferred'],
    )
  })
})

describe('notice of captured mail', () => {
  const table = [
    ['live', 'mailbox', [delivered], true],
    ['live', 'mailbox', [lostBefore, delivered], true],
    ['live', 'mailbox', [lostBefore], false],
    ['live', 'smtp', [delivered], false],
    ['live', 'simulator', [delivered], false],
    ['test', 'mailbox', [delivered], false],
  ] as const
  for (const [mode, route, results, hasNotice] of table)
    it(`is ${hasNotice ? 'added to' : 'absent from'} ${mode} mail after ${results.map(({ kind }) => kind).join(' and ')} by ${route}`, () => {
      const email = withCaptureNotice(anEmail({ mode }), route, results)
      assert.deepEqual(email.notices, hasNotice ? [capturedNotice] : [])
    })

  it('is added once', () => {
    const once = withCaptureNotice(anEmail(), 'mailbox', [delivered])
    assert.equal(withCaptureNotice(once, 'mailbox', [delivered]), once)
  })
})
