import type { MailRouteName } from '@postrider/domain/email/conversation.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { acceptedAt } from '@postrider/domain/email/testClock.ts'
import { type RecipientResult, refusalOf, type Transmission } from '@postrider/domain/email/transmission.ts'
import type { Log } from '@postrider/kit/log.ts'
import { classify } from '@postrider/mail/replies.ts'
import type { DispatcherMetrics, SigningMetrics } from './metrics.ts'
import type { UnsignableMail } from './signer.ts'

/** One transmission of an email's last attempt. */
export type FinishedAttempt = { mailRoute: MailRouteName; transmission: Transmission; durationMs: number }

const undecided: ReadonlySet<RecipientResult['kind'] | undefined> = new Set([
  'gate_closed',
  'next_transaction',
  'alone',
  undefined,
])
/** Returns whether a result decided about its recipient. */
export const hasOutcome = (result: RecipientResult | undefined): boolean => !undecided.has(result?.kind)

/** Counts the replies that match no rule of the table, so that rules can be added. A shared reply counts once. */
const countUnknownReplies = ({ unknownReplies }: DispatcherMetrics, results: readonly RecipientResult[]): void => {
  const refusals = new Map(
    results.flatMap((result) => {
      const refusal = refusalOf(result)
      return refusal ? [[JSON.stringify(refusal), refusal] as const] : []
    }),
  )
  for (const { phase, reply } of refusals.values())
    if (!classify(reply, phase).isKnown) unknownReplies.inc({ phase, code: reply.code < 500 ? '4xx' : '5xx' })
}

type Reply = { code?: number; enhanced?: string; class?: string }

/**
 * Returns the codes of the reply that decided a transmission, and the class of its recipient: of the first refusal, or of
 * the first reply if there is none. The text of a reply may contain an address, so it is not logged.
 */
const decidingReply = (email: Email, results: readonly RecipientResult[]): Reply => {
  const refused = results.findIndex((result) => hasOutcome(result) && isRefused(result))
  const index = refused === -1 ? results.findIndex(({ kind }) => kind === 'answered') : refused
  const [result, number] = [results[index], email.attempts.at(-1)?.recipients[index]]
  const reply = result && (refusalOf(result)?.reply ?? ('reply' in result ? result.reply : undefined))
  const replyClass = email.recipients[number ?? -1]?.class
  return {
    ...(reply && { code: reply.code, ...(reply.enhanced !== null && { enhanced: reply.enhanced }) }),
    ...(refused !== -1 && replyClass && { class: replyClass }),
  }
}

const isRefused = (result: RecipientResult): boolean => result.kind !== 'answered' || refusalOf(result) !== null

/** Whether mail waited for its signature before its first attempt; the dispatcher was not slow then. */
const wasHeld = ({ attempts, events }: Email): boolean =>
  events.some(({ type, at }) => type === 'email.deferred' && at < (attempts[0]?.at ?? 0))

/** Counts mail that is held, and logs each new reason. The reason itself may contain names, so the cause is logged. */
export const reportHeld =
  (log: Pick<Log, 'info'>, metrics: Pick<SigningMetrics, 'held'>) =>
  ({ id, requestId, domainId }: Email, { cause }: UnsignableMail, isFirst: boolean): void => {
    metrics.held.inc({ cause })
    if (isFirst) log.info({ email_id: id, request_id: requestId, domain_id: domainId, cause }, 'email.held')
  }

/** Logs one line and counts the outcomes of each transmission: ids, sizes and outcomes, never an address. */
export const reportAttempt =
  (log: Log, metrics: DispatcherMetrics) =>
  (email: Email, { mailRoute: route, transmission, durationMs }: FinishedAttempt): void => {
    const attempt = email.attempts.at(-1)
    const outcome = attempt?.outcome ?? 'lost'
    const lane = email.category
    metrics.attemptDuration.observe({ outcome, route }, durationMs / 1_000)
    if (email.attempts.length === 1 && !wasHeld(email)) {
      const waitedMs = (attempt?.at ?? 0) - (email.scheduledAt ?? acceptedAt(email))
      metrics.firstAttempt.observe({ lane }, Math.max(waitedMs, 0) / 1_000)
    }
    for (const [index, number] of (attempt?.recipients ?? []).entries()) {
      const recipient = email.recipients[number]
      if (!recipient || !hasOutcome(transmission.results[index])) continue
      // A recipient that complains has the message; the label has the outcomes of attempts only.
      const result = recipient.status === 'complained' ? 'delivered' : recipient.status
      metrics.outcomes.inc({ outcome: result, class: recipient.class ?? 'none', lane, route })
    }
    if (outcome !== 'delivered') countUnknownReplies(metrics, transmission.results)
    log.info(
      {
        email_id: email.id,
        request_id: email.requestId,
        attempt_id: attempt?.id,
        attempt: email.attempts.length,
        mode: email.mode,
        host: transmission.host,
        recipients: attempt?.recipients.length,
        outcome,
        ...decidingReply(email, transmission.results),
        possible_duplicate: attempt?.possibleDuplicate,
        duration_ms: durationMs,
      },
      'email.attempted',
    )
  }

/** Logs and counts an email that was parked because its workers died too often. An alert watches the counter. */
export const reportParked =
  (log: Pick<Log, 'error'>, metrics: Pick<DispatcherMetrics, 'parked'>) =>
  (emailId: string): void => {
    metrics.parked.inc()
    log.error({ email_id: emailId }, 'email.parked')
  }
