import assert from 'node:assert/strict'
import fc from 'fast-check'
import { cancelableStatuses, emailStatus, foldEvents, statusAt, unleasedStatus, waitingStatuses } from './status.ts'

const derived: [Parameters<typeof emailStatus>[0], ReturnType<typeof emailStatus>][] = [
  [['scheduled'], 'scheduled'],
  [['queued'], 'queued'],
  [['sending', 'queued'], 'queued'],
  [['delivered', 'sending'], 'sending'],
  [['delivered', 'deferred', 'bounced'], 'deferred'],
  [['deferred', 'unknown'], 'deferred'],
  [['delivered', 'unknown'], 'unknown'],
  [['delivered', 'delivered'], 'delivered'],
  [['delivered', 'bounced'], 'partially_delivered'],
  [['suppressed', 'delivered'], 'partially_delivered'],
  [['canceled', 'bounced'], 'bounced'],
  [['suppressed', 'failed'], 'failed'],
  [['canceled', 'suppressed'], 'suppressed'],
  [['canceled'], 'canceled'],
  [['complained'], 'delivered'],
  [['complained', 'delivered'], 'delivered'],
  [['bounced', 'complained'], 'partially_delivered'],
  [['complained', 'deferred'], 'deferred'],
]

describe('emailStatus', () => {
  for (const [statuses, expected] of derived) {
    it(`${statuses.join(' + ')} is ${expected}`, () => assert.equal(emailStatus(statuses), expected))
  }
})

const event = (sequence: number, name: string, recipient: number | null) =>
  ({ id: `evt_${sequence}`, sequence, type: `email.${name}`, recipient }) as const

const folded: [string, ReturnType<typeof event>[], string[]][] = [
  ['nothing yet', [], ['queued', 'queued']],
  ['accepted', [event(1, 'accepted', null)], ['queued', 'queued']],
  ['scheduled', [event(1, 'accepted', null), event(2, 'scheduled', null)], ['scheduled', 'scheduled']],
  ['one suppressed', [event(1, 'accepted', null), event(2, 'suppressed', 1)], ['queued', 'suppressed']],
  ['tried twice', [event(2, 'deferred', 0), event(4, 'delivered', 0), event(3, 'sent', 0)], ['delivered', 'queued']],
  ['bounced later', [event(2, 'delivered', 0), event(3, 'bounced', 0)], ['bounced', 'queued']],
  ['opened later', [event(2, 'delivered', 0), event(3, 'opened', 0)], ['delivered', 'queued']],
  ['complained later', [event(2, 'delivered', 0), event(3, 'complained', 0)], ['complained', 'queued']],
  ['a recipient that does not exist', [event(2, 'delivered', 7)], ['queued', 'queued']],
]

const names = ['accepted', 'sent', 'delivered', 'deferred', 'bounced', 'failed', 'unknown', 'canceled', 'opened']

describe('foldEvents', () => {
  for (const [name, events, expected] of folded) {
    it(`${name}: ${expected.join(', ')}`, () => assert.deepEqual(foldEvents(events, 2), expected))
  }

  it('returns the same for any order and repetition of the same events', () => {
    const history = fc
      .array(fc.record({ name: fc.constantFrom(...names), recipient: fc.option(fc.nat(2)) }), { maxLength: 12 })
      .map((drafts) => drafts.map(({ name, recipient }, index) => event(index + 1, name, recipient)))
    const shuffled = history.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2, maxLength: events.length * 2 }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([events, arrived]) => {
        assert.deepEqual(foldEvents(arrived, 3), foldEvents(events, 3))
      }),
    )
  })
})

describe('status while an email is not leased', () => {
  it('is what a reader sees without a lease', () => {
    const recipients = [
      { status: 'queued', nextAt: 1 },
      { status: 'delivered', nextAt: null },
    ] as const
    assert.equal(unleasedStatus({ recipients }), 'queued')
    assert.equal(unleasedStatus({ recipients }), statusAt({ email: { recipients }, leaseUntil: null }, 2))
    assert.equal(statusAt({ email: { recipients }, leaseUntil: 3 }, 2), 'sending')
  })
})

describe('sets of statuses', () => {
  it('are derived from the open ones', () => {
    assert.deepEqual(waitingStatuses, ['scheduled', 'queued', 'sending', 'deferred'])
    assert.deepEqual(cancelableStatuses, ['scheduled', 'queued', 'deferred'])
  })
})
