import assert from 'node:assert/strict'
import fc from 'fast-check'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { withEvents } from './changes.ts'
import { canceled, expire } from './decisions.ts'
import { dueRecipients, firstDueOf, nextDueOf } from './due.ts'
import type { Email } from './email.ts'
import {
  acceptedAt,
  deliveryTime,
  emailTime,
  firstCheckAt,
  following,
  isRepeated,
  maxAheadMs,
  movedClock,
  nextCheckAt,
  offsetsOn,
  scheduledInStore,
  shownAt,
  unmovedClock,
} from './testClock.ts'
import { suspendedMail } from './waiting.ts'

const now = Date.UTC(2026, 10, 22, 12)
const hourMs = 3_600_000

const waiting = (over: Partial<Email> = {}): Email => anEmail({ mode: 'test', createdAt: now, ...over })
const dueAt = (...times: (number | null)[]): Email =>
  waiting({ recipients: times.map((nextAt) => aRecipient({ nextAt })) })

const offsets = fc.integer({ min: 0, max: maxAheadMs })
const times = fc.array(fc.option(fc.integer({ min: now - 40 * hourMs, max: now + 999 * hourMs })), {
  minLength: 1,
  maxLength: 5,
})

describe('a test clock', () => {
  it('moves only forward, and at most a year ahead', () => {
    const clock = { ...unmovedClock('ws_1'), offset: hourMs, rev: 3 }
    const cases = [
      [{ byMs: hourMs }, 2 * hourMs],
      [{ byMs: 0 }, hourMs],
      [{ to: now + hourMs }, hourMs],
      [{ to: now + hourMs - 1 }, 'in_the_past'],
      [{ to: now + maxAheadMs }, maxAheadMs],
      [{ to: now + maxAheadMs + 1 }, 'too_far_ahead'],
      [{ byMs: maxAheadMs }, 'too_far_ahead'],
    ] as const
    for (const [move, wanted] of cases) {
      const moved = movedClock(clock, move, now)
      assert.equal('problem' in moved ? moved.problem : moved.clock.offset, wanted, JSON.stringify(move))
      if ('clock' in moved) assert.deepEqual([moved.clock.rev, moved.clock.movedAt], [4, now])
    }
  })

  it('is not moved again by a repeated move to the same time', () => {
    const clock = { ...unmovedClock('ws_1'), offset: hourMs, movedAt: now, rev: 1 }
    assert.equal(isRepeated(clock, { to: now + hourMs }), true)
    assert.equal(isRepeated(clock, { to: now + hourMs + 1 }), false)
    assert.equal(isRepeated(clock, { byMs: hourMs }), false)
    assert.equal(isRepeated(unmovedClock('ws_1'), { to: 0 }), false)
  })

  it('is followed for 10 minutes, less and less often, and until a check finds nothing', () => {
    const clock = { ...unmovedClock('ws_1'), offset: hourMs, movedAt: now, rev: 1 }
    let [at, checks] = [firstCheckAt(now), 0]
    for (let next: number | null = at; next !== null; checks++) {
      assert.ok(next - at <= 200_000)
      at = next
      next = nextCheckAt(clock, { now: at, found: 0 })
    }
    assert.ok(at >= now + 600_000 && at <= now + 900_000)
    assert.ok(checks < 30, String(checks))
    // No process ran for a year.
    const late = now + maxAheadMs
    const next = nextCheckAt(clock, { now: late, found: 3 }) ?? 0
    assert.ok(next > late && next <= late + 200_000)
    assert.equal(nextCheckAt(clock, { now: late, found: 0 }), null)
  })

  it('gives the time at which mail was to be sent by the store’s clock', () => {
    const email = waiting({ scheduledAt: now + 9 * hourMs })
    assert.equal(scheduledInStore(waiting()), null)
    assert.equal(scheduledInStore(email), now + 9 * hourMs)
    assert.equal(scheduledInStore(following(email, 2 * hourMs)), now + 7 * hourMs)
  })

  it('sets no clock offset for mail until it is moved', () => {
    assert.equal(offsetsOn(unmovedClock('ws_1')), undefined)
    assert.deepEqual(offsetsOn({ offset: 5 }), { accepted: 5, offset: 5 })
  })

  it('makes mail due earlier by the offset on the store’s clock, and does not change its own times', () => {
    fc.assert(
      fc.property(times, offsets, offsets, (all, first, second) => {
        const email = dueAt(...all)
        const due = firstDueOf(email)
        assert.equal(nextDueOf(email), due)
        const after = following(following(email, first), second)
        assert.equal(nextDueOf(after), due === null ? null : due - second)
        assert.deepEqual({ ...after, clock: undefined }, { ...email, clock: undefined })
      }),
    )
  })

  it('delivers mail exactly when it was due, and never before', () => {
    fc.assert(
      fc.property(times, offsets, (all, offset) => {
        const email = following(dueAt(...all), offset)
        const at = deliveryTime(email, now)
        const isDue = (nextDueOf(email) ?? Infinity) <= now
        assert.equal(at, isDue ? firstDueOf(email) : now + offset)
        assert.equal(dueRecipients(email, at).length > 0, isDue)
      }),
    )
  })

  it('changes nothing of mail without a clock offset: live mail, and test mail before the first move', () => {
    fc.assert(
      fc.property(times, (all) => {
        const email = dueAt(...all)
        assert.deepEqual([emailTime(email, now), deliveryTime(email, now), acceptedAt(email)], [now, now, now])
        assert.equal(nextDueOf(email), firstDueOf(email))
      }),
    )
  })

  it('determines the times of events, while the feed orders them by the time of the store', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(offsets, fc.nat(hourMs)), { minLength: 1, maxLength: 8 }), (moves) => {
        let [email, offset, real] = [waiting(), 0, now]
        for (const [ahead, passedMs] of moves) {
          real += passedMs
          offset = Math.min(maxAheadMs, offset + ahead)
          email = following(email, offset)
          // A retry that was due at any time up to now.
          const at = emailTime(email, real) - Math.floor(ahead / 2)
          email = withEvents(email, at, [{ type: 'email.deferred', recipient: 0 }])
          assert.equal(shownAt(email.events.at(-1) ?? assert.fail()), at)
        }
        const [eventTimes, ids] = [email.events.map((event) => event.at), email.events.map(({ id }) => id)]
        assert.deepEqual(
          eventTimes,
          eventTimes.toSorted((a, b) => a - b),
        )
        assert.deepEqual(ids, ids.toSorted())
        assert.ok(eventTimes.every((at) => at <= real))
      }),
    )
  })

  it('applies to the expiry, cancellation and setting aside of mail', () => {
    const email = following({ ...dueAt(now + 2 * hourMs), expiresAt: now + hourMs }, 3 * hourMs)
    assert.equal(expire(email, deliveryTime(email, now)).recipients[0]?.status, 'failed')
    const [event] = canceled(email, emailTime(email, now), 'usr_1').events
    assert.deepEqual([event?.clockAt, event?.at], [now + 3 * hourMs, now])
    const later = following({ ...dueAt(now + 5 * hourMs), expiresAt: now + 9 * hourMs }, 3 * hourMs)
    assert.deepEqual(suspendedMail(later, now), { kind: 'waits', until: now + 6 * hourMs })
  })
})
