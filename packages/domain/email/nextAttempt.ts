import { maxEmailAttempts } from '@postrider/mail/retrySchedule.ts'
import { isoTime } from '../time.ts'
import { nextDueOf } from './due.ts'
import type { Email, EventCause, Recipient, StoredEmail } from './email.ts'
import { recipientStatusAt } from './status.ts'
import { emailTime } from './testClock.ts'

/** Reason why a recipient is, or is not, tried again. */
export const nextReasons = [
  'scheduled',
  'due',
  'in_progress',
  'retry',
  'held',
  'worker_died',
  'gate_closed',
  'tried_alone',
  'resolved',
  'workspace_suspended',
  'parked',
  'decision_needed',
  'final',
] as const
export type NextReason = (typeof nextReasons)[number]

/** `at`: null where no time is known. `detail`: for people. */
export type NextAttempt = { at: number | null; reason: NextReason; detail: string }

/**
 * Returns when a recipient is tried next and why, from what the record has, for a reader at `now` by the store's clock.
 */
export const nextAttemptOf = (stored: StoredEmail, number: number, now: number): NextAttempt => {
  const { email } = stored
  const recipient = email.recipients[number]
  if (!recipient) throw new Error('there is no such recipient')
  const { nextAt } = recipient
  if (recipient.status === 'unknown')
    return none('decision_needed', 'The reply was lost, and a person decides (resolve).')
  if (nextAt === null) return none('final', finalText(email, number, recipient))
  if (recipientStatusAt(recipient, stored, now) === 'sending')
    return none('in_progress', 'A worker is delivering the email now.')
  if (stored.nextAt === null)
    return none('parked', 'Too many workers stopped while delivering the email; it waits for the operator.')
  const isSetAside = stored.leaseUntil === null && stored.nextAt > (nextDueOf(email) ?? stored.nextAt)
  if (isSetAside) return none('workspace_suspended', 'The workspace is suspended; its mail waits until it is resumed.')
  return { at: nextAt, ...waitOf(email, number, recipient, emailTime(email, now)) }
}

/**
 * Returns the first attempt that follows for one of the recipients; else why none does: the first reason that is not
 * `final`.
 */
export const firstNextAttempt = (all: readonly NextAttempt[]): NextAttempt => {
  const [earliest] = all.filter(({ at }) => at !== null).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
  const first = earliest ?? all.find(({ reason }) => reason !== 'final') ?? all[0]
  if (!first) throw new Error('an email has no recipient')
  return first
}

const none = (reason: NextReason, detail: string): NextAttempt => ({ at: null, reason, detail })

const finalText = ({ events }: Email, number: number, { status, reply }: Recipient): string => {
  const cause = causeFor(events, number)
  const why = cause?.kind === 'system' && cause.reason !== status ? ` (${cause.reason})` : ''
  return `The recipient is ${status}${why}; no attempt follows.${reply === null ? '' : ` ${reply}`}`
}

/** Returns the cause of the last event about a recipient; undefined: none is recorded. */
const causeFor = (events: Email['events'], number: number): EventCause | undefined =>
  events.findLast(({ recipient }) => recipient === null || recipient === number)?.cause

type Wait = Pick<NextAttempt, 'reason' | 'detail'>

const waitOf = (email: Email, number: number, recipient: Recipient, now: number): Wait => {
  const { status, nextAt, tries, reply } = recipient
  const isDue = (nextAt ?? 0) <= now
  const until = isoTime(nextAt ?? 0)
  if (status === 'scheduled' && !isDue) return { reason: 'scheduled', detail: `It is scheduled for ${until}.` }
  if (status !== 'deferred') return { reason: 'due', detail: 'It is due and waits for a free worker.' }
  if (email.held !== undefined) {
    return { reason: 'held', detail: `${email.held.reason} It has waited since ${isoTime(email.held.since)}.` }
  }
  const cause = causeFor(email.events, number)
  if (cause?.kind === 'request') return { reason: 'resolved', detail: 'A person decided to send it again.' }
  if (cause?.kind === 'system' && isOfAttempt(cause.reason)) return { reason: cause.reason, detail: reply ?? '' }
  const after = reply === null ? '' : ` The last one: ${reply}`
  return { reason: 'retry', detail: `Try ${tries + 1} of ${maxEmailAttempts} of the retry schedule.${after}` }
}

const isOfAttempt = (reason: string): reason is 'worker_died' | 'gate_closed' | 'tried_alone' =>
  reason === 'worker_died' || reason === 'gate_closed' || reason === 'tried_alone'
