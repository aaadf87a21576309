import { classify, type ReplyClass, type SmtpPhase } from '@postrider/mail/replies/replies.ts'
import { nextTry } from '@postrider/mail/retrySchedule.ts'
import type { ConnectionFacts, SendPhases } from './conversation.ts'
import type { Email, Recipient, SmtpStep } from './email.ts'
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

/** Returns the refusal that a result reports; null if it reports none. */
export const refusalOf = (result: RecipientResult): Refusal | null => {
  if (result.kind === 'lost_before_dot') return result.refusal ?? null
  if (result.kind !== 'answered' || result.reply.code < 300) return null
  return { phase: result.phase ?? 'rcpt', reply: result.reply }
}

/** Returns the return path that a reply may name: a refusal of the session names none. */
export const senderFor = ({ kind }: RecipientResult, sender: string): string => (kind === 'answered' ? sender : '')

type Verdict = { status: RecipientStatus; class: ReplyClass | null; reply: string; isRetry: boolean }

/** Returns what a result decides about its recipient; null: the recipient stays as it was. */
export const verdictOf = (result: RecipientResult, email: Email, classified?: Classify): Verdict | null => {
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

/** Returns a reply as it is stored. */
export const replyText = ({ code, enhanced, text, shown = text }: SmtpReply): string =>
  [code, enhanced, shown].filter((part) => part !== null && part !== '').join(' ')

/** Returns the recipient after a verdict: due again, or final. */
export const afterVerdict = (
  recipient: Recipient,
  verdict: Verdict,
  expiresAt: number | null,
  timing: Timing,
): Recipient => {
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
