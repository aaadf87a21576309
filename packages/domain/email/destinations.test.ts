import assert from 'node:assert/strict'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { destinationsOf } from './destinations.ts'
import type { Email, StoredEmail } from './email.ts'

const stored = (email: Email): StoredEmail => ({ email, nextAt: 0, leaseUntil: null, fence: 0, deaths: 0 })

describe('destinations of a sample', () => {
  it('count the recipients that wait by domain, most first', () => {
    const mail = [
      anEmail({
        recipients: [
          aRecipient({ address: 'a@One.example', nextAt: 5 }),
          aRecipient({ address: 'b@two.example', nextAt: 11, status: 'deferred' }),
          aRecipient({ address: 'c@three.example', nextAt: null, status: 'delivered' }),
        ],
      }),
      anEmail({ recipients: [aRecipient({ address: 'd@two.example', nextAt: 10 })] }),
    ]
    assert.deepEqual(destinationsOf(mail.map(stored), 10), [
      { domain: 'two.example', recipients: 2, due: 1, deferred: 1, nextAt: 10 },
      { domain: 'one.example', recipients: 1, due: 1, deferred: 0, nextAt: 5 },
    ])
    assert.deepEqual(destinationsOf([], 10), [])
  })

  it('have the times of the store, also of mail on a test clock', () => {
    const email = anEmail({ clock: { accepted: 0, offset: 100 }, recipients: [aRecipient({ nextAt: 105 })] })
    assert.deepEqual(
      destinationsOf([stored(email)], 10).map(({ due, nextAt }) => [due, nextAt]),
      [[1, 5]],
    )
  })
})
