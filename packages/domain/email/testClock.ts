import { dayMs } from '../time.ts'
import { firstDueOf } from './due.ts'
import type { Email, EmailEvent } from './email.ts'

/*
 * The test clock of a workspace. Mail of a test key waits for times of its workspace's test clock: `scheduledAt`,
 * `expiresAt`, `attempts` and `nextAt` of its recipients. `Email.clock` has how far that clock is ahead. Stores use
 * only the store's time: `nextDueOf` returns it, so claims and scans are the same for all mail. When the clock is
 * moved, `following` gives waiting mail its new offset. Live mail has no offset, so all its times are those of the
 * store.
 */

/** Times are milliseconds since the epoch, by the store's clock. */
export type TestClock = {
  workspace: string
  /** How far it is ahead of the store's clock, in milliseconds. */
  offset: number
  /** When it was moved last. */
  movedAt: number
  /** Grows with every move. */
  rev: number
}

/** The longest time that a test clock may be ahead: a year, and a leap day. */
export const maxAheadMs = 366 * dayMs

/** Move of the clock by a caller: forward by some time, or to a time. */
export type ClockMove = { byMs: number } | { to: number }

/** `problem`: why the clock is not moved. */
export type MovedClock = { clock: TestClock } | { problem: 'in_the_past' | 'too_far_ahead' }

/** Returns a workspace's clock that was never moved. */
export const unmovedClock = (workspace: string): TestClock => ({ workspace, offset: 0, movedAt: 0, rev: 0 })

/** Returns whether a move is the last one again: its response was lost. A move by some time is always a new one. */
export const isRepeated = ({ offset, movedAt, rev }: TestClock, move: ClockMove): boolean =>
  rev > 0 && 'to' in move && move.to === movedAt + offset

/** Returns the clock after a move. It goes forward only. */
export const movedClock = (clock: TestClock, move: ClockMove, now: number): MovedClock => {
  const offset = 'to' in move ? move.to - now : clock.offset + move.byMs
  if (offset < clock.offset) return { problem: 'in_the_past' }
  if (offset > maxAheadMs) return { problem: 'too_far_ahead' }
  return { clock: { ...clock, offset, movedAt: now, rev: clock.rev + 1 } }
}

/** How long after a move the service checks for mail behind the clock: longer than any request and any attempt. */
const followedMs = 600_000
const [firstCheckMs, maxWaitMs] = [5_000, 150_000]

/** Returns when the service first checks for mail behind a clock that is moved now. */
export const firstCheckAt = (now: number): number => now + firstCheckMs

/**
 * Returns when the service checks again after a check that found `found` records behind the clock; null: not again. The
 * time between checks grows with the time since the move. The last check is at least `followedMs` after the move, even
 * if no process ran for a while.
 */
export const nextCheckAt = ({ movedAt }: TestClock, { now, found }: { now: number; found: number }): number | null =>
  found === 0 && now - movedAt >= followedMs
    ? null
    : now + Math.min(Math.max(firstCheckMs, (now - movedAt) / 4), maxWaitMs)

/** Returns the clock offset of new mail; undefined: the clock was never moved. */
export const offsetsOn = ({ offset }: Pick<TestClock, 'offset'>): Email['clock'] =>
  offset === 0 ? undefined : { accepted: offset, offset }

/** Returns waiting mail after its clock was moved. */
export const following = (email: Email, offset: number): Email => ({
  ...email,
  clock: { accepted: email.clock?.accepted ?? 0, offset },
})

/** Returns the current time by the clock of an email. @param now by the store's clock */
export const emailTime = ({ clock }: { clock?: Email['clock'] }, now: number): number => now + (clock?.offset ?? 0)

/**
 * Returns the time of a delivery that begins now. Mail of a clock that was moved is delivered at the very time
 * at which it was due, so that its attempts show the schedule, even after a large move.
 * @param now by the store's clock
 */
export const deliveryTime = (email: Pick<Email, 'clock' | 'recipients'>, now: number): number => {
  const at = emailTime(email, now)
  return email.clock === undefined ? at : Math.min(firstDueOf(email) ?? at, at)
}

/** Returns when the email was accepted, by its clock. */
export const acceptedAt = ({ createdAt, clock }: Pick<Email, 'createdAt' | 'clock'>): number =>
  createdAt + (clock?.accepted ?? 0)

/** Returns when mail was to be sent first, by the store's clock; null: immediately. */
export const scheduledInStore = ({ scheduledAt, clock }: Pick<Email, 'scheduledAt' | 'clock'>): number | null =>
  scheduledAt === null ? null : scheduledAt - (clock?.offset ?? 0)

/** Returns the time of an event as the API shows it. */
export const shownAt = ({ at, clockAt }: Pick<EmailEvent, 'at' | 'clockAt'>): number => clockAt ?? at
