import { grpcClientMetrics } from '@postrider/adapters/grpc/methods.ts'
import { kafkaMetrics } from '@postrider/adapters/kafka/metrics.ts'
import { limiterMetrics } from '@postrider/adapters/redis/limiter.ts'
import { grpcServerMetrics } from '@postrider/kit/grpc/callHandler.ts'
import { collectReadiness, type MetricRegistry, makeMetrics } from '@postrider/kit/metrics.ts'
import { standaloneMetrics } from '@postrider/standalone/standalone.ts'

/** Declares the metrics of every process of a cluster in one registry. */
export const allMetrics = () => {
  const metrics = makeMetrics((registry: MetricRegistry) => ({
    ...standaloneMetrics(registry),
    ...grpcServerMetrics(registry),
    ...grpcClientMetrics(registry),
    ...kafkaMetrics(registry),
    ...limiterMetrics(registry),
  }))
  collectReadiness(metrics, async () => true)
  return metrics
}
