import { endAttempt } from './attemptRecord.ts'
import { type EventDraft, withEvents, withRecipients } from './changes.ts'
import { capturedNotice, type MailRouteName } from './conversation.ts'
import { postpone } from './decisions.ts'
import type { Email, EventCause, Recipient } from './email.ts'
import { afterVerdict, type RecipientResult, type Timing, type Transmission, verdictOf } from './transmission.ts'

const triedAlone = 'The server refused the message because of one recipient. Each recipient is tried alone.'
const gateClosed = 'Stopped by us right before the final dot: it was not sent.'

/** Returns the email after a transmission to `numbers`: its attempt ended, and an event for each changed recipient. */
export const withTransmission = (
  email: Email,
  attemptId: string,
  numbers: readonly number[],
  transmission: Transmission,
  timing: Timing,
): Email => {
  const after = withRecipients(email, numbers, (recipient, number) => {
    const result = transmission.results[numbers.indexOf(number)]
    const verdict = result ? verdictOf(result, email, transmission.classify) : null
    return verdict ? afterVerdict(recipient, verdict, email.expiresAt, timing) : recipient
  })
  const drafts = numbers.flatMap((number) => {
    const [before, now] = [email.recipients[number], after.recipients[number]]
    const result = transmission.results[numbers.indexOf(number)]
    return before && now && result ? eventOf(number, before, now, causeOf(result, attemptId)) : []
  })
  const ended = endAttempt(withEvents(after, timing.at, drafts), attemptId, numbers, transmission, timing)
  const complained = withComplaints(ended, attemptId, numbers, transmission, timing.at)
  const stopped = postpone(complained, sentWithout(email, attemptId, numbers, 'gate_closed', transmission), timing.at, {
    reply: gateClosed,
    reason: 'gate_closed',
    attempt: attemptId,
  })
  const alone = { reply: triedAlone, reason: 'tried_alone', attempt: attemptId } as const
  return postpone(stopped, sentWithout(email, attemptId, numbers, 'alone', transmission), timing.at, alone)
}

/**
 * Returns the email after a transmission by a route. Live mail that was stored in the mailbox counts as delivered, so
 * its record must show that no server received it: it gets a notice, once.
 */
export const withCaptureNotice = (
  email: Email,
  mailRoute: MailRouteName,
  results: readonly RecipientResult[],
): Email => {
  const isCaptured = email.mode === 'live' && mailRoute === 'mailbox' && results.some(({ kind }) => kind === 'answered')
  if (!isCaptured || email.notices.includes(capturedNotice)) return email
  return { ...email, notices: [...email.notices, capturedNotice] }
}

/** Returns the reply of the server, or that there was none. */
const causeOf = (result: RecipientResult, attempt: string): EventCause => {
  const reply = 'reply' in result ? result.reply : 'refusal' in result ? result.refusal?.reply : undefined
  if (reply === undefined) return { kind: 'connection', attempt }
  return { kind: 'reply', attempt, code: reply.code, ...(reply.enhanced !== null && { enhanced: reply.enhanced }) }
}

const eventOf = (number: number, before: Recipient, after: Recipient, cause: EventCause): EventDraft[] =>
  before === after
    ? []
    : [
        {
          type: `email.${after.status}` as EventDraft['type'],
          recipient: number,
          ...(after.reply !== null && { reply: after.reply }),
          ...(after.class !== null && { class: after.class }),
          cause,
        },
      ]

/** Returns the recipients that the gate recorded as sent to, although the message was not accepted for them. */
const sentWithout = (
  { attempts }: Email,
  attemptId: string,
  numbers: readonly number[],
  kind: RecipientResult['kind'],
  { results }: Transmission,
): number[] => {
  const committed = attempts.find(({ id }) => id === attemptId)?.committed ?? []
  return numbers.filter((number, index) => results[index]?.kind === kind && committed.includes(number))
}

/** Returns the email with the complaints of recipients that were delivered to, each with its event. */
const withComplaints = (
  email: Email,
  attempt: string,
  numbers: readonly number[],
  { results }: Transmission,
  at: number,
): Email => {
  const complaints = numbers.flatMap((recipient, index) => {
    const result = results[index]
    const reply = result?.kind === 'answered' ? result.complaint : undefined
    return reply === undefined || email.recipients[recipient]?.status !== 'delivered' ? [] : [{ recipient, reply }]
  })
  if (complaints.length === 0) return email
  const cause = { kind: 'system', reason: 'simulated', attempt } as const
  const complained = complaints.reduce(
    (after, { recipient, reply }) =>
      withRecipients(after, [recipient], (one) => ({ ...one, status: 'complained', reply })),
    email,
  )
  return withEvents(
    complained,
    at,
    complaints.map((complaint) => ({ type: 'email.complained', ...complaint, cause })),
  )
}
