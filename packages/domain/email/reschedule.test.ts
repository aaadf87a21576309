import assert from 'node:assert/strict'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { nextDueOf } from './due.ts'
import { rescheduled } from './reschedule.ts'
import { foldEvents } from './status.ts'

const suppressed = aRecipient({ address: 'bob@example.com', status: 'suppressed', nextAt: null })

describe('move to another time', () => {
  it('sets the time of each recipient that waits and of the email, with one event', () => {
    const email = rescheduled(anEmail({ recipients: [aRecipient(), aRecipient()] }), 500, 7, 'key_1')
    assert.deepEqual([email.scheduledAt, nextDueOf(email)], [500, 500])
    assert.deepEqual(
      email.events.map(({ type, at, recipient, cause }) => [type, at, recipient, cause]),
      [['email.scheduled', 7, null, { kind: 'request', actor: 'key_1' }]],
    )
  })

  it('leaves a suppressed recipient as it is, also for a reader of the events', () => {
    const before = anEmail({
      recipients: [suppressed, aRecipient()],
      events: [
        { id: 'evt_1', sequence: 1, type: 'email.accepted', at: 0, recipient: null },
        { id: 'evt_2', sequence: 2, type: 'email.suppressed', at: 0, recipient: 0 },
      ],
    })
    const email = rescheduled(before, 500, 7, 'key_1')
    assert.deepEqual(
      email.recipients.map(({ status, nextAt }) => [status, nextAt]),
      [
        ['suppressed', null],
        ['scheduled', 500],
      ],
    )
    assert.deepEqual(foldEvents(email.events, 2), ['suppressed', 'scheduled'])
  })

  for (const [name, over, expiresAt] of [
    ['that was due immediately', { createdAt: 100, expiresAt: 160 }, 560],
    ['that was scheduled', { createdAt: 100, scheduledAt: 200, expiresAt: 260 }, 560],
    ['without expires_in', { createdAt: 100 }, null],
  ] as const)
    it(`counts expires_in of mail ${name} from the new time`, () => {
      assert.equal(rescheduled(anEmail(over), 500, 150, 'key_1').expiresAt, expiresAt)
    })

  it('returns an unchanged email for its current time', () => {
    const email = anEmail({
      scheduledAt: 500,
      recipients: [aRecipient({ status: 'scheduled', nextAt: 500 }), suppressed],
    })
    assert.equal(rescheduled(email, 500, 7, 'key_1'), email)
  })

  it('ends the hold of mail that could not be signed', () => {
    const held = anEmail({
      held: { reason: 'The key record is missing.', since: 1 },
      recipients: [aRecipient({ status: 'deferred', reply: 'The key record is missing.' })],
    })
    const email = rescheduled(held, 500, 7, 'key_1')
    assert.deepEqual(
      [email.held, email.recipients[0]?.status, email.recipients[0]?.reply],
      [undefined, 'scheduled', null],
    )
  })
})
