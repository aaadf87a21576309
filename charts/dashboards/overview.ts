import { type Board, maxBy, namespace, of, type Panel, quantileBy, rateBy } from './board.ts'

const outcomes = 'postrider_mail_delivery_outcomes_total'

const burn = (sli: string, budget: number, title: string, runbook: string): Panel => ({
  kind: 'lines',
  title,
  description:
    'Burn rate of the error budget of 30 days: a rate of 1 uses it up in exactly that time, a rate of 14.4 uses 2 % in an hour. ' +
    `Over 6 in both windows a person is paged; see docs/runbooks/${runbook}.md.`,
  unit: 'none',
  queries: ['5m', '1h', '6h'].map((window) => ({
    expr: `${of(`namespace:postrider_${sli}:ratio${window}`)} / ${budget}`,
    legend: `over ${window} {{namespace}}`,
  })),
  alarm: { amber: 1, red: 14.4 },
})

/** The overview: does mail flow? */
export const overview: Board = {
  uid: 'postrider-overview',
  title: 'Postrider: does mail flow?',
  description: 'Mail in, mail out, and waiting time. The other dashboards show the reasons.',
  variables: [namespace],
  rows: [
    {
      title: 'Now',
      panels: [
        {
          kind: 'number',
          title: 'Oldest due, transactional',
          description:
            'How long the oldest due email has waited for a dispatcher. If it grows, see “Queue and delivery” and docs/runbooks/PostriderQueueStuck.md. ' +
            'The value does not change while intake’s sweep fails (“Sweep” below).',
          unit: 's',
          queries: [
            { expr: maxBy('lane', 'postrider_mail_queue_oldest_due_seconds', 'lane="transactional"'), legend: '' },
          ],
          alarm: { amber: 30, red: 120 },
        },
        {
          kind: 'number',
          title: 'Accepted',
          description:
            'Emails accepted with 202. If there are none at a time that usually has mail, check the gateway and the proxies in front of it.',
          unit: 'ops',
          queries: [{ expr: `sum(rate(${of('postrider_mail_accepted_total')}[$__rate_interval]))`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Delivered',
          description:
            'Recipients whose server accepted the mail. If the rate stays far below the accepted rate, check the outcomes below and “Oldest due”.',
          unit: 'ops',
          queries: [{ expr: `sum(rate(${of(outcomes, 'outcome="delivered"')}[$__rate_interval]))`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Sends with status 5xx',
          description: 'Share in the last 5 minutes; the budget is 0.1 %. docs/runbooks/PostriderAcceptErrors.md.',
          unit: 'percentunit',
          queries: [{ expr: `max(${of('namespace:postrider_accept_errors:ratio5m')})`, legend: '' }],
          alarm: { amber: 0.001, red: 0.0144 },
        },
        {
          kind: 'number',
          title: 'Dispatchers',
          description:
            'Dispatchers that report their work. If there are none, no mail is delivered: docs/runbooks/PostriderNoDispatcher.md.',
          unit: 'none',
          queries: [{ expr: `count(max by (instance) (${of('postrider_mail_in_work')})) or vector(0)`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Parked, one day',
          description:
            'Emails whose worker failed repeatedly. A person must decide about each: docs/runbooks/PostriderMailParked.md.',
          unit: 'none',
          queries: [{ expr: `sum(increase(${of('postrider_mail_parked_total')}[1d]))`, legend: '' }],
          alarm: { amber: 0.5, red: 10 },
        },
      ],
    },
    {
      title: 'Mail flow',
      panels: [
        {
          kind: 'lines',
          title: 'Accepted and delivered',
          description:
            'Emails and recipients per second. They are equal except for test mail, scheduled mail and mail to several recipients. ' +
            'If deliveries fall behind, the cause is the dispatchers or the relays.',
          unit: 'ops',
          queries: [
            { expr: rateBy('lane', 'postrider_mail_accepted_total'), legend: 'accepted {{lane}}' },
            { expr: rateBy('lane', outcomes, 'outcome="delivered"'), legend: 'delivered {{lane}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Oldest due',
          description:
            'By lane, the maximum over intakes, because each reports the whole queue. Investigate if transactional mail waits for more than seconds.',
          unit: 's',
          queries: [{ expr: maxBy('lane', 'postrider_mail_queue_oldest_due_seconds'), legend: '{{lane}}' }],
          alarm: { amber: 30, red: 120 },
        },
        {
          kind: 'lines',
          title: 'Outcomes',
          description:
            'Outcomes of attempts, by recipient. If many are deferred, the relay is unavailable or limits this installation (docs/runbooks/PostriderNextServerAway.md). ' +
            'If many bounce, check the classes under “Queue and delivery”: the cause is one customer’s list, or the reputation of this installation.',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome', outcomes), legend: '{{outcome}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Due to first attempt',
          description:
            'How long mail waits for a dispatcher. Service level: 99 % of transactional mail within 5 s. docs/runbooks/PostriderFirstAttemptLate.md.',
          unit: 's',
          queries: [
            { expr: quantileBy(0.5, 'lane', 'postrider_mail_due_to_first_attempt_seconds'), legend: 'p50 {{lane}}' },
            { expr: quantileBy(0.99, 'lane', 'postrider_mail_due_to_first_attempt_seconds'), legend: 'p99 {{lane}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Waiting',
          description:
            'Emails that are not final, by lane: scheduled, due, or in flight. At POSTRIDER_MAX_QUEUED (a million) sends get 503. ' +
            'If it grows together with “due”, add dispatchers. If it grows alone, the mail is deferred or scheduled.',
          unit: 'short',
          queries: [
            { expr: maxBy('lane', 'postrider_mail_queue_depth'), legend: 'all {{lane}}' },
            { expr: maxBy('lane', 'postrider_mail_queue_due'), legend: 'due {{lane}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Responses to sends',
          description:
            'By status. 503: a store or peer is unavailable, or the queue is full. 429 and 402: customers at their limits (“Refusals”). 500: a bug.',
          unit: 'reqps',
          queries: [
            {
              expr: rateBy(
                'status',
                'postrider_http_request_duration_seconds_count',
                'method="POST", route="/api/v1/emails"',
              ),
              legend: '{{status}}',
            },
          ],
          stacked: true,
        },
      ],
    },
    {
      title: 'Service levels: burn rates',
      panels: [
        burn('accept_errors', 0.001, 'Sends without status 5xx (99.9 %)', 'PostriderAcceptErrors'),
        burn('accept_slow', 0.01, 'Sends with a response within 500 ms (99 %)', 'PostriderAcceptSlow'),
        burn('first_attempt_late', 0.01, 'Transactional mail attempted within 5 s (99 %)', 'PostriderFirstAttemptLate'),
      ],
    },
    {
      title: 'Dependencies',
      panels: [
        {
          kind: 'lines',
          title: 'Sweep: time since each chore last finished',
          description:
            'Every intake runs each chore every 5 s. Above a minute, MongoDB or quota does not respond, or a chore has a bug; then the queue metrics are out of date too. ' +
            'docs/runbooks/PostriderSweepLate.md.',
          unit: 's',
          queries: [
            {
              expr: `time() - ${maxBy('chore', 'postrider_sweep_last_success_timestamp_seconds')}`,
              legend: '{{chore}}',
            },
          ],
          alarm: { amber: 60, red: 120 },
        },
        {
          kind: 'lines',
          title: 'Due notifications for Kafka',
          description:
            'Sent follows the accepted rate. If none are sent or some are dropped, Kafka is unavailable, and scans find the mail (docs/runbooks/PostriderRingsLost.md).',
          unit: 'ops',
          queries: [
            { expr: rateBy('outcome', 'postrider_kafka_rings_total', 'lane!="events"'), legend: '{{outcome}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Processes that apply rate limits without Redis',
          description:
            'If it is above 0, Redis is unavailable, hangs or is read-only. Sends continue: docs/runbooks/PostriderRateLimiterDegraded.md.',
          unit: 'none',
          queries: [{ expr: `sum by (job) (${of('postrider_rate_limiter_degraded')})`, legend: '{{job}}' }],
          alarm: { amber: 0.5, red: 0.5 },
        },
      ],
    },
  ],
}
