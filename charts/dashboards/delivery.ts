import { type Board, maxBy, of, quantileBy, rateBy } from './board.ts'
import { namespace } from './variables.ts'

const outcomes = 'postrider_mail_delivery_outcomes_total'
const attempts = 'postrider_mail_attempt_duration_seconds'

/** From accepted to final: where mail waits, for whom, and what becomes of it. */
export const delivery: Board = {
  uid: 'postrider-delivery',
  title: 'Postrider: queue and delivery',
  description: 'The lanes, the dispatchers, the doorbell on Kafka, and what the next servers say.',
  variables: [namespace],
  rows: [
    {
      title: 'The queue (told by every intake for all: the maximum)',
      panels: [
        {
          kind: 'lines',
          title: 'Waiting, by lane',
          description:
            'Emails not final. Grows while “Due” doesn’t: scheduled or deferred mail. At POSTRIDER_MAX_QUEUED sends are answered 503.',
          unit: 'short',
          queries: [{ expr: maxBy('lane', 'postrider_mail_queue_depth'), legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Due and not in work, by lane',
          description:
            'Grows: dispatchers are too few, too slow, or gone. Scale them while “In work” is at its most for each.',
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
      ],
    },
    {
      title: 'Dispatchers',
      panels: [
        {
          kind: 'lines',
          title: 'In work, by lane and dispatcher',
          description:
            'At its concurrency for long (64 and 32 of one workspace, an eighth more for others): more dispatchers, or slow next servers (“Attempt duration”).',
          unit: 'short',
          queries: [{ expr: maxBy('lane, instance', 'postrider_mail_in_work'), legend: '{{lane}} {{instance}}' }],
        },
        {
          kind: 'lines',
          title: 'Leases held',
          description:
            'In work and claimed ahead. 0 at one dispatcher while mail is due: it hangs or has no store; its logs say which.',
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
          description: 'How long mail waits for us. docs/runbooks/PostriderFirstAttemptLate.md.',
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
            'Rung for and not looked for yet; a lane of a dispatcher keeps 20,000. Steadily high: more dispatchers.',
          unit: 'short',
          queries: [{ expr: `sum by (lane) (${of('postrider_mail_hints_waiting')})`, legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Hints dropped',
          description:
            'There was no room for them; scans of the queue find that mail. A campaign does it; for hours it means too few dispatchers.',
          unit: 'ops',
          queries: [{ expr: rateBy('lane', 'postrider_mail_hints_dropped_total'), legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Emails set aside, in an hour',
          description: 'Each broke its worker 20 times. docs/runbooks/PostriderMailParked.md.',
          unit: 'short',
          queries: [{ expr: `sum(increase(${of('postrider_mail_parked_total')}[1h]))`, legend: 'set aside' }],
          alarm: { amber: 0.5, red: 10 },
        },
      ],
    },
    {
      title: 'What the next servers say',
      panels: [
        {
          kind: 'lines',
          title: 'Outcomes, by lane',
          description:
            'unknown: the final dot was sent and no reply came, under on_unknown: "hold"; its sender decides (POST /api/v1/emails/{id}/resolve).',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome, lane, route', outcomes), legend: '{{outcome}} {{lane}} {{route}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Bounced and failed, by class',
          description:
            'invalid: somebody’s list is old. reputation or policy: a block list or a missing record; every customer suffers, so find who sends what is complained of. content: the message itself.',
          unit: 'ops',
          queries: [{ expr: rateBy('class', outcomes, 'outcome=~"bounced|failed"'), legend: '{{class}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Deferred, by class',
          description:
            'transient for most of all mail: the next server is away (docs/runbooks/PostriderNextServerAway.md). reputation or policy: it holds us back; send slower.',
          unit: 'ops',
          queries: [{ expr: rateBy('class', outcomes, 'outcome="deferred"'), legend: '{{class}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Attempt duration',
          description:
            'One SMTP transaction. p50 rises for all: the next server is slow, and places are held longer: more dispatchers keep the rate.',
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
            'Transactions a second by outcome. Many times what is accepted: retries; look at what is deferred.',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome', `${attempts}_count`), legend: '{{outcome}}' }],
        },
      ],
    },
    {
      title: 'The doorbell',
      panels: [
        {
          kind: 'lines',
          title: 'Rings, by lane and outcome',
          description:
            'Hints for dispatchers. Dropped, or none sent while mail is accepted: Kafka is away (docs/runbooks/PostriderRingsLost.md).',
          unit: 'ops',
          queries: [{ expr: rateBy('lane, outcome', 'postrider_kafka_rings_total'), legend: '{{outcome}} {{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Consumer lag',
          description:
            'Rings not heard yet, as known at the last batch: it stands still where nothing is heard. docs/runbooks/PostriderKafkaLag.md.',
          unit: 'short',
          queries: [{ expr: `sum by (lane) (${of('postrider_kafka_consumer_lag')})`, legend: '{{lane}}' }],
        },
        {
          kind: 'lines',
          title: 'Listening began anew, in 10 minutes',
          description:
            'Rises with every trouble between dispatchers and Kafka. Once after a broker’s restart is nothing.',
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
          title: 'Records set aside, in an hour',
          description:
            'Nobody could read them: a foreign or newer producer. docs/runbooks/PostriderKafkaRecordParked.md.',
          unit: 'short',
          queries: [{ expr: `sum(increase(${of('postrider_kafka_parked_total')}[1h]))`, legend: 'set aside' }],
        },
        {
          kind: 'lines',
          title: 'Sweep: since each chore was done',
          description:
            'ring makes up for lost hints, pay gives back owed quota, settle ends abandoned reservations, forget drops old keys. docs/runbooks/PostriderSweepLate.md.',
          unit: 's',
          queries: [
            {
              expr: `time() - ${maxBy('chore', 'postrider_sweep_last_success_timestamp_seconds')}`,
              legend: '{{chore}}',
            },
          ],
          alarm: { amber: 60, red: 120 },
        },
      ],
    },
  ],
}
