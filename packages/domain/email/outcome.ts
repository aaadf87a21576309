import { nextTry } from '@postrider/mail/backoff.ts'
import { classify } from '@postrider/mail/replies.ts'
import { type EventDraft, withEvents, withRecipients } from './changes.ts'
import { putOff } from './doubt.ts'
import type { Attempt, Email, Recipient, ReplyClass } from './email.ts'
import type { RecipientStatus } from './status.ts'
import type { RecipientResult, SmtpReply, Transmission } from './transmission.ts'

/** What one transmission did, folded into the email: pure, so that every branch of it is a table in the tests. */
export type Verdict = {
  status: RecipientStatus
  class: ReplyClass | null
  reply: string
  retry: boolean
  counts: boolean
}

const replyText = ({ code, enhanced, text }: SmtpReply): string =>
  [code, enhanced, text].filter((part) => part !== null && part !== '').join(' ')

const ofReply = (reply: SmtpReply): Verdict => {
  const { outcome, class: replyClass } = classify(reply)
  return {
    status: outcome,
    class: outcome === 'delivered' ? null : replyClass,
    reply: replyText(reply),
    retry: outcome === 'deferred',
    counts: true,
  }
}

/** @returns null: nothing happened to this recipient, it stays as it was */
export const verdictOf = (result: RecipientResult, onUnknown: Email['onUnknown']): Verdict | null => {
  switch (result.kind) {
    case 'answered':
      return ofReply(result.reply)
    case 'lost_before_dot':
      return { status: 'deferred', class: 'transient', reply: result.reason, retry: true, counts: true }
    case 'lost_after_dot':
      // RFC 5321 §6.1: the server may have taken the message; nobody can know.
      return onUnknown === 'hold'
        ? { status: 'unknown', class: 'unknown', reply: result.reason, retry: false, counts: true }
        : { status: 'deferred', class: 'unknown', reply: result.reason, retry: true, counts: true }
    case 'next_transaction':
    case 'gate_closed':
      return null
  }
}

export type Timing = { at: number; random: () => number }

/** The recipient after a verdict: when it is tried again, or that the schedule is used up. */
const settle = (recipient: Recipient, verdict: Verdict, expiresAt: number | null, timing: Timing): Recipient => {
  const tries = recipient.tries + 1
  const after = { ...recipient, tries, class: verdict.class, reply: verdict.reply }
  if (!verdict.retry) return { ...after, status: verdict.status, nextAt: null }
  const nextAt = nextTry({ tries, at: timing.at, random: timing.random })
  if (nextAt === null || (expiresAt !== null && nextAt > expiresAt)) {
    const why = nextAt === null ? 'the retry schedule is used up' : 'the next try would come after expires_in'
    return { ...after, status: 'failed', nextAt: null, reply: `${verdict.reply} (given up: ${why})` }
  }
  return { ...after, status: 'deferred', nextAt }
}

const eventOf = (number: number, before: Recipient, after: Recipient): EventDraft[] =>
  before === after
    ? []
    : [
        {
          type: `email.${after.status}` as EventDraft['type'],
          recipient: number,
          ...(after.reply !== null && { reply: after.reply }),
          ...(after.class !== null && { class: after.class }),
        },
      ]

/** The email after a transmission to `numbers`, with its attempt ended and an event for each recipient it changed. */
export const settleTransmission = (
  email: Email,
  attemptId: string,
  numbers: readonly number[],
  transmission: Transmission,
  timing: Timing,
): Email => {
  const after = withRecipients(email, numbers, (recipient, number) => {
    const result = transmission.results[numbers.indexOf(number)]
    const verdict = result ? verdictOf(result, email.onUnknown) : null
    return verdict ? settle(recipient, verdict, email.expiresAt, timing) : recipient
  })
  const drafts = numbers.flatMap((number) => {
    const [before, now] = [email.recipients[number], after.recipients[number]]
    return before && now ? eventOf(number, before, now) : []
  })
  const settled = endAttempt(withEvents(after, timing.at, drafts), attemptId, transmission)
  return putOff(settled, stoppedAtGate(email, attemptId, numbers, transmission), timing.at, gateClosed)
}

const gateClosed = 'Stopped by us right before the final dot: it was not sent.'

/** Recipients whose way through the gate is on record, and whose dot stayed with us all the same. */
const stoppedAtGate = (
  { attempts }: Email,
  attemptId: string,
  numbers: readonly number[],
  { results }: Transmission,
): number[] => {
  const committed = attempts.find(({ id }) => id === attemptId)?.committed ?? []
  return numbers.filter((number, index) => results[index]?.kind === 'gate_closed' && committed.includes(number))
}

/** The results that are one; who was left to the next transaction has none here. */
const decided = ({ results }: Transmission): RecipientResult[] =>
  results.filter(({ kind }) => kind !== 'next_transaction')

const outcomeOf = (transmission: Transmission): Attempt['outcome'] => {
  const results = decided(transmission)
  if (results.some(({ kind }) => kind === 'lost_after_dot')) return 'unknown'
  if (results.some(({ kind }) => kind === 'gate_closed')) return 'lost'
  const kinds = new Set(
    results.map((result) => (result.kind === 'answered' ? classify(result.reply).outcome : 'deferred')),
  )
  const [only] = kinds
  return kinds.size === 1 && only ? only : 'partial'
}

const lastReply = (transmission: Transmission): string | null => {
  const last = decided(transmission).at(-1)
  if (!last) return null
  if (last.kind === 'answered') return replyText(last.reply)
  return 'reason' in last ? last.reason : null
}

const endAttempt = (email: Email, attemptId: string, transmission: Transmission): Email => {
  const { host, steps } = transmission
  const outcome = outcomeOf(transmission)
  const reply = lastReply(transmission)
  const attempts = email.attempts.map((attempt) =>
    attempt.id === attemptId
      ? // Where the gate was closed the dot was never sent, whatever was written on the way to it.
        { ...attempt, host, steps, outcome, reply, committed: outcome === 'lost' ? null : attempt.committed }
      : attempt,
  )
  return { ...email, attempts }
}
