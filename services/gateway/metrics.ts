import { type MetricRegistry, metricsIn, requestBuckets } from '@postrider/kit/metrics.ts'

/** Declares the metrics of the HTTP API. */
export const gatewayMetrics = (registry: MetricRegistry) => {
  const { counter, gauge, histogram } = metricsIn(registry)
  const refused = counter({
    name: 'postrider_requests_refused_total',
    help: 'Requests refused, by error code',
    labels: ['code'],
  })
  // An increase is only seen over a series that was 0 before, and the first internal error must raise the alert.
  refused.inc({ code: 'internal' }, 0)
  const closed = counter({
    name: 'postrider_http_connections_closed_total',
    help: 'Connections of HTTP clients that a limit closed, by reason: total, address, replaced, idle, stalled, pipelined',
    labels: ['reason'],
  })
  for (const reason of ['total', 'address', 'replaced', 'idle', 'stalled', 'pipelined']) closed.inc({ reason }, 0)
  return {
    connections: {
      open: gauge({ name: 'postrider_http_connections', help: 'Open connections of HTTP clients' }),
      closed,
    },
    httpDuration: histogram({
      name: 'postrider_http_request_duration_seconds',
      help: 'Time until the response to an HTTP request, by route pattern, method and status',
      labels: ['method', 'route', 'status'],
      buckets: requestBuckets,
    }),
    refused,
  }
}
