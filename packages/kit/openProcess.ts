import { releaseIdleMemory } from './idleMemory.ts'
import { type Addresses, logLifecycle } from './lifecycle.ts'
import { type Log, makeLog } from './log.ts'
import { collectProcessMetrics, collectReadiness, type MetricRegistry, type Metrics, makeMetrics } from './metrics.ts'
import { serveOps } from './ops.ts'
import { makeReadiness, type Readiness } from './readiness.ts'
import type { Open } from './run.ts'

type OpsConfig = { POSTRIDER_HOST: string; METRICS_PORT: number; LOG_LEVEL: string }

/** The parts of a process that adapters need to open. */
export type ProcessParts = {
  open: Open
  /** Name of the process. */
  name: string
  log: Log
  metrics: Metrics
  readiness: Readiness
}

export type OpenProcess<Own> = {
  log: Log
  metrics: Metrics & Own
  readiness: Readiness
  /** Ends the start: requests may come. `addresses`: where the process listens, apart from the probes. */
  started(addresses?: Addresses): void
}

/**
 * Opens what every process of a cluster has: a log, metrics, and probes, which respond while it starts and stops too.
 * @param declare adds the metrics of the service
 */
export const openProcess = async <Own extends object = object>(
  open: Open,
  name: string,
  config: OpsConfig,
  declare?: (registry: MetricRegistry) => Own,
): Promise<OpenProcess<Own>> => {
  const log = makeLog(name, config.LOG_LEVEL, { redact: open.redact })
  const logStart = logLifecycle(open, log, 'cluster')
  const metrics = makeMetrics(declare)
  collectProcessMetrics(metrics)
  const readiness = makeReadiness()
  collectReadiness(metrics, readiness.ready)
  open.stopping.addEventListener('abort', readiness.drain)
  const ops = open.use(
    await serveOps({ host: config.POSTRIDER_HOST, port: config.METRICS_PORT, metrics, readiness, log }),
  )
  open.use(releaseIdleMemory())
  const started = (addresses?: Addresses): void => {
    logStart({ ...addresses, metrics_url: `${ops.url}/metrics` })
    readiness.started()
  }
  return { log, metrics, readiness, started }
}
