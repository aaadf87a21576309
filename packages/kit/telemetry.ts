import { basename, dirname } from 'node:path'
import process from 'node:process'

/**
 * The first import of every main file: tracing, where the environment asks for it in OpenTelemetry's own variables.
 * Nothing of its library is loaded otherwise. What isn't sent yet is sent before the process ends.
 */
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_TRACES_EXPORTER, OTEL_SDK_DISABLED } =
  process.env

const asked = Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_TRACES_EXPORTER)

/** The folder of the main file names the service: `services/intake/main.ts`. */
const serviceName = (): string => `postrider-${basename(dirname(process.argv[1] ?? 'unknown/main.ts'))}`

/** What the library reads by itself, where the operator set nothing else. */
const setDefaults = (): void => {
  const named = process.env['OTEL_RESOURCE_ATTRIBUTES']?.includes('service.name=')
  if (!named) process.env['OTEL_SERVICE_NAME'] ||= serviceName()
  // Of each export with all its repeats, in milliseconds: a collector that is away must not keep a process from its end.
  process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] ||= '3000'
  // Our wires carry W3C's traceparent, whatever else is spoken around us.
  process.env['OTEL_PROPAGATORS'] = 'tracecontext'
}

if (asked && OTEL_SDK_DISABLED !== 'true' && OTEL_TRACES_EXPORTER !== 'none') {
  setDefaults()
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  // Metrics are Prometheus' and logs are lines on standard output, so traces are all there is to send.
  const sdk = new NodeSDK({ instrumentations: [], metricReaders: [], logRecordProcessors: [] })
  sdk.start()
  process.once('beforeExit', () => void sdk.shutdown().catch(() => {}))
}
