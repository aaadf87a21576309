import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type CollectedSpan = {
  trace: string
  id: string
  /** Undefined for the root. */
  parent: string | undefined
  /** Nanoseconds since the epoch. */
  startedAt: bigint
  name: string
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | 'none'
  service: string
  attributes: Record<string, string | number | boolean>
  failed: boolean
}

/** An OpenTelemetry collector that stores the spans it receives. */
export type Collector = AsyncDisposable & {
  /** Variables that make a process send its spans to this collector. */
  env: Record<string, string>
  spans: CollectedSpan[]
  /** The bodies of all requests. */
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
        startTimeUnixNano: string
        name: string
        kind: number
        attributes: Attributes
        status: { code?: number }
      }[]
    }[]
  }[]
}

const kinds = ['none', 'internal', 'server', 'client', 'producer', 'consumer'] as const

const scalarOf = ({ stringValue, intValue, boolValue }: Value): string | number | boolean =>
  stringValue ?? boolValue ?? Number(intValue)

const read = (attributes: Attributes): CollectedSpan['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, scalarOf(value)]))

const spansOf = ({ resourceSpans }: Body): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        trace: span.traceId,
        id: span.spanId,
        parent: span.parentSpanId,
        startedAt: BigInt(span.startTimeUnixNano),
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

/**
 * Returns the tree of spans as indented lines, siblings in order of their start.
 * @param isShown selects spans; children of the others move up one level
 */
export const spanTree = (
  spans: readonly CollectedSpan[],
  isShown: (span: CollectedSpan) => boolean = () => true,
): string[] => {
  const ids = new Set(spans.map(({ id }) => id))
  const ordered = spans.toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
  const under = (parent: string | null, depth: number): string[] =>
    ordered
      .filter((span) => (parent === null ? !ids.has(span.parent ?? '') : span.parent === parent))
      .flatMap((span) => {
        const shown = isShown(span)
        const line = `${'  '.repeat(depth)}${span.service} ${span.kind} ${span.name}`
        return [...(shown ? [line] : []), ...under(span.id, shown ? depth + 1 : depth)]
      })
  return under(null, 0)
}
