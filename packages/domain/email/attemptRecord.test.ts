import assert from 'node:assert/strict'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { answered, busy, delivered, lostAfter, lostBefore, noSuchUser } from '../../../test/support/recipientResults.ts'
import { endAttempt, newAttempt, withCommitted } from './attemptRecord.ts'
import type { Attempt, Email } from './email.ts'
import type { RecipientResult, Timing, Transmission } from './transmission.ts'
import { withTransmission } from './withTransmission.ts'

const timing: Timing = { at: 1_000, random: () => 0.5 }

type Given = { email?: Partial<Email>; timing?: Partial<Timing>; transmission?: Partial<Transmission> }

/** Returns the record of the attempt after these results. */
const ended = (results: RecipientResult[], given: Given = {}): Attempt => {
  const numbers = results.map((_, number) => number)
  const email = anEmail({ attempts: [anAttempt({ recipients: numbers })], ...given.email })
  const transmission = { host: 'mx:25', steps: [], results, ...given.transmission }
  const [attempt] = endAttempt(email, 'att_1', numbers, transmission, { ...timing, ...given.timing }).attempts
  return attempt ?? assert.fail()
}

describe('new attempt', () => {
  const route = { name: 'smtp', reason: 'operator_route' } as const

  it('has no outcome, and its route and recipients', () => {
    const attempt = newAttempt(anEmail({ recipients: [aRecipient()] }), 'att_7', [0], route, 5_000)
    const { id, at, recipients, outcome, committed, possibleDuplicate } = attempt
    assert.deepEqual([id, at, recipients, outcome, committed, attempt.route], ['att_7', 5_000, [0], null, null, route])
    assert.equal(possibleDuplicate, false)
  })

  it('may be a duplicate after a reply was lost', () => {
    const before = anEmail({ attempts: [anAttempt({ recipients: [0], committed: [0] })], recipients: [aRecipient()] })
    const email = withTransmission(before, 'att_1', [0], { host: 'mx:25', steps: [], results: [lostAfter] }, timing)
    assert.equal(newAttempt(email, 'att_8', [0], route, 5_000).possibleDuplicate, true)
  })
})

describe('attempt right before its final dot', () => {
  it('has the recipients that the server accepted, each with an event', () => {
    const before = anEmail({ attempts: [anAttempt({ id: 'att_0' }), anAttempt({ recipients: [0, 1, 2] })] })
    const { attempts, events } = withCommitted(before, 'att_1', [0, 2], 900)
    assert.deepEqual(
      attempts.map(({ committed }) => committed),
      [null, [0, 2]],
    )
    assert.deepEqual(
      events.map(({ type, recipient, at }) => [type, recipient, at]),
      [
        ['email.sent', 0, 900],
        ['email.sent', 2, 900],
      ],
    )
  })
})

describe('ended attempt', () => {
  it('has an outcome that is unknown when any recipient is in doubt', () => {
    const outcomes = [
      [delivered],
      [busy],
      [noSuchUser],
      [delivered, noSuchUser],
      [noSuchUser, lostAfter],
      [{ kind: 'gate_closed' as const }],
      [delivered, { kind: 'next_transaction' as const }],
    ].map((results) => ended(results).outcome)
    assert.deepEqual(outcomes, ['delivered', 'deferred', 'bounced', 'partial', 'unknown', 'lost', 'delivered'])
  })

  // Regression: the attempt was bounced, while its recipient was deferred.
  it('has the outcome of its recipients when the reply names our return path', () => {
    const disabled = answered(550, '5.2.1', '<bounce@sender.example>: mailbox disabled')
    assert.equal(ended([disabled], { email: { envelopeFrom: 'bounce@sender.example' } }).outcome, 'deferred')
  })

  it('has the last reply of those that decided', () => {
    const replies = [[noSuchUser, { kind: 'next_transaction' as const }], [delivered, lostBefore], []].map(
      (results) => ended(results).reply,
    )
    assert.deepEqual(replies, ['550 5.1.1 no such user', 'connection refused', null])
  })

  it('has its duration by the clock of the store, unless the transmission has another', () => {
    const attempts = [anAttempt({ at: 400 })]
    assert.equal(ended([delivered], { email: { attempts } }).durationMs, 600)
    assert.equal(ended([delivered], { email: { attempts }, timing: { durationMs: 7 } }).durationMs, 7)
  })

  it('leaves no doubt when the gate closed after its write', () => {
    const attempts = [anAttempt({ committed: [0] })]
    assert.equal(ended([{ kind: 'gate_closed' }], { email: { attempts } }).committed, null)
    assert.deepEqual(ended([lostAfter], { email: { attempts } }).committed, [0])
  })

  it('has a refusal for each decision, with the recipients that share it', () => {
    const refusals = (results: RecipientResult[]) =>
      ended(results).refusals?.map(({ recipients, class: replyClass, phase }) => [recipients, replyClass, phase])
    assert.equal(refusals([delivered, delivered]), undefined)
    assert.deepEqual(refusals([noSuchUser, delivered, noSuchUser, busy]), [
      [[0, 2], 'invalid', 'rcpt'],
      [[3], 'transient', 'rcpt'],
    ])
    assert.deepEqual(refusals([lostBefore, lostAfter]), [
      [[0], 'transient', null],
      [[1], 'unknown', null],
    ])
  })
})
