import assert from 'node:assert/strict'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { endOrphans, mayRepeat } from './decisions.ts'
import { foldEvents } from './status.ts'

describe('doubt after the final dot', () => {
  it('exists for the recipients that a dead worker had committed', () => {
    const email = endOrphans(anEmail({ attempts: [anAttempt({ committed: [0] })] }), 7)
    assert.equal(mayRepeat(email, [0]), true)
  })

  it('exists after a lost reply', () => {
    const email = anEmail({ attempts: [anAttempt({ committed: [0], outcome: 'unknown' })] })
    assert.equal(mayRepeat(email, [0]), true)
  })

  it('does not exist when the dot was not sent or the server replied', () => {
    for (const attempt of [anAttempt(), anAttempt({ committed: [0], outcome: 'deferred' })]) {
      assert.equal(mayRepeat(endOrphans(anEmail({ attempts: [attempt] }), 7), [0]), false)
    }
  })

  it('covers only the recipients that the server had accepted', () => {
    const email = anEmail({
      recipients: [aRecipient(), aRecipient({ address: 'bob@example.com' })],
      attempts: [anAttempt({ recipients: [0, 1], committed: [1], outcome: 'unknown' })],
    })
    assert.equal(mayRepeat(email, [0]), false)
    assert.equal(mayRepeat(email, [1]), true)
  })
})

describe('orphaned attempt', () => {
  const orphan = [anAttempt({ committed: [0] })]

  it('makes its recipients unknown under hold, with an event', () => {
    const held = endOrphans(anEmail({ onUnknown: 'hold', attempts: orphan }), 7)
    assert.equal(held.recipients[0]?.status, 'unknown')
    assert.equal(held.recipients[0]?.nextAt, null)
    assert.deepEqual(
      held.events.map(({ type, recipient, at }) => ({ type, recipient, at })),
      [{ type: 'email.unknown', recipient: 0, at: 7 }],
    )
  })

  it('leaves its recipients due immediately under retry and uses no try', () => {
    const after = endOrphans(anEmail({ attempts: orphan }), 7)
    assert.deepEqual(
      after.recipients.map(({ status, nextAt, tries }) => ({ status, nextAt, tries })),
      [{ status: 'deferred', nextAt: 0, tries: 0 }],
    )
    assert.deepEqual(foldEvents(after.events, 1), ['deferred'])
  })

  it('ends once, so its recipients do not become unknown again after a person chose retry', () => {
    // Regression: the attempt used to stay without an outcome, and every claim made its recipients unknown again.
    const held = endOrphans(anEmail({ onUnknown: 'hold', attempts: orphan }), 7)
    const resolved = { ...held, recipients: [aRecipient({ status: 'deferred', nextAt: 8 })] }
    assert.equal(endOrphans(resolved, 9), resolved)
    assert.equal(mayRepeat(resolved, [0]), true)
  })

  it('is lost and leaves no doubt when it had not reached its dot', () => {
    const after = endOrphans(anEmail({ onUnknown: 'hold', attempts: [anAttempt()] }), 7)
    assert.equal(after.attempts[0]?.outcome, 'lost')
    assert.equal(after.recipients[0]?.status, 'queued')
  })

  it('does not change recipients with a reply', () => {
    const recipients = [aRecipient({ status: 'delivered', nextAt: null }), aRecipient()]
    const after = endOrphans(
      anEmail({ onUnknown: 'hold', recipients, attempts: [anAttempt({ committed: [0, 1] })] }),
      7,
    )
    assert.deepEqual(
      after.recipients.map(({ status }) => status),
      ['delivered', 'unknown'],
    )
  })
})
