import { type Board, maxBy, namespace, of, quantileBy, rateBy } from './board.ts'

const outcomes = 'postrider_mail_delivery_outcomes_total'
const attempts = 'postrider_mail_attempt_duration_seconds'

/** Mail from accepted to final: where it waits, and its outcomes. */
export const delivery: Board = {
  uid: 'postrider-delivery',
  title: 'Postrider: queue and delivery',
  description: 'The lanes, the dispatchers, the doorbell on Kafka, and the replies of the relays.',
  variables: [namespace],
  rows: [
    {
      title: 'Queue (every intake reports the whole queue, so panels show the maximum)',
      panels: [
        {
          kind: 'lines',
          title: 'Waiting, by lane',
          description:
            'Emails that are not final. If it grows and “Due” does not, the mail is scheduled or deferred. “Waiting, by kind” shows the limits.',
          unit: 'short',
          queries: [{ expr: maxBy('lane', 'postrider_mail_queue_depth'), legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Due and not in flight, by lane',
          description:
            'If it grows, dispatchers are too few, too slow, or down. Add some if “In flight” is at its maximum for each.',
          unit: 'short',
          queries: [{ expr: maxBy('lane', 'postrider_mail_queue_due'), legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Oldest due, by lane',
          description: 'The signal to scale dispatchers by. docs/runbooks/PostriderQueueStuck.md.',
          unit: 's',
          queries: [{ expr: maxBy('lane', 'postrider_mail_queue_oldest_due_seconds'), legend: '{{lane}}' }],
          alarm: { amber: 30, red: 120 },
        },
        {
          kind: 'lines',
          title: 'Waiting, by kind',
          description:
            'Emails that are not final, by the kinds that have separate limits: POSTRIDER_MAX_QUEUED, POSTRIDER_MAX_SCHEDULED, POSTRIDER_MAX_TEST_QUEUED.',
          unit: 'short',
          queries: [{ expr: maxBy('kind', 'postrider_mail_queue_waiting'), legend: '{{kind}}' }],
        },
        {
          kind: 'lines',
          title: 'Waiting test mail',
          description: 'Bytes of test mail that is not final. The limit is POSTRIDER_MAX_TEST_QUEUED_MIB.',
          unit: 'bytes',
          queries: [{ expr: maxBy('namespace', 'postrider_mail_queue_test_bytes'), legend: 'bytes' }],
        },
        {
          kind: 'lines',
          title: 'Sends refused by the limits of the queue',
          description:
            'share: one workspace has reached its share (429). total: a limit of the whole queue is reached (503). docs/runbooks/PostriderAcceptErrors.md.',
          unit: 'ops',
          queries: [
            { expr: rateBy('kind, limit', 'postrider_mail_queue_refused_total'), legend: '{{kind}} {{limit}}' },
          ],
        },
      ],
    },
    {
      title: 'Dispatchers',
      panels: [
        {
          kind: 'lines',
          title: 'In flight, by lane and dispatcher',
          description:
            'The maximum is the concurrency: 64 and 32 of one workspace, and an eighth more for others. If it stays at the maximum, add dispatchers, unless the relays are slow (“Attempt duration”).',
          unit: 'short',
          queries: [{ expr: maxBy('lane, instance', 'postrider_mail_in_work'), legend: '{{lane}} {{instance}}' }],
        },
        {
          kind: 'lines',
          title: 'Leases held',
          description:
            'Emails in flight and claimed in advance. If a dispatcher has 0 while mail is due, it hangs or cannot reach its store; its logs show which.',
          unit: 'short',
          queries: [
            {
              expr: `max by (instance) (${of('postrider_mail_leases_held', 'job=~".*dispatcher.*"')})`,
              legend: '{{instance}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Due to first attempt',
          description: 'How long mail waits for a dispatcher. docs/runbooks/PostriderFirstAttemptLate.md.',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((share) => ({
            expr: quantileBy(share, 'lane', 'postrider_mail_due_to_first_attempt_seconds'),
            legend: `p${share * 100} {{lane}}`,
          })),
        },
        {
          kind: 'lines',
          title: 'Hints waiting',
          description:
            'Hints that are not claimed yet, at most 20,000 per lane and dispatcher. If the value stays high, add dispatchers.',
          unit: 'short',
          queries: [{ expr: `sum by (lane) (${of('postrider_mail_hints_waiting')})`, legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Hints dropped',
          description:
            'Hints dropped because the buffer was full; scans of the queue find that mail. This is normal during a campaign; if it lasts for hours, there are too few dispatchers.',
          unit: 'ops',
          queries: [{ expr: rateBy('lane', 'postrider_mail_hints_dropped_total'), legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Emails parked, per hour',
          description: 'Emails whose worker failed 20 times. docs/runbooks/PostriderMailParked.md.',
          unit: 'short',
          queries: [{ expr: `sum(increase(${of('postrider_mail_parked_total')}[1h]))`, legend: 'parked' }],
          alarm: { amber: 0.5, red: 10 },
        },
      ],
    },
    {
      title: 'Relays',
      panels: [
        {
          kind: 'lines',
          title: 'Outcomes, by lane',
          description:
            'unknown: no reply after the final dot, with on_unknown: "hold"; the sender decides (POST /api/v1/emails/{id}/resolve).',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome, lane, route', outcomes), legend: '{{outcome}} {{lane}} {{route}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Bounced and failed, by class',
          description:
            'invalid: a customer’s list is old. reputation or policy: a block list or a missing DNS record, which affects every customer; find the sender whose mail causes complaints. content: the message itself was refused.',
          unit: 'ops',
          queries: [{ expr: rateBy('class', outcomes, 'outcome=~"bounced|failed"'), legend: '{{class}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Deferred, by class',
          description:
            'If most are transient, the relay is unavailable (docs/runbooks/PostriderNextServerAway.md). reputation or policy: the relay limits this installation; send more slowly.',
          unit: 'ops',
          queries: [{ expr: rateBy('class', outcomes, 'outcome="deferred"'), legend: '{{class}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Replies that match no rule, per hour',
          description:
            'Refusals classified by their code alone, by the SMTP step. Find them in the attempts of emails and add them to the table (docs/replies.md).',
          unit: 'short',
          queries: [
            {
              expr: `sum by (phase, code) (increase(${of('postrider_mail_unknown_replies_total')}[1h]))`,
              legend: '{{phase}} {{code}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Attempt duration',
          description:
            'Duration of one SMTP transaction. If p50 rises for all, the relay is slow and each delivery occupies a worker for longer; more dispatchers restore the rate.',
          unit: 's',
          queries: [
            { expr: quantileBy(0.5, 'outcome, route', attempts), legend: 'p50 {{outcome}} {{route}}' },
            { expr: quantileBy(0.99, 'outcome, route', attempts), legend: 'p99 {{outcome}} {{route}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Attempts',
          description:
            'Transactions per second by outcome. A rate far above the accepted rate means retries; check deferred mail.',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome', `${attempts}_count`), legend: '{{outcome}}' }],
        },
      ],
    },
    {
      title: 'Doorbell',
      panels: [
        {
          kind: 'lines',
          title: 'Notifications, by lane and outcome',
          description:
            'Messages that notify dispatchers of due mail and, in the lane events, webhooks of new events. If some are dropped, or none are sent while mail is accepted, Kafka is unavailable or a right is missing (docs/runbooks/PostriderRingsLost.md; lane events: docs/runbooks/PostriderWebhookHintsLost.md).',
          unit: 'ops',
          queries: [{ expr: rateBy('lane, outcome', 'postrider_kafka_rings_total'), legend: '{{outcome}} {{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Consumer lag',
          description:
            'Notifications not consumed yet, as of the last batch, by dispatchers and, in the lane events, by webhooks: the value does not change while nothing is consumed. docs/runbooks/PostriderKafkaLag.md.',
          unit: 'short',
          queries: [{ expr: `sum by (lane) (${of('postrider_kafka_consumer_lag')})`, legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Consumer restarts, per 10 minutes',
          description:
            'Rises with every problem between Kafka and dispatchers or, in the lane events, webhooks. One restart after a broker’s restart is normal.',
          unit: 'short',
          queries: [
            {
              expr: `sum by (lane) (increase(${of('postrider_kafka_consumer_restarts_total')}[10m]))`,
              legend: '{{lane}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Records parked, per hour',
          description:
            'Unreadable records, written by a foreign or newer producer. docs/runbooks/PostriderKafkaRecordParked.md.',
          unit: 'short',
          queries: [{ expr: `sum(increase(${of('postrider_kafka_parked_total')}[1h]))`, legend: 'parked' }],
        },
        {
          kind: 'lines',
          title: 'Sweep: time since each chore last finished',
          description:
            'ring replaces lost due notifications, pay releases owed quota, settle ends abandoned reservations, forget deletes old keys, purge and erase remove old mail. docs/runbooks/PostriderSweepLate.md.',
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
          title: 'System mail per hour, by outcome',
          description:
            'Invitations, confirmations and other mail that accounts sends. failed: intake was unavailable for 15 minutes.',
          unit: 'short',
          queries: [
            {
              expr: `sum by (outcome) (increase(${of('postrider_system_mail_total')}[1h]))`,
              legend: '{{outcome}}',
            },
          ],
          stacked: true,
        },
      ],
    },
  ],
}
