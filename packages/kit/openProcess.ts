import { type Log, makeLog } from './log.ts'
import { collectProcessMetrics, collectReadiness, type Metrics, makeMetrics } from './metrics.ts'
import { serveOps } from './ops.ts'
import { makeReadiness, type Readiness } from './readiness.ts'
import type { Open } from './run.ts'

type OpsConfig = { METRICS_PORT: number; LOG_LEVEL: string }

/**
 * What every process of a cluster has from its first moment: a log, metrics, and probes that tell it is starting,
 * and once it is told to stop, that it stops.
 */
export const openProcess = async (
  open: Open,
  name: string,
  config: OpsConfig,
): Promise<{ log: Log; metrics: Metrics; readiness: Readiness }> => {
  const log = makeLog(name, config.LOG_LEVEL)
  const metrics = makeMetrics()
  collectProcessMetrics(metrics)
  const readiness = makeReadiness()
  collectReadiness(metrics, readiness.ready)
  open.stopping.addEventListener('abort', readiness.drain)
  open.use(await serveOps({ port: config.METRICS_PORT, metrics, readiness, log }))
  return { log, metrics, readiness }
}
