import assert from 'node:assert/strict'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { canceled, expire, isCancelable, isCanceled, resolved } from './decisions.ts'
import type { Email, StoredEmail } from './email.ts'
import { foldEvents } from './status.ts'

const statuses = ({ recipients }: Email): string[] => recipients.map(({ status }) => status)
const delivered = aRecipient({ status: 'delivered', nextAt: null })
const unknown = aRecipient({ status: 'unknown', nextAt: null })

describe('expiry', () => {
  it('changes nothing before expires_at, or without it', () => {
    for (const email of [anEmail(), anEmail({ expiresAt: 10 })]) assert.equal(expire(email, 9), email)
  })

  it('fails every recipient that still waits and refunds an email without an attempt', () => {
    const expired = expire(anEmail({ expiresAt: 10 }), 10)
    assert.equal(expired.recipients[0]?.status, 'failed')
    assert.equal(expired.recipients[0]?.nextAt, null)
    assert.deepEqual(expired.owed, [0])
    assert.equal(expired.events.at(-1)?.type, 'email.failed')
  })

  it('refunds neither mail with an attempt nor mail that is not counted', () => {
    assert.deepEqual(expire(anEmail({ expiresAt: 10, attempts: [anAttempt()] }), 10).owed, [])
    assert.deepEqual(expire(anEmail({ expiresAt: 10, counted: false }), 10).owed, [])
  })

  it('leaves a delivered recipient delivered', () => {
    const expired = expire(anEmail({ expiresAt: 10, recipients: [delivered, aRecipient()] }), 10)
    assert.deepEqual(statuses(expired), ['delivered', 'failed'])
  })
})

describe('cancellation', () => {
  const stored = (over: Partial<StoredEmail> = {}): StoredEmail => ({
    email: anEmail(),
    nextAt: 0,
    leaseUntil: null,
    fence: 1,
    deaths: 0,
    ...over,
  })

  it('is possible until a worker has leased the email or has made an attempt', () => {
    assert.equal(isCancelable(stored(), 10), true)
    assert.equal(isCancelable(stored({ leaseUntil: 10 }), 10), true)
    assert.equal(isCancelable(stored({ leaseUntil: 11 }), 10), false)
    assert.equal(isCancelable(stored({ email: anEmail({ attempts: [anAttempt()] }) }), 10), false)
  })

  it('is impossible when no recipient waits', () => {
    assert.equal(isCancelable(stored({ email: anEmail({ recipients: [delivered] }) }), 10), false)
  })

  it('ends every recipient that waits and refunds them', () => {
    const suppressed = aRecipient({ status: 'suppressed', nextAt: null })
    const email = canceled(anEmail({ recipients: [suppressed, aRecipient()] }), 7, 'key_1')
    assert.deepEqual(statuses(email), ['suppressed', 'canceled'])
    assert.deepEqual(email.owed, [1])
    assert.deepEqual(
      email.events.map(({ type, recipient, at }) => [type, recipient, at]),
      [['email.canceled', 1, 7]],
    )
    assert.equal(isCanceled(email), true)
    assert.equal(isCanceled(anEmail()), false)
  })
})

describe('resolution of doubt', () => {
  for (const [as, status, nextAt] of [
    ['delivered', 'delivered', null],
    ['failed', 'failed', null],
    ['retry', 'deferred', 7],
  ] as const)
    it(`${as} makes an unknown recipient ${status} and changes no other`, () => {
      const email = resolved(anEmail({ recipients: [delivered, unknown] }), as, 7, 'usr_1')
      assert.deepEqual(statuses(email), ['delivered', status])
      assert.equal(email.recipients[1]?.nextAt, nextAt)
      assert.equal(foldEvents(email.events, 2)[1], status)
    })
})
