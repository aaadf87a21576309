import assert from 'node:assert/strict'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import type { Email, Recipient } from './email.ts'
import { settleTransmission } from './outcome.ts'
import type { RecipientResult, Transmission } from './transmission.ts'

const answered = (code: number, enhanced: string, text: string): RecipientResult => ({
  kind: 'answered',
  reply: { code, enhanced, text },
})
const delivered = answered(250, '2.0.0', 'queued as 1')
const noSuchUser = answered(550, '5.1.1', 'no such user')
const busy = answered(451, '4.3.0', 'try later')
const lostBefore: RecipientResult = { kind: 'lost_before_dot', reason: 'connection refused' }
const lostAfter: RecipientResult = { kind: 'lost_after_dot', reason: 'connection closed' }

const timing = { at: 1_000, random: () => 0.5 }

const settled = (results: RecipientResult[], over: Partial<Email> = {}): Email => {
  const numbers = results.map((_, number) => number)
  const email = anEmail({
    recipients: numbers.map((number) => aRecipient({ address: `r${number}@example.com` })),
    attempts: [anAttempt({ recipients: numbers })],
    ...over,
  })
  const transmission: Transmission = { host: 'mx:25', steps: [], results }
  return settleTransmission(email, 'att_1', numbers, transmission, timing)
}

const statusOf = ({ status, class: replyClass, nextAt }: Recipient) => [status, replyClass, nextAt !== null]

describe('what a transmission does to a recipient', () => {
  const table: [name: string, result: RecipientResult, over: Partial<Email>, expected: unknown[]][] = [
    ['2yz delivers', delivered, {}, ['delivered', null, false]],
    ['a final refusal bounces', noSuchUser, {}, ['bounced', 'invalid', false]],
    ['4yz defers', busy, {}, ['deferred', 'transient', true]],
    ['a connection lost before the dot defers', lostBefore, {}, ['deferred', 'transient', true]],
    ['a reply lost after the dot is tried again by default', lostAfter, {}, ['deferred', 'unknown', true]],
    [
      'a reply lost after the dot waits for a person under hold',
      lostAfter,
      { onUnknown: 'hold' },
      ['unknown', 'unknown', false],
    ],
    ['the next transaction changes nothing', { kind: 'next_transaction' }, {}, ['queued', null, true]],
    ['a closed gate changes nothing', { kind: 'gate_closed' }, {}, ['queued', null, true]],
    ['a retry past expires_in fails', busy, { expiresAt: 2_000 }, ['failed', 'transient', false]],
  ]
  for (const [name, result, over, expected] of table) {
    it(name, () => {
      const [recipient] = settled([result], over).recipients
      assert.ok(recipient)
      assert.deepEqual(statusOf(recipient), expected)
    })
  }

  it('defers to the schedule’s next step and counts the try', () => {
    const [recipient] = settled([busy]).recipients
    assert.equal(recipient?.tries, 1)
    assert.equal(recipient?.nextAt, 1_000 + 5 * 60_000)
  })

  it('fails when the schedule is used up', () => {
    const [recipient] = settled([busy], { recipients: [aRecipient({ tries: 8 })] }).recipients
    assert.equal(recipient?.status, 'failed')
    assert.match(recipient?.reply ?? '', /schedule is used up/)
  })
})

describe('what a transmission leaves in the email', () => {
  it('is each recipient’s own outcome', () => {
    const email = settled([delivered, noSuchUser, busy])
    assert.deepEqual(
      email.recipients.map(({ status }) => status),
      ['delivered', 'bounced', 'deferred'],
    )
    assert.equal(email.attempts[0]?.outcome, 'partial')
  })

  it('is an event for each recipient that changed, counted on', () => {
    const email = settled([delivered, { kind: 'next_transaction' }, busy])
    assert.deepEqual(
      email.events.map(({ sequence, type, recipient }) => [sequence, type, recipient]),
      [
        [1, 'email.delivered', 0],
        [2, 'email.deferred', 2],
      ],
    )
  })

  it('is the attempt’s outcome, doubt before all else', () => {
    const outcomes = [
      [delivered],
      [busy],
      [noSuchUser],
      [noSuchUser, lostAfter],
      [{ kind: 'gate_closed' as const }],
      [delivered, { kind: 'next_transaction' as const }],
    ].map((results) => settled(results).attempts[0]?.outcome)
    assert.deepEqual(outcomes, ['delivered', 'deferred', 'bounced', 'unknown', 'lost', 'delivered'])
  })

  it('is nothing in doubt where the gate was closed after it had written', () => {
    const attempts = [anAttempt({ committed: [0] })]
    const email = settled([{ kind: 'gate_closed' }], { attempts, recipients: [aRecipient({ nextAt: 7 })] })
    assert.equal(email.attempts[0]?.committed, null)
    assert.deepEqual(
      email.recipients.map(({ status, nextAt, tries }) => ({ status, nextAt, tries })),
      [{ status: 'deferred', nextAt: 7, tries: 0 }],
    )
    assert.equal(email.events.at(-1)?.type, 'email.deferred')
  })
})
