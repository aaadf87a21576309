import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/**
 * How an attempt to send a webhook ended. `delivered`: 2xx; `refused`: another response; `failed`: no response;
 * `blocked`: an address that must not be reached; `stopped`: the process stops.
 */
const outcomes = ['delivered', 'refused', 'failed', 'blocked', 'stopped'] as const
export type WebhookAttemptOutcome = (typeof outcomes)[number]

/** Source of a delivery. A `scan` of the feed finds those whose hint was lost. */
export type Found = 'hint' | 'scan'

/** Seconds; the longest request lasts 10. */
const attemptBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
/** Seconds, from the time of an event to the end of its first successful attempt. */
const delayBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 3_600, 21_600, 86_400]

/** Declares the metrics of webhooks. */
export const webhooksMetrics = (registry: MetricRegistry) => {
  const { counter, gauge, histogram } = metricsIn(registry)
  const webhookAttempts = counter<'outcome'>({
    name: 'postrider_webhook_attempts_total',
    help: 'Attempts to send an event to an endpoint, by outcome',
    labels: ['outcome'],
  })
  const webhookDeliveriesFound = counter<'by'>({
    name: 'postrider_webhook_deliveries_found_total',
    help: 'Deliveries of events to endpoints, by how they were found',
    labels: ['by'],
  })
  const webhooksDisabled = counter<'reason'>({
    name: 'postrider_webhooks_disabled_total',
    help: 'Endpoints that the service disabled, by reason',
    labels: ['reason'],
  })
  const webhookHintsDropped = counter({
    name: 'postrider_webhook_hints_dropped_total',
    help: 'Hints about new events that were dropped because too many were waiting; a scan finds their events',
  })
  // A series that begins with 0 shows its first increase.
  for (const outcome of outcomes) webhookAttempts.inc({ outcome }, 0)
  for (const by of ['hint', 'scan'] as const) webhookDeliveriesFound.inc({ by }, 0)
  for (const reason of ['gone', 'failures']) webhooksDisabled.inc({ reason }, 0)
  webhookHintsDropped.inc(0)
  return {
    webhookAttempts,
    webhookDeliveriesFound,
    webhooksDisabled,
    webhookHintsDropped,
    webhookAttemptDuration: histogram({
      name: 'postrider_webhook_attempt_duration_seconds',
      help: 'Time of an attempt to send an event to an endpoint',
      buckets: attemptBuckets,
    }),
    webhookDelay: histogram({
      name: 'postrider_webhook_delay_seconds',
      help: 'Time from an event to its delivery',
      buckets: delayBuckets,
    }),
    webhooksInFlight: gauge({
      name: 'postrider_webhooks_in_work',
      help: 'Requests to endpoints that run',
    }),
    webhookEndpoints: gauge<'state'>({
      name: 'postrider_webhook_endpoints',
      help: 'Endpoints of all workspaces, by state',
      labels: ['state'],
    }),
    webhookBacklog: gauge({
      name: 'postrider_webhook_backlog',
      help: 'Deliveries that have not ended, counted up to 100,000',
    }),
    webhookBacklogAge: gauge({
      name: 'postrider_webhook_backlog_age_seconds',
      help: 'Time since the first of the deliveries that have not ended was due',
    }),
  }
}

export type WebhooksMetrics = ReturnType<typeof webhooksMetrics>
