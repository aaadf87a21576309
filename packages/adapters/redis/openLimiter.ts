import type { Log } from '@postrider/kit/log.ts'
import { type MetricRegistry, type Metrics, metricsIn } from '@postrider/kit/metrics.ts'
import type { Open } from '@postrider/kit/run.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { memoryLimiter } from '../memory/limiter.ts'
import { connectRedis } from './connect.ts'
import { redisLimiter } from './limiter.ts'

type Given = {
  open: Open
  /** Of the process. */
  name: string
  config: { REDIS_URL: string; POSTRIDER_REPLICAS: number }
  metrics: Metrics
  log: Log
}

/** Declares the metrics of the rate limiter over Redis. */
export const limiterMetrics = (registry: MetricRegistry) => ({
  limiterDegraded: metricsIn(registry).gauge({
    name: 'postrider_rate_limiter_degraded',
    help: '1: Redis does not answer; this process applies its share of each rate limit',
  }),
})

/** Rate limits of all replicas together; one by itself while Redis is away, which keeps nobody from starting. */
export const openLimiter = async ({ open, name, config, metrics, log }: Given): Promise<Limiter> => {
  const redis = open.use(await connectRedis({ url: config.REDIS_URL, name, log }))
  const { limiterDegraded } = limiterMetrics(metrics.registry)
  const degraded = (is: boolean): void => limiterDegraded.set(is ? 1 : 0)
  return open.use(redisLimiter({ redis, local: memoryLimiter(), replicas: config.POSTRIDER_REPLICAS, degraded, log }))
}
