import { dispatcherMetrics } from '@postrider/dispatcher/metrics.ts'
import { gatewayMetrics } from '@postrider/gateway/metrics.ts'
import { intakeMetrics } from '@postrider/intake/metrics.ts'
import type { MetricRegistry, Metrics } from '@postrider/kit/metrics.ts'

/** Declares the metrics of every service in the one process. */
export const standaloneMetrics = (registry: MetricRegistry) => ({
  ...gatewayMetrics(registry),
  ...intakeMetrics(registry),
  ...dispatcherMetrics(registry),
})

export type StandaloneMetrics = Metrics & ReturnType<typeof standaloneMetrics>
