import type { Email } from '@postrider/domain/email/email.ts'
import type { RecipientResult, Transmission } from '@postrider/domain/email/transmission.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { MailRouteName } from '@postrider/ports/transport.ts'
import type { DispatcherMetrics } from './metrics.ts'

const hasOutcome = (result: RecipientResult | undefined): boolean =>
  result !== undefined && result.kind !== 'gate_closed' && result.kind !== 'next_transaction'

/** One transmission that was made of an email's last attempt. */
export type Attempted = { route: MailRouteName; transmission: Transmission; durationMs: number }

/** One line and the counters for each transmission: ids, sizes and outcomes, never an address. */
export const observer =
  (log: Log, metrics: DispatcherMetrics) =>
  (email: Email, { route, transmission, durationMs }: Attempted): void => {
    const attempt = email.attempts.at(-1)
    const outcome = attempt?.outcome ?? 'lost'
    const lane = email.category
    metrics.attemptDuration.observe({ outcome, route }, durationMs / 1_000)
    if (email.attempts.length === 1) {
      const waitedMs = (attempt?.at ?? 0) - (email.scheduledAt ?? email.createdAt)
      metrics.firstAttempt.observe({ lane }, Math.max(waitedMs, 0) / 1_000)
    }
    for (const [index, number] of (attempt?.recipients ?? []).entries()) {
      const recipient = email.recipients[number]
      if (!recipient || !hasOutcome(transmission.results[index])) continue
      metrics.outcomes.inc({ outcome: recipient.status, class: recipient.class ?? 'none', lane, route })
    }
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
        possible_duplicate: attempt?.possibleDuplicate,
        duration_ms: durationMs,
      },
      'email.attempted',
    )
  }
