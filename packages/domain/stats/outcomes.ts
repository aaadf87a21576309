import type { Email, EmailEvent } from '../email/email.ts'
import { foldEvents, type RecipientStatus } from '../email/status.ts'
import { acceptedAt, shownAt } from '../email/testClock.ts'

/** Change of a recipient of an email between two times. `was`: null: the email was not accepted yet. */
export type OutcomeChange = {
  recipient: number
  was: RecipientStatus | null
  is: RecipientStatus
  /** Milliseconds to the first attempt, and to the delivery, if it was between the two times. */
  firstAttemptMs: number | null
  deliveryMs: number | null
}

/**
 * Returns whether statistics have this email. Version 0.1 stored no causes, and in MongoDB no index of the events, so
 * that its mail cannot be counted exactly.
 */
export const isCounted = ({ events }: Pick<Email, 'events'>): boolean => events[0]?.cause !== undefined

type Outcome = Pick<OutcomeChange, 'firstAttemptMs' | 'deliveryMs'> & { status: RecipientStatus }

/**
 * Returns how the recipients of an email changed from one time to a later one, by the times of its events in the feed.
 * It depends on events up to `to` only, and changes of adjacent times add up. So it does not matter how often and when
 * the email is read.
 * @param from exclusive
 * @param to inclusive
 */
export const changesOf = (email: Email, from: number, to: number): OutcomeChange[] => {
  const after = outcomesAt(email, to)
  const before = outcomesAt(email, from)
  return after.flatMap(({ status, firstAttemptMs, deliveryMs }, recipient) => {
    const was = before[recipient]
    const change = {
      recipient,
      was: was?.status ?? null,
      is: status,
      firstAttemptMs: was?.firstAttemptMs == null ? firstAttemptMs : null,
      deliveryMs: was?.deliveryMs == null ? deliveryMs : null,
    }
    const isSame = change.was === status && change.firstAttemptMs === null && change.deliveryMs === null
    return isSame ? [] : [change]
  })
}

/** Returns the outcome of each recipient at a time; empty: the email was not accepted yet. */
const outcomesAt = (email: Email, at: number): Outcome[] => {
  const [first] = email.events
  if (first === undefined || first.at > at || !isCounted(email)) return []
  const events = email.events.filter((event) => event.at <= at)
  const outcomes = foldEvents(events, email.recipients.length).map(
    (status): Outcome => ({ status, firstAttemptMs: null, deliveryMs: null }),
  )
  for (const event of events) {
    const outcome = event.recipient === null ? undefined : outcomes[event.recipient]
    if (outcome === undefined) continue
    outcome.firstAttemptMs ??= firstAttempt(email, event)
    outcome.deliveryMs ??= delivery(email, event)
  }
  return outcomes
}

/** When the email was to be sent, by its own clock: latencies begin then. It does not move after the first attempt. */
const startOf = (email: Email): number => Math.max(acceptedAt(email), email.scheduledAt ?? 0)

/**
 * Returns the time to the attempt that caused an event; null: none did. An attempt counts from the first event that it
 * caused, because that is stored with it. The duration ends at the start of the attempt.
 */
const firstAttempt = (email: Email, event: EmailEvent): number | null => {
  const attempt = event.cause !== undefined && 'attempt' in event.cause ? event.cause.attempt : undefined
  if (attempt === undefined) return null
  const begin = email.attempts.find(({ id }) => id === attempt)?.at ?? shownAt(event)
  return Math.max(0, begin - startOf(email))
}

/** Returns the time to a delivery. What a person resolved has none. */
const delivery = (email: Email, event: EmailEvent): number | null =>
  event.type === 'email.delivered' && event.cause?.kind !== 'request'
    ? Math.max(0, shownAt(event) - startOf(email))
    : null
