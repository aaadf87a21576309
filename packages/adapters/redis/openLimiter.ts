import type { Log } from '@postrider/kit/log.ts'
import type { Metrics } from '@postrider/kit/metrics.ts'
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
  metrics: Pick<Metrics, 'limiterDegraded'>
  log: Log
}

/** Rate limits of all replicas together; one by itself while Redis is away, which keeps nobody from starting. */
export const openLimiter = async ({ open, name, config, metrics, log }: Given): Promise<Limiter> => {
  const redis = open.use(await connectRedis({ url: config.REDIS_URL, name, log }))
  const degraded = (is: boolean): void => metrics.limiterDegraded.set(is ? 1 : 0)
  return open.use(redisLimiter({ redis, local: memoryLimiter(), replicas: config.POSTRIDER_REPLICAS, degraded, log }))
}
