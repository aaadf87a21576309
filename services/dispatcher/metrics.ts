import type { MailRouteName } from '@postrider/domain/email/conversation.ts'
import { hasOutcome } from '@postrider/domain/email/countedResults.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { acceptedAt } from '@postrider/domain/email/testClock.ts'
import { type RecipientResult, refusalOf, senderFor, type Transmission } from '@postrider/domain/email/transmission.ts'
import type { Log } from '@postrider/kit/log.ts'
import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'
import { classify } from '@postrider/mail/replies/replies.ts'
import { smtpPhases } from '@postrider/mail/replies/rule.ts'

/** Seconds; from one round trip to the data timeout of a slow server. */
const deliveryBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300]
/** Seconds; up to the end of the retry schedule. */
const ageBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 15, 60, 300, 1_800, 7_200, 43_200, 129_600]

/** Seconds; an RSA signature takes under a millisecond, a long message some event loop iterations. */
const signingBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

/**
 * Reason why mail is held: its domain may not sign, a key cannot be opened, the store did not respond, a signature
 * failed.
 */
export const holdCauses = ['domain', 'key', 'store', 'signature'] as const
export type HoldCause = (typeof holdCauses)[number]

/** Declares the metrics of signing. */
const signingMetrics = (registry: MetricRegistry) => {
  const { counter, histogram } = metricsIn(registry)
  const signatures = counter<'algorithm' | 'outcome'>({
    name: 'postrider_mail_signatures_total',
    help: 'DKIM signatures, by algorithm and outcome; a key that cannot be opened is a failed one',
    labels: ['algorithm', 'outcome'],
  })
  const held = counter<'cause'>({
    name: 'postrider_mail_held_total',
    help: 'Times that mail was not sent because it could not be signed, by cause; it is due again later',
    labels: ['cause'],
  })
  // A series that begins with 0 shows its first increase.
  for (const algorithm of ['rsa', 'ed25519']) signatures.inc({ algorithm, outcome: 'failed' }, 0)
  for (const cause of holdCauses) held.inc({ cause }, 0)
  return {
    signatures,
    held,
    signingDuration: histogram({
      name: 'postrider_mail_signing_duration_seconds',
      help: 'Time to sign one message with all keys of its domain',
      labels: [],
      buckets: signingBuckets,
    }),
  }
}

export type SigningMetrics = ReturnType<typeof signingMetrics>

/** Declares the metrics of delivery. */
export const dispatcherMetrics = (registry: MetricRegistry) => {
  const { counter, gauge, histogram } = metricsIn(registry)
  const unknownReplies = counter<'phase' | 'code'>({
    name: 'postrider_mail_unknown_replies_total',
    help: 'Refusals whose text matches no rule, classified by their code alone, by SMTP step and class of code',
    labels: ['phase', 'code'],
  })
  // A series that begins with 0 shows its first increase.
  for (const phase of smtpPhases) for (const code of ['4xx', '5xx']) unknownReplies.inc({ phase, code }, 0)
  return {
    ...signingMetrics(registry),
    outcomes: counter({
      name: 'postrider_mail_delivery_outcomes_total',
      help: 'Outcomes of attempts, one per recipient, by outcome, reply class, lane and mail route',
      labels: ['outcome', 'class', 'lane', 'route'],
    }),
    unknownReplies,
    attemptDuration: histogram({
      name: 'postrider_mail_attempt_duration_seconds',
      help: 'Duration of one transaction, by outcome and mail route',
      labels: ['outcome', 'route'],
      buckets: deliveryBuckets,
    }),
    firstAttempt: histogram({
      name: 'postrider_mail_due_to_first_attempt_seconds',
      help: 'Time from when an email became due to its first attempt',
      labels: ['lane'],
      buckets: ageBuckets,
    }),
    inFlight: gauge({
      name: 'postrider_mail_in_work',
      help: 'Emails that a dispatcher is delivering, sampled every few seconds',
      labels: ['lane'],
    }),
    leasesHeld: gauge({
      name: 'postrider_mail_leases_held',
      help: 'Emails that a dispatcher has claimed, in flight or waiting for a worker',
    }),
    hintsWaiting: gauge({
      name: 'postrider_mail_hints_waiting',
      help: 'Hints about due emails that a dispatcher has not followed yet',
      labels: ['lane'],
    }),
    hintsDropped: counter({
      name: 'postrider_mail_hints_dropped_total',
      help: 'Hints about due emails dropped because a buffer of the dispatcher was full; scans find these emails',
      labels: ['lane'],
    }),
    parked: counter({
      name: 'postrider_mail_parked_total',
      help: 'Emails set aside because their worker died too often; an operator must examine each',
    }),
  }
}

export type DispatcherMetrics = ReturnType<typeof dispatcherMetrics>

/** One transmission of an email's last attempt. */
export type FinishedAttempt = { mailRoute: MailRouteName; transmission: Transmission; durationMs: number }

/** Counts the replies that match no rule of the table, so that rules can be added. A shared reply counts once. */
const countUnknownReplies = (
  { unknownReplies }: DispatcherMetrics,
  { results, classify: classified = classify }: Transmission,
  sender: string,
): void => {
  const refusals = new Map(
    results.flatMap((result) => {
      const refusal = refusalOf(result)
      if (refusal === null) return []
      return [[JSON.stringify(refusal), { ...refusal, sender: senderFor(result, sender) }] as const]
    }),
  )
  for (const { phase, reply, sender: named } of refusals.values())
    if (!classified(reply, phase, named).isKnown) unknownReplies.inc({ phase, code: reply.code < 500 ? '4xx' : '5xx' })
}

type LoggedReply = { code?: number; enhanced?: string; class?: string }

/**
 * Returns the codes of the reply that decided a transmission, and the class of its recipient: of the first refusal, or
 * of the first reply if there is none. The text of a reply may contain an address, so it is not logged.
 */
const decidingReply = (email: Email, results: readonly RecipientResult[]): LoggedReply => {
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
  ({ id, requestId, domainId }: Email, { cause }: { cause: HoldCause }, isFirst: boolean): void => {
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
    if (outcome !== 'delivered') countUnknownReplies(metrics, transmission, email.envelopeFrom)
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
