import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/*
 * The metrics of a process. Each service and adapter declares its own in a function that accepts the registry, such as
 * `intakeMetrics` in services/intake/metrics.ts; this file has what they share.
 *
 * Names and labels are a public surface: dashboards and alerts use them. No label ever contains an address, a message
 * id or a workspace.
 */

export type MetricRegistry = Registry
export type Metrics = { registry: MetricRegistry }

/** Seconds; from a response out of memory to the deadline of a slow store. */
export const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Returns a new registry with the metrics that `declare` adds to it. */
export const makeMetrics = <Own extends object = object>(
  declare: (registry: MetricRegistry) => Own = () => ({}) as Own,
): Metrics & Own => {
  const registry = new Registry()
  return { ...declare(registry), registry }
}

type Described<Label> = { name: string; help: string; labels?: readonly Label[] }

/** Returns functions that declare a metric in `registry`. */
export const metricsIn = (registry: MetricRegistry) => {
  const registers = [registry]
  return {
    counter: <Label extends string = never>({ name, help, labels = [] }: Described<Label>) =>
      new Counter<Label>({ name, help, labelNames: labels, registers }),
    gauge: <Label extends string = never>({ name, help, labels = [] }: Described<Label>) =>
      new Gauge<Label>({ name, help, labelNames: labels, registers }),
    /** @param buckets upper bounds in seconds */
    histogram: <Label extends string = never>({
      name,
      help,
      labels = [],
      buckets,
    }: Described<Label> & { buckets: number[] }) =>
      new Histogram<Label>({ name, help, labelNames: labels, buckets, registers }),
  }
}

/**
 * Interval of the timer that measures the event-loop delay, in milliseconds. It was most of what an idle process did:
 * each 100 wake-ups a second cost 3.3 ms of CPU.
 */
const eventLoopMonitoringPrecision = 20

/** Adds the metrics of the process itself: CPU, memory, event-loop delay, garbage collection. */
export const collectProcessMetrics = ({ registry }: Metrics): void =>
  collectDefaultMetrics({ register: registry, prefix: 'postrider_', eventLoopMonitoringPrecision })

/** Adds the response of `/readyz`, for observers that cannot see the state of a pod. */
export const collectReadiness = ({ registry }: Metrics, ready: () => Promise<boolean>): void => {
  const gauge: Gauge = new Gauge({
    name: 'postrider_ready',
    help: '1: the process accepts requests; 0: it starts, stops or misses something that /readyz names',
    registers: [registry],
    collect: async () => gauge.set((await ready()) ? 1 : 0),
  })
}
