import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds; from an answer out of memory to a slow store's deadline. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** Seconds; from one round trip to a patient server's data time-out. */
const deliveryBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300]
/** Seconds; from at once to the end of the retry schedule. */
const ageBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 15, 60, 300, 1_800, 7_200, 43_200, 129_600]

/**
 * What an operator watches. No label ever holds an address, a message id or a workspace.
 * Names are part of the operator's surface: dashboards and alerts stand on them.
 */
export const makeMetrics = () => {
  const registry = new Registry()
  const registers = [registry]
  const refused = new Counter({
    name: 'postrider_requests_refused_total',
    help: 'Requests refused, by error code',
    labelNames: ['code'] as const,
    registers,
  })
  // A bug wants an alarm at its first showing, and an increase is seen only over what was 0 before.
  refused.inc({ code: 'internal' }, 0)
  return {
    registry,
    httpDuration: new Histogram({
      name: 'postrider_http_request_duration_seconds',
      help: 'Time to answer an HTTP request, by route pattern, method and status',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: requestBuckets,
      registers,
    }),
    grpcServerDuration: new Histogram({
      name: 'postrider_grpc_server_duration_seconds',
      help: 'Time to answer a call of another service, by gRPC status',
      labelNames: ['service', 'method', 'code'] as const,
      buckets: requestBuckets,
      registers,
    }),
    grpcClientDuration: new Histogram({
      name: 'postrider_grpc_client_duration_seconds',
      help: 'Time until another service’s answer was here, repeats included, by gRPC status',
      labelNames: ['service', 'method', 'code'] as const,
      buckets: requestBuckets,
      registers,
    }),
    accepted: new Counter({
      name: 'postrider_mail_accepted_total',
      help: 'Emails answered with 202, without replays',
      labelNames: ['mode', 'lane'] as const,
      registers,
    }),
    refused,
    outcomes: new Counter({
      name: 'postrider_mail_delivery_outcomes_total',
      help: 'What attempts did for a recipient, by outcome, reply class and where the mail left',
      labelNames: ['outcome', 'class', 'lane', 'route'] as const,
      registers,
    }),
    attemptDuration: new Histogram({
      name: 'postrider_mail_attempt_duration_seconds',
      help: 'Time of one transaction, by outcome and where the mail left',
      labelNames: ['outcome', 'route'] as const,
      buckets: deliveryBuckets,
      registers,
    }),
    firstAttempt: new Histogram({
      name: 'postrider_mail_due_to_first_attempt_seconds',
      help: 'Time from when an email was due to its first attempt',
      labelNames: ['lane'] as const,
      buckets: ageBuckets,
      registers,
    }),
    queueDepth: new Gauge({
      name: 'postrider_mail_queue_depth',
      help: 'Emails not final: waiting for their time, due, or in work',
      labelNames: ['lane'] as const,
      registers,
    }),
    queueDue: new Gauge({
      name: 'postrider_mail_queue_due',
      help: 'Emails due and not in work',
      labelNames: ['lane'] as const,
      registers,
    }),
    queueOldest: new Gauge({
      name: 'postrider_mail_queue_oldest_due_seconds',
      help: 'How long the oldest due email waits',
      labelNames: ['lane'] as const,
      registers,
    }),
    limiterDegraded: new Gauge({
      name: 'postrider_rate_limiter_degraded',
      help: '1: the shared rate limiter doesn’t answer, this process limits by itself with its share of the rates',
      registers,
    }),
    inWork: new Gauge({
      name: 'postrider_mail_in_work',
      help: 'Emails that a dispatcher works on, looked at every few seconds',
      labelNames: ['lane'] as const,
      registers,
    }),
    leasesHeld: new Gauge({
      name: 'postrider_mail_leases_held',
      help: 'Emails that a dispatcher has claimed: in work, and claimed ahead',
      registers,
    }),
    sweptAt: new Gauge({
      name: 'postrider_sweep_last_success_timestamp_seconds',
      help: 'When the sweeper last did a chore without a fault, in seconds since the epoch',
      labelNames: ['chore'] as const,
      registers,
    }),
    hintsWaiting: new Gauge({
      name: 'postrider_mail_hints_waiting',
      help: 'Emails a dispatcher was told of and did not look for yet',
      labelNames: ['lane'] as const,
      registers,
    }),
    hintsDropped: new Counter({
      name: 'postrider_mail_hints_dropped_total',
      help: 'Emails a dispatcher was told of and had no room to remember; scans find them',
      labelNames: ['lane'] as const,
      registers,
    }),
    parked: new Counter({
      name: 'postrider_mail_parked_total',
      help: 'Emails set aside because their worker died too often; each wants a person',
      registers,
    }),
    kafkaRings: new Counter({
      name: 'postrider_kafka_rings_total',
      help: 'Hints for dispatchers, by whether Kafka took them; the sweeper makes up for those dropped',
      labelNames: ['lane', 'outcome'] as const,
      registers,
    }),
    kafkaParked: new Counter({
      name: 'postrider_kafka_parked_total',
      help: 'Records on Kafka that could not be read; each wants a person',
      registers,
    }),
    kafkaLag: new Gauge({
      name: 'postrider_kafka_consumer_lag',
      help: 'Hints that were waiting behind the last ones heard, over the partitions of this process',
      labelNames: ['lane'] as const,
      registers,
    }),
    kafkaRestarts: new Counter({
      name: 'postrider_kafka_consumer_restarts_total',
      help: 'Times that listening to Kafka broke off and began anew',
      labelNames: ['lane'] as const,
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof makeMetrics>

/** Adds the process's own: CPU, memory, event-loop delay, garbage collection. */
export const collectProcessMetrics = (metrics: Metrics): void =>
  collectDefaultMetrics({ register: metrics.registry, prefix: 'postrider_' })

/** Adds what `/readyz` says, for those who can't see a pod's own state. */
export const collectReadiness = ({ registry }: Pick<Metrics, 'registry'>, ready: () => Promise<boolean>): void => {
  const gauge: Gauge = new Gauge({
    name: 'postrider_ready',
    help: '1: requests may come here; 0: it starts, stops, or lacks something that /readyz names',
    registers: [registry],
    collect: async () => gauge.set((await ready()) ? 1 : 0),
  })
}
