import assert from 'node:assert/strict'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { dropped, isParked, mayHaveArrived } from './decisions.ts'
import { nextDueOf } from './due.ts'
import type { Email, StoredEmail } from './email.ts'
import { foldEvents } from './status.ts'

const statuses = ({ recipients }: Email): string[] => recipients.map(({ status }) => status)
const delivered = aRecipient({ status: 'delivered', nextAt: null })
const sentTo = (over: Partial<Email> = {}): Email =>
  anEmail({ attempts: [anAttempt({ recipients: [0], committed: [0] })], ...over })

describe('parked mail', () => {
  const stored = (over: Partial<StoredEmail> = {}): StoredEmail => ({
    email: anEmail(),
    nextAt: null,
    leaseUntil: null,
    fence: 1,
    deaths: 20,
    ...over,
  })

  it('has 20 deaths, no time, no lease and a recipient that waits', () => {
    assert.equal(isParked(stored()), true)
    const others = [{ deaths: 19 }, { nextAt: 0 }, { leaseUntil: 10 }, { email: anEmail({ recipients: [delivered] }) }]
    for (const over of others) assert.equal(isParked(stored(over)), false, JSON.stringify(over))
  })

  it('may have arrived if an attempt to a waiting recipient ended without a reply after the dot', () => {
    assert.equal(mayHaveArrived(anEmail()), false)
    assert.equal(mayHaveArrived(anEmail({ attempts: [anAttempt()] })), false)
    for (const outcome of [null, 'unknown'] as const)
      assert.equal(mayHaveArrived(anEmail({ attempts: [anAttempt({ outcome, committed: [0] })] })), true)
    assert.equal(mayHaveArrived(anEmail({ attempts: [anAttempt({ outcome: 'deferred', committed: [0] })] })), false)
    assert.equal(mayHaveArrived(sentTo({ onUnknown: 'hold' })), true)
  })
})

describe('dropping parked mail', () => {
  const drop = (email: Email): Email => dropped(email, 7, 'operator')

  it('fails every recipient that waits by request of the operator, and refunds mail without an attempt', () => {
    const after = drop(anEmail({ recipients: [delivered, aRecipient(), aRecipient({ status: 'deferred' })] }))
    assert.deepEqual(statuses(after), ['delivered', 'failed', 'failed'])
    assert.deepEqual([after.owed, nextDueOf(after)], [[1, 2], null])
    assert.deepEqual(
      after.events.map(({ type, recipient, at, cause }) => [type, recipient, at, cause]),
      [1, 2].map((number) => ['email.failed', number, 7, { kind: 'request', actor: 'operator' }]),
    )
    assert.match(after.recipients[1]?.reply ?? '', /^Our workers stopped repeatedly.*ended it\.$/)
  })

  it('refunds neither mail with an attempt nor mail that is not counted, and keeps an owed refund', () => {
    assert.deepEqual(drop(anEmail({ attempts: [anAttempt()] })).owed, [])
    assert.deepEqual(drop(anEmail({ counted: false })).owed, [])
    assert.deepEqual(drop(anEmail({ owed: [1], recipients: [aRecipient(), delivered] })).owed, [1, 0])
  })

  it('ends the attempts of dead workers, and states that the message may have been delivered', () => {
    const after = drop(sentTo())
    assert.deepEqual([statuses(after), after.attempts[0]?.outcome], [['failed'], 'unknown'])
    assert.match(after.recipients[0]?.reply ?? '', /may have been delivered/)
    assert.equal(foldEvents(after.events, 1)[0], 'failed')
  })

  it('makes recipients in doubt unknown under hold, and fails the other recipients', () => {
    const after = drop(sentTo({ onUnknown: 'hold', recipients: [aRecipient(), aRecipient()] }))
    assert.deepEqual([statuses(after), nextDueOf(after)], [['unknown', 'failed'], null])
    assert.deepEqual(foldEvents(after.events, 2), ['unknown', 'failed'])
    const alone = drop(sentTo({ onUnknown: 'hold' }))
    assert.deepEqual([statuses(alone), nextDueOf(alone)], [['unknown'], null])
  })
})
