import { basename, dirname } from 'node:path'
import process from 'node:process'

/*
 * The first import of every main file: starts tracing if the OpenTelemetry variables of the environment enable it; its
 * library is not loaded otherwise. Remaining spans are sent before the process ends.
 */
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_TRACES_EXPORTER, OTEL_SDK_DISABLED } =
  process.env

const isEnabled = Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_TRACES_EXPORTER)

/** The variables that name the collector of traces, which is another host that a process depends on. */
export const collectorUrls: Readonly<Record<string, string>> =
  OTEL_SDK_DISABLED === 'true' || OTEL_TRACES_EXPORTER === 'none'
    ? {}
    : {
        ...(OTEL_EXPORTER_OTLP_ENDPOINT && { OTEL_EXPORTER_OTLP_ENDPOINT }),
        ...(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT && { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }),
      }

/** Returns the service name from the folder of the main file: `services/intake/main.ts`. */
const serviceName = (): string => `postrider-${basename(dirname(process.argv[1] ?? 'unknown/main.ts'))}`

/** Sets variables that the library reads and the operator did not set. */
const setDefaults = (): void => {
  const named = process.env['OTEL_RESOURCE_ATTRIBUTES']?.includes('service.name=')
  if (!named) process.env['OTEL_SERVICE_NAME'] ||= serviceName()
  // Milliseconds for an export with its retries: an unavailable collector must not delay the end of a process.
  process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] ||= '3000'
  // Calls between our processes carry W3C's traceparent only.
  process.env['OTEL_PROPAGATORS'] = 'tracecontext'
}

if (isEnabled && OTEL_SDK_DISABLED !== 'true' && OTEL_TRACES_EXPORTER !== 'none') {
  setDefaults()
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  // Metrics go to Prometheus and logs to standard output, so only traces are sent.
  const sdk = new NodeSDK({ instrumentations: [], metricReaders: [], logRecordProcessors: [] })
  sdk.start()
  process.once('beforeExit', () => void sdk.shutdown().catch(() => {}))
}
