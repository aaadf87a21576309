import { nextTry } from '@postrider/mail/backoff.ts'
import { classify } from '@postrider/mail/replies.ts'
import { type EventDraft, withEvents, withRecipients } from '@postrider/ports/changeEmail.ts'
import type { Attempt, Email, Recipient, RecipientStatus, ReplyClass } from '@postrider/ports/emails.ts'
import type { RecipientResult, SmtpReply, Transmission } from '@postrider/ports/transport.ts'

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
  return endAttempt(withEvents(after, timing.at, drafts), attemptId, transmission)
}

const outcomeOf = ({ results }: Transmission): Attempt['outcome'] => {
  if (results.some(({ kind }) => kind === 'lost_after_dot')) return 'unknown'
  if (results.some(({ kind }) => kind === 'gate_closed')) return 'lost'
  const kinds = new Set(
    results.flatMap((result) =>
      result.kind === 'answered' ? [classify(result.reply).outcome] : ['deferred' as const],
    ),
  )
  const [only] = kinds
  return kinds.size === 1 && only ? only : 'partial'
}

const lastReply = ({ results }: Transmission): string | null => {
  const last = results.at(-1)
  if (!last) return null
  if (last.kind === 'answered') return replyText(last.reply)
  return 'reason' in last ? last.reason : null
}

const endAttempt = (email: Email, attemptId: string, transmission: Transmission): Email => ({
  ...email,
  attempts: email.attempts.map((attempt) =>
    attempt.id === attemptId
      ? {
          ...attempt,
          host: transmission.host,
          steps: transmission.steps,
          outcome: outcomeOf(transmission),
          reply: lastReply(transmission),
        }
      : attempt,
  ),
})
