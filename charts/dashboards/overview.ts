import { type Board, maxBy, of, type Panel, quantileBy, rateBy } from './board.ts'
import { namespace } from './variables.ts'

const outcomes = 'postrider_mail_delivery_outcomes_total'

const burn = (sli: string, budget: number, title: string, runbook: string): Panel => ({
  kind: 'lines',
  title,
  description:
    'How fast the error budget of 30 days goes: 1 uses it up in just that time, 14.4 a fiftieth of it in an hour. ' +
    `Over 6 in both windows somebody is woken; docs/runbooks/${runbook}.md says what to do.`,
  unit: 'none',
  queries: ['5m', '1h', '6h'].map((window) => ({
    expr: `${of(`namespace:postrider_${sli}:ratio${window}`)} / ${budget}`,
    legend: `over ${window} {{namespace}}`,
  })),
  alarm: { amber: 1, red: 14.4 },
})

/** One look: does mail flow? */
export const overview: Board = {
  uid: 'postrider-overview',
  title: 'Postrider: does mail flow?',
  description: 'What comes in, what goes out, and how long it waits. Everything else is for finding out why.',
  variables: [namespace],
  rows: [
    {
      title: 'Now',
      panels: [
        {
          kind: 'number',
          title: 'Oldest due, transactional',
          description:
            'How long the oldest due email waits for a dispatcher. Grows: see “Queue and delivery”, and docs/runbooks/PostriderQueueStuck.md. ' +
            'It stands still where intake’s sweep fails (“Sweep” below).',
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
            'Emails answered with 202. Nothing at an hour when there is always something: look at the gateway and what stands before it.',
          unit: 'ops',
          queries: [{ expr: `sum(rate(${of('postrider_mail_accepted_total')}[$__rate_interval]))`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Delivered',
          description:
            'Recipients whose server took the mail. Well below what is accepted for long: look at outcomes below, and at “Oldest due”.',
          unit: 'ops',
          queries: [{ expr: `sum(rate(${of(outcomes, 'outcome="delivered"')}[$__rate_interval]))`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Sends answered 5xx',
          description:
            'Share in the last 5 minutes; a tenth of a per cent is the budget. docs/runbooks/PostriderAcceptErrors.md.',
          unit: 'percentunit',
          queries: [{ expr: `max(${of('namespace:postrider_accept_errors:ratio5m')})`, legend: '' }],
          alarm: { amber: 0.001, red: 0.0144 },
        },
        {
          kind: 'number',
          title: 'Dispatchers',
          description:
            'That have told of their work. None: nothing is delivered, docs/runbooks/PostriderNoDispatcher.md.',
          unit: 'none',
          queries: [{ expr: `count(max by (instance) (${of('postrider_mail_in_work')})) or vector(0)`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Set aside, one day',
          description:
            'Emails that broke their worker again and again. Each wants a person: docs/runbooks/PostriderMailParked.md.',
          unit: 'none',
          queries: [{ expr: `sum(increase(${of('postrider_mail_parked_total')}[1d]))`, legend: '' }],
          alarm: { amber: 0.5, red: 10 },
        },
      ],
    },
    {
      title: 'The way of mail',
      panels: [
        {
          kind: 'lines',
          title: 'Accepted and delivered',
          description:
            'In emails and recipients a second. They follow each other but for test mail, scheduled mail and mail to several. ' +
            'Delivered falls behind: dispatchers, or the next servers.',
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
            'By lane, the maximum over intakes: each tells the whole queue. Transactional mail over seconds wants a look.',
          unit: 's',
          queries: [{ expr: maxBy('lane', 'postrider_mail_queue_oldest_due_seconds'), legend: '{{lane}}' }],
          alarm: { amber: 30, red: 120 },
        },
        {
          kind: 'lines',
          title: 'Outcomes',
          description:
            'What attempts did for recipients. Much deferred: the next server is away or holds us back (docs/runbooks/PostriderNextServerAway.md). ' +
            'Much bounced: look at the classes under “Queue and delivery”; one customer’s list, or our reputation.',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome', outcomes), legend: '{{outcome}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Due to first attempt',
          description:
            'How long mail waits for us. Promised: 99 % of transactional mail within 5 s. docs/runbooks/PostriderFirstAttemptLate.md.',
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
            'Emails not final, by lane: scheduled, due, or in work. At POSTRIDER_MAX_QUEUED (a million) sends are answered 503. ' +
            'Grows with “due”: more dispatchers. Grows without: deferred or scheduled mail.',
          unit: 'short',
          queries: [
            { expr: maxBy('lane', 'postrider_mail_queue_depth'), legend: 'all {{lane}}' },
            { expr: maxBy('lane', 'postrider_mail_queue_due'), legend: 'due {{lane}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Answers to sends',
          description:
            'By status. 503: a store or peer is away, or too much waits. 429 and 402: customers at their limits (“Refusals”). 500: a bug.',
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
      title: 'Service levels: how fast their budgets burn',
      panels: [
        burn('accept_errors', 0.001, 'Sends not answered 5xx (99.9 %)', 'PostriderAcceptErrors'),
        burn('accept_slow', 0.01, 'Sends answered within 500 ms (99 %)', 'PostriderAcceptSlow'),
        burn('first_attempt_late', 0.01, 'Transactional mail tried within 5 s (99 %)', 'PostriderFirstAttemptLate'),
      ],
    },
    {
      title: 'What it stands on',
      panels: [
        {
          kind: 'lines',
          title: 'Sweep: since each chore was done',
          description:
            'Every 5 s by every intake. Over a minute: MongoDB or quota doesn’t answer, or a chore meets a bug; then the queue’s numbers stand still too. ' +
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
          title: 'Rings for Kafka',
          description:
            'Sent follows what is accepted. Nothing sent or some dropped: Kafka is away, mail leaves by the sweep (docs/runbooks/PostriderRingsLost.md).',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome', 'postrider_kafka_rings_total'), legend: '{{outcome}}' }],
        },
        {
          kind: 'lines',
          title: 'Processes that limit without Redis',
          description:
            'Above 0: Redis is away, hangs or may not be written. Sends go on; docs/runbooks/PostriderRateLimiterDegraded.md.',
          unit: 'none',
          queries: [{ expr: `sum by (job) (${of('postrider_rate_limiter_degraded')})`, legend: '{{job}}' }],
          alarm: { amber: 0.5, red: 0.5 },
        },
      ],
    },
  ],
}
