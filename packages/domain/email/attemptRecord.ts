import { classify } from '@postrider/mail/replies/replies.ts'
import { withEvents } from './changes.ts'
import type { ChosenMailRoute, RefusalVerdict } from './conversation.ts'
import { mayRepeat } from './decisions.ts'
import type { Attempt, Email } from './email.ts'
import {
  type Classify,
  type RecipientResult,
  refusalOf,
  replyText,
  senderFor,
  type Timing,
  type Transmission,
} from './transmission.ts'

/* The record of an attempt: at its start, right before its final dot, and at its end. */

/**
 * Returns the attempt for recipients at its start, as it is until it ends or its worker dies.
 * @param at by the clock of its delivery (`deliveryTime`)
 */
export const newAttempt = (
  email: Email,
  id: string,
  numbers: readonly number[],
  route: ChosenMailRoute,
  at: number,
): Attempt => ({
  id,
  at,
  host: '',
  recipients: [...numbers],
  outcome: null,
  reply: null,
  possibleDuplicate: mayRepeat(email, numbers),
  committed: null,
  steps: [],
  route,
})

/**
 * Returns the email right before the final dot of an attempt: from now on the recipients that the server accepted may
 * have the mail.
 */
export const withCommitted = (email: Email, attemptId: string, accepted: readonly number[], at: number): Email => {
  const attempts = email.attempts.map((attempt) =>
    attempt.id === attemptId ? { ...attempt, committed: [...accepted] } : attempt,
  )
  const cause = { kind: 'attempt', attempt: attemptId } as const
  const drafts = accepted.map((recipient) => ({ type: 'email.sent' as const, recipient, cause }))
  return withEvents({ ...email, attempts }, at, drafts)
}

/** Returns the results without those of recipients that were left to the next transaction. */
const decided = ({ results }: Transmission): RecipientResult[] =>
  results.filter(({ kind }) => kind !== 'next_transaction')

const outcomeOf = (transmission: Transmission, sender: string): Attempt['outcome'] => {
  const results = decided(transmission)
  if (results.some(({ kind }) => kind === 'lost_after_dot')) return 'unknown'
  if (results.some(({ kind }) => kind === 'gate_closed')) return 'lost'
  const { classify: classified = classify } = transmission
  const kinds = new Set(
    results.map((result) =>
      result.kind === 'answered' ? classified(result.reply, result.phase ?? 'rcpt', sender).outcome : 'deferred',
    ),
  )
  const [only] = kinds
  return kinds.size === 1 && only ? only : 'partial'
}

const lastReply = (transmission: Transmission): string | null => {
  const last = decided(transmission).at(-1)
  if (!last) return null
  if ('reply' in last) return replyText(last.reply)
  return 'reason' in last ? last.reason : null
}

/** Returns the email after the end of an attempt: its record has what the transport reported. */
export const endAttempt = (
  email: Email,
  attemptId: string,
  numbers: readonly number[],
  transmission: Transmission,
  { at, durationMs }: Timing,
): Email => {
  const { host, steps, connection, phases } = transmission
  const outcome = outcomeOf(transmission, email.envelopeFrom)
  const reply = lastReply(transmission)
  const refusals = refusalVerdicts(transmission, numbers, email.envelopeFrom)
  const recorded = {
    ...(connection && { connection }),
    ...(phases && { phases }),
    ...(refusals.length > 0 && { refusals }),
  }
  const attempts = email.attempts.map((attempt) =>
    attempt.id === attemptId
      ? {
          ...attempt,
          host,
          steps,
          outcome,
          reply,
          // A closed gate means that the dot was not sent, even if the recipients were written on the way to it.
          committed: outcome === 'lost' ? null : attempt.committed,
          durationMs: durationMs ?? at - attempt.at,
          ...recorded,
        }
      : attempt,
  )
  return { ...email, attempts }
}

/** Returns what decided about the recipients that were not accepted; those with the same decision share one. */
const refusalVerdicts = (
  { results, classify: classified = classify }: Transmission,
  numbers: readonly number[],
  sender: string,
): RefusalVerdict[] => {
  if (results.every(isAcceptance)) return []
  const verdicts = new Map<string, RefusalVerdict>()
  for (const [index, result] of results.entries()) {
    const verdict = refusalVerdict(result, sender, classified)
    const number = numbers[index]
    if (verdict === null || number === undefined) continue
    const key = JSON.stringify(verdict)
    const same = verdicts.get(key) ?? { ...verdict, recipients: [] }
    same.recipients.push(number)
    verdicts.set(key, same)
  }
  return [...verdicts.values()]
}

const isAcceptance = (result: RecipientResult): boolean => result.kind === 'answered' && result.reply.code < 300

const refusalVerdict = (
  result: RecipientResult,
  sender: string,
  classifyReply: Classify,
): Omit<RefusalVerdict, 'recipients'> | null => {
  if (result.kind === 'lost_after_dot') return { class: 'unknown', phase: null, rule: null }
  const refusal = refusalOf(result)
  if (refusal === null)
    return result.kind === 'lost_before_dot' ? { class: 'transient', phase: null, rule: null } : null
  const { reply, phase } = refusal
  const classified = classifyReply(reply, phase, senderFor(result, sender))
  return classified.class === null ? null : { class: classified.class, phase, ...classified.decision }
}
