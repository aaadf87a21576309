import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/**
 * Outcome of the close of a month of a workspace. `closed`: its invoice is issued; `waiting`: a send of the month has
 * not ended; `failed`: an error, which is logged.
 */
export type CloseOutcome = 'closed' | 'waiting' | 'failed'

/**
 * Outcome of one check of an invoice that is collected. `failed`: the card was not charged, and owners are mailed;
 * `waiting`: a payment takes days; `refused`: the provider refuses the payment permanently; `unavailable`: it does not
 * respond.
 */
export type CollectOutcome = 'paid' | 'failed' | 'waiting' | 'refused' | 'unavailable'

const collectOutcomes: readonly CollectOutcome[] = ['paid', 'failed', 'waiting', 'refused', 'unavailable']

const outcomes: readonly CloseOutcome[] = ['closed', 'waiting', 'failed']

/** Declares the metrics of billing. */
export const quotaMetrics = (registry: MetricRegistry) => {
  const { counter, gauge } = metricsIn(registry)
  const monthCloses = counter<'outcome'>({
    name: 'postrider_month_closes_total',
    help: 'Closes of a month of a workspace, by outcome',
    labels: ['outcome'],
  })
  const paymentEvents = counter<'outcome'>({
    name: 'postrider_payment_events_total',
    help: 'Events of the payment provider, by outcome',
    labels: ['outcome'],
  })
  const collections = counter<'outcome'>({
    name: 'postrider_invoice_charges_total',
    help: 'Charges of invoices to a saved card, by outcome',
    labels: ['outcome'],
  })
  for (const outcome of collectOutcomes) collections.inc({ outcome }, 0)
  // A series that begins with 0 shows its first increase.
  for (const outcome of outcomes) monthCloses.inc({ outcome }, 0)
  for (const outcome of ['applied', 'repeated', 'ignored', 'refused']) paymentEvents.inc({ outcome }, 0)
  return {
    monthCloses,
    paymentEvents,
    collections,
    billingOverdue: gauge({
      name: 'postrider_billing_overdue',
      help: 'Workspaces whose month could be closed for more than an hour and is not',
    }),
  }
}

export type QuotaMetrics = ReturnType<typeof quotaMetrics>
