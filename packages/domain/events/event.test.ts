import assert from 'node:assert/strict'
import fc from 'fast-check'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { withEvents } from '../email/changes.ts'
import { type EventCause, emailEventTypes } from '../email/email.ts'
import { eventTypes, publicEmailEvent, shownCause } from './event.ts'

const maxBytes = 20_000
const shown = (value: unknown): string => JSON.stringify(value)

describe('public event', () => {
  const email = withEvents(anEmail({ tags: { team: 'a' }, metadata: { order: '7' } }), 5, [
    { type: 'email.accepted', recipient: null, cause: { kind: 'request', actor: 'key_1' } },
    { type: 'email.deferred', recipient: 0, reply: '451 later', class: 'transient' },
  ])

  it('has the labels of its email, and its members in a fixed order', () => {
    const [first, second] = email.events
    assert.ok(first && second)
    const event = publicEmailEvent(email, first)
    assert.deepEqual(Object.keys(event), ['id', 'type', 'at', 'workspace', 'mode', 'data'])
    assert.equal(
      shown(event.data),
      shown({
        email_id: email.id,
        recipient: null,
        sequence: 1,
        mode: email.mode,
        category: email.category,
        message_id: email.messageId,
        reply: null,
        class: null,
        cause: { type: 'request', actor: { type: 'key', id: 'key_1' } },
        tags: { team: 'a' },
        metadata: { order: '7' },
      }),
    )
    const { recipient, sequence, reply, class: replyClass, cause } = publicEmailEvent(email, second).data
    assert.deepEqual(
      [recipient, sequence, reply, replyClass, cause],
      [email.recipients[0]?.address, 2, '451 later', 'transient', null],
    )
  })

  it('is marked if the personal data of its email are stored only until the email is final', () => {
    const [event] = email.events
    assert.ok(event)
    const marks = (['none', 'metadata', 7, undefined] as const).map(
      (retention) => publicEmailEvent({ ...email, ...(retention && { retention }) }, event).isShortLived,
    )
    assert.deepEqual(marks, [true, undefined, undefined, undefined])
  })

  const causes: [EventCause, object][] = [
    [
      { kind: 'request', actor: 'usr_1' },
      { type: 'request', actor: { type: 'user', id: 'usr_1' } },
    ],
    [
      { kind: 'request', actor: 'operator' },
      { type: 'request', actor: { type: 'operator', id: null } },
    ],
    [
      { kind: 'request', actor: 'system' },
      { type: 'request', actor: { type: 'system', id: null } },
    ],
    [
      { kind: 'attempt', attempt: 'att_1' },
      { type: 'attempt', attempt_id: 'att_1' },
    ],
    [
      { kind: 'connection', attempt: 'att_1' },
      { type: 'connection', attempt_id: 'att_1' },
    ],
    [
      { kind: 'reply', attempt: 'att_1', code: 550, enhanced: '5.1.1' },
      { type: 'reply', attempt_id: 'att_1', code: 550, enhanced_code: '5.1.1' },
    ],
    [
      { kind: 'reply', attempt: 'att_1', code: 421 },
      { type: 'reply', attempt_id: 'att_1', code: 421, enhanced_code: null },
    ],
    [
      { kind: 'system', reason: 'expired' },
      { type: 'system', reason: 'expired', attempt_id: null },
    ],
  ]
  for (const [cause, expected] of causes)
    it(`shows the cause ${JSON.stringify(cause)}`, () => assert.deepEqual(shownCause({ cause }), expected))

  it('has no cause if an earlier release wrote it', () => assert.equal(shownCause({}), null))

  it('has fewer than 20,000 bytes for any labels and replies', () => {
    const text = (max: number) =>
      fc.oneof(
        fc
          .constantFrom('"', '\u0001', 'x', '€', '\\', '😀')
          .chain((char) => fc.nat(max).map((count) => char.repeat(count))),
        fc.string({ maxLength: max }),
      )
    const labels = (keys: number, max: number) =>
      fc.dictionary(fc.string({ maxLength: 30 }), text(max), { maxKeys: keys })
    fc.assert(
      fc.property(labels(20, 10_000), labels(10, 256), text(70_000), (metadata, tags, reply) => {
        const long = anEmail({
          metadata,
          tags,
          recipients: [aRecipient({ address: `${'a'.repeat(64)}@${'b'.repeat(250)}` })],
        })
        const [event] = withEvents(long, 5, [{ type: 'email.bounced', recipient: 0, reply }]).events
        assert.ok(event)
        const { id, type, data } = publicEmailEvent(long, event)
        const bytes = Buffer.byteLength(shown({ id, type, timestamp: '2026-11-21T10:00:00.000Z', data }))
        assert.ok(bytes < maxBytes, String(bytes))
      }),
      { numRuns: 300 },
    )
  })

  // A reply was cut in the middle of an emoji. The body then had the escape of half a character, which JSON parsers of
  // receivers refuse, so the event was never accepted.
  for (const [what, length] of [
    ['short', 1_200],
    ['next to labels that do not fit', 200],
  ] as const)
    it(`has whole characters only in a reply that is cut: ${what}`, () => {
      const metadata = what === 'short' ? {} : { key: '\u0001'.repeat(10_000) }
      for (let before = 0; before < 4; before++) {
        const reply = `${'x'.repeat(before)}${'😀'.repeat(length)}`
        const [event] = withEvents(anEmail(), 5, [{ type: 'email.bounced', recipient: 0, reply }]).events
        assert.ok(event)
        assert.doesNotMatch(JSON.stringify(publicEmailEvent(anEmail({ metadata }), event).data), /\\ud[89a-f]/)
      }
    })

  it('has all of the labels that a send without escaped characters may have', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key${n}`, 'x'.repeat(500)]))
    const tags = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}`.repeat(256), 'y'.repeat(256)]))
    const [event] = withEvents(anEmail(), 5, [{ type: 'email.bounced', recipient: 0, reply: 'x'.repeat(5_000) }]).events
    assert.ok(event)
    const { data } = publicEmailEvent(anEmail({ metadata, tags }), event)
    assert.deepEqual([data['metadata'], data['tags'], data['truncated']], [metadata, tags, undefined])
  })
})

describe('types of events', () => {
  it('are those of the contract', () => {
    const ofEmails =
      'accepted scheduled sent delivered deferred bounced failed suppressed canceled unknown complained opened clicked unsubscribed'
    assert.deepEqual(
      [...emailEventTypes],
      ofEmails.split(' ').map((name) => `email.${name}`),
    )
    assert.deepEqual(eventTypes.slice(emailEventTypes.length), [
      'domain.verified',
      'domain.failed',
      'quota.warning',
      'quota.exhausted',
      'webhook.disabled',
    ])
  })
})
