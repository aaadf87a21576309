import assert from 'node:assert/strict'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { expire } from './expire.ts'

describe('expires_in', () => {
  it('changes nothing while there is time, or no limit', () => {
    for (const email of [anEmail(), anEmail({ expiresAt: 10 })]) assert.equal(expire(email, 9), email)
  })

  it('fails whoever still waits, and gives back what no attempt was made for', () => {
    const expired = expire(anEmail({ expiresAt: 10 }), 10)
    assert.equal(expired.recipients[0]?.status, 'failed')
    assert.equal(expired.recipients[0]?.nextAt, null)
    assert.deepEqual(expired.owed, [0])
    assert.equal(expired.events.at(-1)?.type, 'email.failed')
  })

  it('owes nothing for mail that was tried, or is not counted', () => {
    assert.deepEqual(expire(anEmail({ expiresAt: 10, attempts: [anAttempt()] }), 10).owed, [])
    assert.deepEqual(expire(anEmail({ expiresAt: 10, counted: false }), 10).owed, [])
  })

  it('leaves the delivered delivered', () => {
    const delivered = aRecipient({ status: 'delivered', nextAt: null })
    const expired = expire(anEmail({ expiresAt: 10, recipients: [delivered, aRecipient()] }), 10)
    assert.deepEqual(
      expired.recipients.map(({ status }) => status),
      ['delivered', 'failed'],
    )
  })
})
