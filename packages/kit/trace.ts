import { createRequire } from 'node:module'
import type { Attributes, Context, Span } from '@opentelemetry/api'
import { Fault, httpStatus } from './fault.ts'

/*
 * Spans within a process and across processes. Without a collector a span costs one or two function calls.
 *
 * Only a request from outside starts a trace. Everything else is a span of the trace it belongs to, or is not traced:
 * periodic work of a process, such as the sweep, would fill the collector with traces that belong to no request.
 */

/** The form that prom-client loads in each process. Importing the other form would load the whole library twice. */
const {
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
}: typeof import('@opentelemetry/api') = createRequire(import.meta.url)('@opentelemetry/api')

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

export type SpanOptions = {
  name: string
  /** OpenTelemetry's span kind. */
  kind: keyof typeof kinds
  /** Named as OpenTelemetry's semantic conventions do; never an address, a subject or a key. */
  attributes: Attributes
  /** The parent span in the form of W3C Trace Context §3.2; absent: the active span. */
  traceparent?: string | undefined
  /** Starts a trace when there is no parent. */
  root?: boolean
}

const tracer = () => trace.getTracer('postrider')

/** Returns whether this process collects spans: only then does its propagator have fields. */
export const isTracing = (): boolean => propagation.fields().length > 0

const isTraced = (where: Context): boolean => trace.getSpanContext(where) !== undefined

/** Returns false also for a trace that is not sampled. */
const isRecorded = (where: Context): boolean => trace.getSpan(where)?.isRecording() ?? false

/** @returns null: the span belongs to no trace and starts none */
const parentOf = ({ root = false, traceparent }: SpanOptions): Context | null => {
  const parent = traceparent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent })
  return root || isTraced(parent) ? parent : null
}

const start = ({ name, kind, attributes }: SpanOptions, parent: Context): Span =>
  tracer().startSpan(name, { kind: kinds[kind], attributes }, parent)

/** Returns the type of an error without its message, which may contain an address. */
const errorTypeOf = (thrown: unknown): string => {
  if (thrown instanceof Fault) return thrown.code
  if (!(thrown instanceof Error)) return 'unknown'
  return 'code' in thrown ? String(thrown.code) : thrown.name
}

/** A 4xx is no failure of the server (OpenTelemetry's conventions for the status of server spans). */
const isFailure = (kind: SpanOptions['kind'], thrown: unknown): boolean =>
  kind !== 'server' || !(thrown instanceof Fault) || httpStatus(thrown.code) >= 500

/** Sets the span's status to error. @param type of the error: one of few words, never its message */
export const markFailed = (span: Span, type: string): void => {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Returns the attributes of a server. @param address `host:port`, or a host alone */
export const serverOf = (address: string): Attributes => {
  const colon = address.lastIndexOf(':')
  if (colon < 0) return { 'server.address': address }
  return { 'server.address': address.slice(0, colon), 'server.port': Number(address.slice(colon + 1)) }
}

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/** Runs `work` in a new span, which is the parent of every span that `work` opens. */
export const inSpan = async <T>(options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> => {
  const parent = parentOf(options)
  if (parent === null) return work(noSpan)
  const span = start(options, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (thrown) {
    if (isFailure(options.kind, thrown)) markFailed(span, errorTypeOf(thrown))
    throw thrown
  } finally {
    span.end()
  }
}

/** A span that has started and not ended. */
export type OpenSpan = {
  /** Context for spans under this one (W3C Trace Context §3.2). */
  traceparent: string | undefined
  /** @param failed the error that ended the work, if any */
  end(failed?: unknown): void
}

/** Starts a span for work whose end is an event. @returns null: it belongs to no trace */
export const beginSpan = (options: SpanOptions): OpenSpan | null => {
  const parent = parentOf(options)
  if (parent === null) return null
  const span = start(options, parent)
  const end = (failed?: unknown): void => {
    if (failed !== undefined) markFailed(span, errorTypeOf(failed))
    span.end()
  }
  return { traceparent: traceparentOf(trace.setSpan(parent, span)), end }
}

const traceparentOf = (of: Context): string | undefined => {
  const carrier: { traceparent?: string } = {}
  propagation.inject(of, carrier)
  return carrier.traceparent
}

/** Returns the active span as calls to other processes carry it; undefined: nothing is traced. */
export const currentTraceparent = (): string | undefined => traceparentOf(context.active())

/**
 * Returns the same for data that outlives the call, such as a record; undefined also for a trace that is not sampled.
 */
export const recordedTraceparent = (): string | undefined =>
  isRecorded(context.active()) ? currentTraceparent() : undefined

/** Returns the id of the active trace, for a log line; undefined: nothing is traced. */
export const currentTraceId = (): string | undefined => trace.getSpanContext(context.active())?.traceId

/** The active span at one point of the program, to continue with it at another. */
export type TraceContext = Context
export const currentContext = (): TraceContext => context.active()

/** Runs `work` in the first of these contexts that is recorded: work for several callers belongs to one trace only. */
export const runInContext = <T>(contexts: readonly TraceContext[], work: () => T): T =>
  context.with(contexts.find(isRecorded) ?? ROOT_CONTEXT, work)

/** Runs `work` outside the active trace, which only happened to trigger it. */
export const detached = <T>(work: () => T): T => context.with(ROOT_CONTEXT, work)
