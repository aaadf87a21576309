import { classify, type ReplyClass, type SmtpPhase } from '@postrider/mail/replies/replies.ts'
import { nextTry } from '@postrider/mail/retrySchedule.ts'
import { type EventDraft, withEvents, withRecipients } from './changes.ts'
import {
  type ChosenMailRoute,
  type ConnectionFacts,
  capturedNotice,
  type MailRouteName,
  type RefusalVerdict,
  type SendPhases,
} from './conversation.ts'
import { mayRepeat, postpone } from './decisions.ts'
import type { Attempt, Email, EventCause, Recipient, SmtpStep } from './email.ts'
import type { RecipientStatus } from './status.ts'

export type Classify = typeof classify

/** Report of a transport about one message. */
export type Transmission = {
  /** The server as `name:port`; empty when there was no connection. */
  host: string
  steps: SmtpStep[]
  /** Results by recipient, in the order of `to`. */
  results: RecipientResult[]
  /** Absent: no server was connected. */
  connection?: ConnectionFacts
  phases?: SendPhases
  /** Classifies its replies (knownReplies.ts); absent: each time it needs a class. */
  classify?: Classify
}

export type RecipientResult =
  /**
   * The server replied about this recipient. `phase`: the step of the reply; RCPT where absent. `complaint`: the
   * recipient then reports the message as spam, in these words.
   */
  | { kind: 'answered'; reply: SmtpReply; phase?: SmtpPhase; complaint?: string }
  /**
   * The final dot was not sent for this recipient; it may be tried again. `refusal`: the server refused the session;
   * absent when it sent nothing.
   */
  | { kind: 'lost_before_dot'; reason: string; refusal?: Refusal }
  /** The final dot was sent and no reply was seen: whether the mail was accepted is unknown (RFC 5321 §6.1). */
  | { kind: 'lost_after_dot'; reason: string }
  /** The server accepts no more recipients in this transaction; this one needs another (RFC 5321 §4.5.3.1.10). */
  | { kind: 'next_transaction' }
  /**
   * The server refused the message to several recipients because of one of them; each gets a transaction of its own.
   */
  | { kind: 'alone'; reply: SmtpReply; phase: SmtpPhase }
  /** The gate was closed: another worker may own the email. */
  | { kind: 'gate_closed' }

/**
 * A server's reply (RFC 5321 §4.2), with its enhanced status code (RFC 3463) if it has one. `shown`: what is stored
 * instead of `text`, which decides the class; absent: the same.
 */
export type SmtpReply = { code: number; enhanced: string | null; text: string; shown?: string }

/** A reply that refuses, and its step. */
export type Refusal = { phase: SmtpPhase; reply: SmtpReply }

/** `durationMs`: of the attempt, if its times are not those of the store (email/testClock.ts). */
export type Timing = { at: number; random: () => number; durationMs?: number }

const triedAlone = 'The server refused the message because of one recipient. Each recipient is tried alone.'
const gateClosed = 'Stopped by us right before the final dot: it was not sent.'

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

/** Returns the refusal that a result reports; null if it reports none. */
export const refusalOf = (result: RecipientResult): Refusal | null => {
  if (result.kind === 'lost_before_dot') return result.refusal ?? null
  if (result.kind !== 'answered' || result.reply.code < 300) return null
  return { phase: result.phase ?? 'rcpt', reply: result.reply }
}

/** Returns the return path that a reply may name: a refusal of the session names none. */
export const senderFor = ({ kind }: RecipientResult, sender: string): string => (kind === 'answered' ? sender : '')

type Verdict = { status: RecipientStatus; class: ReplyClass | null; reply: string; isRetry: boolean }

/** @returns null when the recipient stays as it was */
const verdictOf = (result: RecipientResult, email: Email, classified?: Classify): Verdict | null => {
  switch (result.kind) {
    case 'answered':
      return verdictOfReply(result, email.envelopeFrom, classified)
    case 'lost_before_dot':
      return { status: 'deferred', class: classOfLoss(result, classified), reply: result.reason, isRetry: true }
    case 'lost_after_dot':
      return email.onUnknown === 'hold'
        ? { status: 'unknown', class: 'unknown', reply: result.reason, isRetry: false }
        : { status: 'deferred', class: 'unknown', reply: result.reason, isRetry: true }
    case 'next_transaction':
    case 'alone':
    case 'gate_closed':
      return null
  }
}

type Answered = Extract<RecipientResult, { kind: 'answered' }>

const verdictOfReply = ({ reply, phase = 'rcpt' }: Answered, sender: string, classified = classify): Verdict => {
  const { outcome, class: replyClass } = classified(reply, phase, sender)
  return {
    status: outcome,
    class: outcome === 'delivered' ? null : replyClass,
    reply: replyText(reply),
    isRetry: outcome === 'deferred',
  }
}

const classOfLoss = ({ refusal }: { refusal?: Refusal }, classified = classify): ReplyClass =>
  (refusal && classified(refusal.reply, refusal.phase, '').class) ?? 'transient'

const replyText = ({ code, enhanced, text, shown = text }: SmtpReply): string =>
  [code, enhanced, shown].filter((part) => part !== null && part !== '').join(' ')

/** Returns the recipient after a verdict: due again, or final. */
const afterVerdict = (recipient: Recipient, verdict: Verdict, expiresAt: number | null, timing: Timing): Recipient => {
  const tries = recipient.tries + 1
  const after = { ...recipient, tries, class: verdict.class, reply: verdict.reply }
  if (!verdict.isRetry) return { ...after, status: verdict.status, nextAt: null }
  const nextAt = nextTry({ tries, at: timing.at, random: timing.random })
  if (nextAt === null || (expiresAt !== null && nextAt > expiresAt)) {
    const why = nextAt === null ? 'the retry schedule is used up' : 'the next try would come after expires_in'
    return { ...after, status: 'failed', nextAt: null, reply: `${verdict.reply} (given up: ${why})` }
  }
  return { ...after, status: 'deferred', nextAt }
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

const endAttempt = (
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
