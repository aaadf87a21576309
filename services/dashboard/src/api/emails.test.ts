import assert from 'node:assert/strict'
import { isCancelable, isFinal } from './emails.ts'

describe('status of an email', () => {
  it('is final if no recipient is open', () => {
    assert.equal(isFinal('unknown'), false)
    assert.equal(isFinal('partially_delivered'), true)
  })

  // The menu did not offer to cancel mail that waits for its domain, although the API accepts it.
  it('permits a cancel for deferred mail without an attempt', () => {
    assert.equal(isCancelable({ status: 'deferred', attempts: [] }), true)
    assert.equal(isCancelable({ status: 'sending', attempts: [] }), false)
    assert.equal(isCancelable({ status: 'canceled', attempts: [] }), false)
  })
})
