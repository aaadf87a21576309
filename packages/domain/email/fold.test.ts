import assert from 'node:assert/strict'
import fc from 'fast-check'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { withCommitted } from './attemptRecord.ts'
import { hasEvents, isStoredLate, withEvents, withFreshEvents, withStoredEvents } from './changes.ts'
import { withoutSharedRefusals } from './countedResults.ts'
import { canceled, endOrphans, expire, isCancelable, resolved } from './decisions.ts'
import { dueRecipients } from './due.ts'
import { type Attempt, type Email, type EventCause, resolutions } from './email.ts'
import { emailStatus, foldEvents, type RecipientStatus } from './status.ts'
import type { RecipientResult } from './transmission.ts'
import { held, suspendedMail } from './waiting.ts'
import { withTransmission } from './withTransmission.ts'

/** One step of an email's life. Numbers select recipients, results and times. */
type Step = { kind: (typeof kinds)[number]; pick: number; waitMs: number; results: number[] }

const kinds = ['attempt', 'die', 'cancel', 'resolve', 'expire', 'hold', 'suspend', 'orphans'] as const

const reply = (code: number, text: string, phase: 'rcpt' | 'dot'): RecipientResult => ({
  kind: 'answered',
  phase,
  reply: { code, enhanced: null, text },
})

const outcomes: readonly RecipientResult[] = [
  reply(250, 'ok', 'dot'),
  reply(550, '5.1.1 no such user', 'rcpt'),
  reply(550, '5.1.1 no such user', 'dot'),
  reply(451, 'later', 'dot'),
  reply(452, '4.2.2 mailbox full', 'dot'),
  { kind: 'lost_before_dot', reason: 'refused' },
  { kind: 'lost_after_dot', reason: 'reset' },
  { kind: 'next_transaction' },
  { kind: 'gate_closed' },
]

const step = fc.record<Step>({
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(100),
  waitMs: fc.constantFrom(0, 1, 600_000, 40_000_000),
  results: fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }),
})

const byKey: EventCause = { kind: 'request', actor: 'key_1' }

const accepted = (
  recipients: number,
  isScheduled: boolean,
  expiresAt: number | null,
  onUnknown: Email['onUnknown'],
): Email => {
  const all = Array.from({ length: recipients }, (_, number) =>
    aRecipient({ address: `r${number}@example.com`, status: isScheduled ? 'scheduled' : 'queued', nextAt: 0 }),
  )
  const [first, ...others] = all
  const suppressed = { ...aRecipient(), status: 'suppressed' as const, nextAt: null }
  const email = anEmail({
    recipients: first && others.length > 0 ? [suppressed, ...others] : all,
    expiresAt,
    onUnknown,
  })
  return withEvents(email, 0, [
    { type: 'email.accepted', recipient: null, cause: byKey },
    ...(isScheduled ? [{ type: 'email.scheduled' as const, recipient: null, cause: byKey }] : []),
    ...(others.length > 0
      ? [{ type: 'email.suppressed' as const, recipient: 0, cause: { kind: 'system', reason: 'suppressed' } as const }]
      : []),
  ])
}

/** Makes an attempt up to the final dot, and ends it unless the worker dies. */
const attempted = (email: Email, at: number, { results, kind, pick }: Step): Email => {
  const numbers = dueRecipients(email, at)
  if (numbers.length === 0) return email
  const id = `att_${email.attempts.length}`
  const fresh: Attempt = {
    id,
    at,
    host: '',
    recipients: numbers,
    outcome: null,
    reply: null,
    possibleDuplicate: false,
    committed: null,
    steps: [],
  }
  const chosen = numbers.map((_, index) => outcomes[(results[index % results.length] ?? 0) % outcomes.length])
  const isCommitted = (result: RecipientResult | undefined): boolean =>
    result !== undefined &&
    ('phase' in result ? result.phase === 'dot' : ['lost_after_dot', 'gate_closed'].includes(result.kind))
  const taken = numbers.filter((_, index) => isCommitted(chosen[index]))
  const begun = { ...email, attempts: [...email.attempts, fresh] }
  const hasGate = taken.length > 0 && (kind === 'attempt' || pick % 2 === 0)
  const sent = hasGate ? withCommitted(begun, id, taken, at) : begun
  if (kind === 'die') return sent
  const transmission = {
    host: 'mx:25',
    steps: [],
    results: withoutSharedRefusals(chosen as RecipientResult[], numbers.map(String)),
  }
  return withTransmission(sent, id, numbers, transmission, { at, random: () => (pick % 10) / 10 })
}

const after = (email: Email, at: number, one: Step): Email => {
  const stored = { email, nextAt: 0, leaseUntil: null, fence: 0, deaths: 0 }
  switch (one.kind) {
    case 'attempt':
    case 'die':
      return attempted(expire(endOrphans(email, at), at), at, one)
    case 'cancel':
      return isCancelable(stored, at) ? canceled(email, at, 'usr_1') : email
    case 'resolve':
      return resolved(email, resolutions[one.pick % resolutions.length] ?? 'retry', at, 'usr_1')
    case 'expire':
      return expire(endOrphans(email, at), at)
    case 'hold':
      return held(endOrphans(email, at), { reason: `reason ${one.pick % 2}`, maxMs: 300_000 }, at)
    case 'suspend': {
      const decided = suspendedMail(email, at)
      return decided.kind === 'ended' ? decided.email : email
    }
    case 'orphans':
      return endOrphans(email, at)
  }
}

