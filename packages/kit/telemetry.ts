import process from 'node:process'

/**
 * The first import of every main file: tracing, where the environment asks for it in OpenTelemetry's own variables.
 * Nothing of its library is loaded otherwise. What isn't sent yet is sent before the process ends.
 */
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_TRACES_EXPORTER, OTEL_SDK_DISABLED } =
  process.env

const asked = Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_TRACES_EXPORTER)

if (asked && OTEL_SDK_DISABLED !== 'true' && OTEL_TRACES_EXPORTER !== 'none') {
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  // Metrics are Prometheus' and logs are lines on standard output, so traces are all there is to send.
  const sdk = new NodeSDK({ instrumentations: [], metricReaders: [], logRecordProcessors: [] })
  sdk.start()
  process.once('beforeExit', () => void sdk.shutdown().catch(() => {}))
}
