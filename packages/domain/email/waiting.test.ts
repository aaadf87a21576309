import assert from 'node:assert/strict'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { resumedAt } from './waiting.ts'

describe('mail of a workspace that is resumed', () => {
  const email = anEmail({ recipients: [aRecipient({ status: 'deferred', nextAt: 5_000 })] })

  it('is due at the time of its document', () => {
    assert.equal(resumedAt(email, 90_000), 5_000)
  })

  it('stays parked if it was parked while it was set aside', () => {
    assert.equal(resumedAt(email, null), null)
  })
})