/** Returns the statuses that the record has. While an attempt has passed its gate, its recipients are `sending`. */
const statusesOf = ({ recipients, attempts }: Email): RecipientStatus[] => {
  const sending = new Set(attempts.flatMap(({ outcome, committed }) => (outcome === null ? (committed ?? []) : [])))
  return recipients.map(({ status }, number) => (sending.has(number) ? 'sending' : status))
}

describe('the events of an email', () => {
  const lives = fc.record({
    recipients: fc.integer({ min: 1, max: 4 }),
    isScheduled: fc.boolean(),
    expiresAt: fc.constantFrom(null, 1, 50_000_000),
    onUnknown: fc.constantFrom('retry' as const, 'hold' as const),
    steps: fc.array(step, { maxLength: 14 }),
    order: fc.infiniteStream(fc.nat(1_000)),
  })

  it('give the statuses of its record after any sequence of decisions, in any order and repeated', () => {
    fc.assert(
      fc.property(lives, ({ recipients, isScheduled, expiresAt, onUnknown, steps, order }) => {
        let [email, at] = [accepted(recipients, isScheduled, expiresAt, onUnknown), 0]
        for (const one of [null, ...steps]) {
          at += one?.waitMs ?? 0
          if (one) email = after(email, at, one)
          const folded = foldEvents(email.events, recipients)
          assert.deepEqual(folded, statusesOf(email), JSON.stringify(one))
          const arrived = [...email.events, ...email.events]
            .map((event) => ({ event, key: order.next().value as number }))
            .toSorted((a, b) => a.key - b.key)
            .map(({ event }) => event)
          assert.deepEqual(foldEvents(arrived, recipients), folded)
          assert.equal(emailStatus(foldEvents(arrived, recipients)), emailStatus(statusesOf(email)))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('each have a cause and a unique id, and form a sequence without gaps', () => {
    fc.assert(
      fc.property(lives, ({ recipients, isScheduled, expiresAt, onUnknown, steps }) => {
        let [email, at] = [accepted(recipients, isScheduled, expiresAt, onUnknown), 0]
        for (const one of steps) {
          at += one.waitMs
          const next = after(email, at, one)
          assert.deepEqual(next.events.slice(0, email.events.length), email.events, 'an event has changed')
          email = next
        }
        assert.deepEqual(
          email.events.map(({ sequence }) => sequence),
          email.events.map((_, index) => index + 1),
        )
        assert.ok(email.events.every(({ cause }) => cause !== undefined))
        assert.equal(new Set(email.events.map(({ id }) => id)).size, email.events.length)
      }),
    )
  })
})

describe('events that are stored late', () => {
  const email = withEvents(withEvents(anEmail(), 1_000, [{ type: 'email.accepted', recipient: null }]), 2_000, [
    { type: 'email.sent', recipient: 0 },
    { type: 'email.delivered', recipient: 0 },
  ])
  const timesOf = (one: Email): number[] => one.events.map(({ at }) => at)

  it('get the time of the write, and keep their ids', () => {
    const fresh = withFreshEvents(email, 1, 9_000)
    assert.deepEqual(timesOf(fresh), [1_000, 9_000, 9_000])
    assert.deepEqual(
      fresh.events.map(({ id }) => id),
      email.events.map(({ id }) => id),
    )
  })

  it('keep their time if they are recent or stored', () => {
    assert.equal(withFreshEvents(email, 1, 4_000), email)
    assert.equal(withFreshEvents(email, 3, 9_000_000), email)
  })
})

describe('events of a write that had no response', () => {
  const accepted = withEvents(anEmail(), 1_000, [{ type: 'email.accepted', recipient: null }])
  const sent = withEvents(accepted, 2_000, [{ type: 'email.sent', recipient: 0 }])
  const repeated = withEvents(withFreshEvents(sent, 1, 60_000), 61_000, [{ type: 'email.deferred', recipient: 0 }])
  const timesOf = (one: Email): number[] => one.events.map(({ at }) => at)

  for (const [what, stored, late, times] of [
    ['keep their time if they were stored in time', sent, Infinity, [1_000, 2_000, 61_000]],
    ['get a new time, as do those after them, if they were stored late', sent, 1, [1_000, 70_000, 70_000]],
    ['keep the time of the repeated write if they were not stored', accepted, Infinity, [1_000, 60_000, 61_000]],
  ] as const)
    it(what, () => assert.deepEqual(timesOf(withStoredEvents(repeated, stored.events, { late, now: 70_000 })), times))

  for (const [writtenAt, isLate] of [
    [2_000, false],
    [10_000, false],
    [10_001, true],
    [null, false],
  ] as const)
    it(`are ${isLate ? '' : 'not '}late after 2 s if the store made the write at ${writtenAt}`, () =>
      assert.equal(isStoredLate({ at: 2_000 }, writtenAt), isLate))

  it('are found by their ids, even with other times', () => {
    assert.equal(hasEvents(repeated, sent.events), true)
    assert.equal(hasEvents(sent, repeated.events), false)
    const other = withEvents(accepted, 2_000, [{ type: 'email.bounced', recipient: 0 }])
    assert.equal(other.events[1]?.id, sent.events[1]?.id)
    assert.equal(hasEvents(repeated, other.events), false)
  })
})
