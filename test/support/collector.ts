import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type CollectedSpan = {
  trace: string
  id: string
  /** Undefined: the root. */
  parent: string | undefined
  name: string
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | 'none'
  service: string
  attributes: Record<string, string | number | boolean>
  failed: boolean
}

/** A collector of OpenTelemetry that remembers the spans it is sent. */
export type Collector = AsyncDisposable & {
  /** What a process is given to send its spans there. */
  env: Record<string, string>
  spans: CollectedSpan[]
  /** Everything that came, as it came. */
  received(): string
}

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean }
type Attributes = { key: string; value: Value }[]
type Body = {
  resourceSpans: {
    resource: { attributes: Attributes }
    scopeSpans: {
      spans: {
        traceId: string
        spanId: string
        parentSpanId?: string
        name: string
        kind: number
        attributes: Attributes
        status: { code?: number }
      }[]
    }[]
  }[]
}

const kinds = ['none', 'internal', 'server', 'client', 'producer', 'consumer'] as const

const valueOf = ({ stringValue, intValue, boolValue }: Value): string | number | boolean =>
  stringValue ?? boolValue ?? Number(intValue)

const read = (attributes: Attributes): CollectedSpan['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))

const spansOf = ({ resourceSpans }: Body): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        trace: span.traceId,
        id: span.spanId,
        parent: span.parentSpanId,
        name: span.name,
        kind: kinds[span.kind] ?? 'none',
        service: String(read(resource.attributes)['service.name']),
        attributes: read(span.attributes),
        failed: span.status.code === 2,
      })),
    ),
  )

export const startCollector = async (): Promise<Collector> => {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body)
      spans.push(...spansOf(JSON.parse(body) as Body))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
    spans,
    received: () => bodies.join('\n'),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** The spans of a trace as a tree in lines, for people who read what a test found. */
export const drawn = (spans: readonly CollectedSpan[]): string => {
  const ids = new Set(spans.map(({ id }) => id))
  const lines = (parent: string | undefined, depth: number): string[] =>
    spans
      .filter((span) => (parent === undefined ? !ids.has(span.parent ?? '') : span.parent === parent))
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.service} ${span.kind} ${span.name}`,
        ...lines(span.id, depth + 1),
      ])
  return lines(undefined, 0).join('\n')
}
