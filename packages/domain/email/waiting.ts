import { dayMs, durationText } from '../time.ts'
import { withEvents, withRecipients } from './changes.ts'
import { endOrphans, endUnsent, expire } from './decisions.ts'
import { dueRecipients, nextDueOf } from './due.ts'
import type { Email, Recipient } from './email.ts'
import { acceptedAt, deliveryTime } from './testClock.ts'

/** Reason why mail waits without an attempt. */
export type Hold = {
  /** The reason as people read it. */
  reason: string
  /** Maximum time until the next check, in milliseconds. */
  maxMs: number
}

/**
 * Time for which mail without `expires_in` waits from the time when it was due. RFC 5321 §4.5.4.1 recommends at least 4
 * to 5 days; the record of a replaced key also stays for a week (domains/keys.ts).
 */
const maxHoldMs = 7 * dayMs

const firstCheckMs = 5_000

/** Returns when mail that waits is given up. */
const holdEndsAt = (email: Email): number => email.expiresAt ?? (email.scheduledAt ?? acceptedAt(email)) + maxHoldMs

/**
 * Returns an email that could not be signed: its due recipients are due again after half of the time that it has
 * waited, between 5 s and `maxMs`. So mail leaves soon after the cause has ended, and mail is checked seldom that waits
 * for days. No try of the retry schedule is used. The record has the reason, and an event when the reason changes.
 */
export const held = (email: Email, { reason, maxMs }: Hold, at: number): Email => {
  const numbers = dueRecipients(email, at)
  const since = email.held?.since ?? at
  const endsAt = holdEndsAt(email)
  if (at >= endsAt) return givenUp(email, numbers, reason, at)
  const delayMs = Math.min(Math.max((at - since) / 2, firstCheckMs), maxMs)
  const nextAt = Math.min(Math.ceil(at + delayMs), endsAt)
  const wait = (recipient: Recipient): Recipient => ({ ...recipient, status: 'deferred', reply: reason, nextAt })
  const after = { ...withRecipients(email, numbers, wait), held: { reason, since } }
  if (email.held?.reason === reason) return after
  const cause = { kind: 'system', reason: 'held' } as const
  const drafts = numbers.map((recipient) => ({ type: 'email.deferred' as const, recipient, reply: reason, cause }))
  return withEvents(after, at, drafts)
}

const givenUp = (email: Email, numbers: number[], reason: string, at: number): Email => {
  const reply = `Given up after ${durationText(maxHoldMs)} without an attempt. ${reason}`
  return endUnsent(email, numbers, at, { reply, reason: 'hold_ended' })
}

/** Returns the email without its waiting reason, before an attempt. */
export const withoutHold = (email: Email): Email => {
  if (email.held === undefined) return email
  const { held: _, ...rest } = email
  return rest
}

/** Mail that was set aside is checked again after this time, in case its resumption was missed. */
const checkAgainMs = dayMs

/** `ended`: no recipient waits any more. `waits`: it is set aside until then. */
export type SuspendedMail = { kind: 'ended'; email: Email } | { kind: 'waits'; until: number }

/**
 * Decides what becomes of due mail of a suspended workspace: it waits until the workspace is resumed, and fails at
 * `expiresAt`, as it would if its server were unavailable.
 * @param now by the store's clock, as `until`
 */
export const suspendedMail = (email: Email, now: number): SuspendedMail => {
  const at = deliveryTime(email, now)
  const after = expire(endOrphans(email, at), at)
  if (nextDueOf(after) === null) return { kind: 'ended', email: after }
  const expiresAt = (email.expiresAt ?? Infinity) - (email.clock?.offset ?? 0)
  return { kind: 'waits', until: Math.min(expiresAt, now + checkAgainMs) }
}

/**
 * Returns when mail that was set aside is due after its workspace was resumed; null: it was parked, and stays so.
 * @param nextAt its time in the store, for which it was set aside
 */
export const resumedAt = (email: Email, nextAt: number | null): number | null =>
  nextAt === null ? null : nextDueOf(email)
