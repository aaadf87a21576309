import assert from 'node:assert/strict'
import { anAttempt, anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { holdOrphans, mayRepeat } from './doubt.ts'

describe('doubt after the final dot', () => {
  it('is there for whom a dead worker had committed', () => {
    const email = anEmail({ attempts: [anAttempt({ committed: [0] })] })
    assert.equal(mayRepeat(email, [0]), true)
  })

  it('is there after a lost reply', () => {
    const email = anEmail({ attempts: [anAttempt({ committed: [0], outcome: 'unknown' })] })
    assert.equal(mayRepeat(email, [0]), true)
  })

  it('is not there where the dot was never sent, or the server answered', () => {
    for (const attempt of [anAttempt(), anAttempt({ committed: [0], outcome: 'deferred' })]) {
      assert.equal(mayRepeat(anEmail({ attempts: [attempt] }), [0]), false)
    }
  })

  it('concerns only the recipients the server had taken', () => {
    const email = anEmail({
      recipients: [aRecipient(), aRecipient({ address: 'bob@example.com' })],
      attempts: [anAttempt({ recipients: [0, 1], committed: [1] })],
    })
    assert.equal(mayRepeat(email, [0]), false)
    assert.equal(mayRepeat(email, [1]), true)
  })
})

describe('an orphaned attempt', () => {
  const orphan = [anAttempt({ committed: [0] })]

  it('leaves its recipients unknown under hold, with an event', () => {
    const held = holdOrphans(anEmail({ onUnknown: 'hold', attempts: orphan }), 7)
    assert.equal(held.recipients[0]?.status, 'unknown')
    assert.equal(held.recipients[0]?.nextAt, null)
    assert.deepEqual(
      held.events.map(({ type, recipient, at }) => ({ type, recipient, at })),
      [{ type: 'email.unknown', recipient: 0, at: 7 }],
    )
  })

  it('changes nothing under retry: they stay due, and no try is used', () => {
    const email = anEmail({ attempts: orphan })
    assert.equal(holdOrphans(email, 7), email)
  })

  it('is not asked about again once a person said retry', () => {
    const resolved = anEmail({
      onUnknown: 'hold',
      attempts: [anAttempt({ committed: [0], outcome: 'unknown' })],
      recipients: [aRecipient({ status: 'deferred' })],
    })
    assert.equal(holdOrphans(resolved, 7), resolved)
  })
})
