import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'
import { smtpPhases } from '@postrider/mail/repliesRule.ts'

/** Seconds; from one round trip to the data timeout of a slow server. */
const deliveryBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300]
/** Seconds; up to the end of the retry schedule. */
const ageBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 15, 60, 300, 1_800, 7_200, 43_200, 129_600]

/** Seconds; an RSA signature takes under a millisecond, a long message some event loop iterations. */
const signingBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

/** Reason why mail is held: its domain may not sign, a key cannot be opened, the store did not respond, a signature failed. */
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
