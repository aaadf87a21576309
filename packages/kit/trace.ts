import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { Fault, httpStatus } from './fault.ts'

/**
 * Spans within a process and over its borders. Where nobody collects them each costs a function call or two.
 *
 * A trace begins where somebody from outside asks us. Everything else is a span of the trace it belongs to, or none: what
 * a process does by itself, such as sweeping, would be a heap of traces of nobody's request.
 */

/** Which end of what kind of conversation a span is (OpenTelemetry's span kinds); internal: of none. */
export type SpanEnd = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

const kinds: Record<SpanEnd, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

export type Spanned = {
  name: string
  end: SpanEnd
  /** Named as OpenTelemetry's semantic conventions do; never an address, a subject or a key. */
  attributes: Attributes
  /** The span it belongs under, as W3C Trace Context §3.2 spells it; absent: the one that runs now. */
  traceparent?: string | undefined
  /** Whether it is the root of a trace where it belongs to none. */
  begins?: boolean
}

const tracer = () => trace.getTracer('postrider')

/** Whether this process collects spans: only then does its propagator have fields. */
export const isTracing = (): boolean => propagation.fields().length > 0

const isTraced = (where: Context): boolean => trace.getSpanContext(where) !== undefined

/** False where the trace isn't sampled, too. */
const isRecorded = (where: Context): boolean => trace.getSpan(where)?.isRecording() ?? false

/** @returns null: it belongs to no trace, and begins none */
const parentOf = ({ begins = false, traceparent }: Spanned): Context | null => {
  const parent = traceparent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent })
  return begins || isTraced(parent) ? parent : null
}

const start = ({ name, end, attributes }: Spanned, parent: Context): Span =>
  tracer().startSpan(name, { kind: kinds[end], attributes }, parent)

/** Errors are told by their kind alone: what they say may hold an address. */
const kindOf = (thrown: unknown): string => {
  if (thrown instanceof Fault) return thrown.code
  if (!(thrown instanceof Error)) return 'unknown'
  return 'code' in thrown ? String(thrown.code) : thrown.name
}

/** A server that refuses has done its work (OpenTelemetry's conventions on the status of server spans). */
const isFailure = (end: SpanEnd, thrown: unknown): boolean =>
  end !== 'server' || !(thrown instanceof Fault) || httpStatus(thrown.code) >= 500

/** @param kind of the error: one of few words, never what it says */
export const markFailed = (span: Span, kind: string): void => {
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** @param address `host:port`, or a name alone */
export const serverOf = (address: string): Attributes => {
  const colon = address.lastIndexOf(':')
  if (colon < 0) return { 'server.address': address }
  return { 'server.address': address.slice(0, colon), 'server.port': Number(address.slice(colon + 1)) }
}

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/** Runs work in a span of its own; what it does belongs under it. */
export const inSpan = async <T>(spanned: Spanned, work: (span: Span) => Promise<T>): Promise<T> => {
  const parent = parentOf(spanned)
  if (parent === null) return work(noSpan)
  const span = start(spanned, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (thrown) {
    if (isFailure(spanned.end, thrown)) markFailed(span, kindOf(thrown))
    throw thrown
  } finally {
    span.end()
  }
}

/** A span that was begun and not ended yet. */
export type Begun = {
  /** Of what comes after it. */
  traceparent: string | undefined
  /** @param failed the error, where it ended with one */
  end(failed?: unknown): void
}

/** For what tells of its end by an event. @returns null: it belongs to no trace */
export const beginSpan = (spanned: Spanned): Begun | null => {
  const parent = parentOf(spanned)
  if (parent === null) return null
  const span = start(spanned, parent)
  const end = (failed?: unknown): void => {
    if (failed !== undefined) markFailed(span, kindOf(failed))
    span.end()
  }
  return { traceparent: traceparentOf(trace.setSpan(parent, span)), end }
}

const traceparentOf = (of: Context): string | undefined => {
  const carrier: { traceparent?: string } = {}
  propagation.inject(of, carrier)
  return carrier.traceparent
}

/** The span that runs now, as calls to other processes carry it; undefined: nothing is traced. */
export const currentTraceparent = (): string | undefined => traceparentOf(context.active())

/** The same for what outlives the call, such as a record; undefined where nobody will see the trace, too. */
export const recordedTraceparent = (): string | undefined =>
  isRecorded(context.active()) ? currentTraceparent() : undefined

/** Of the trace that runs now, for a line of the log; undefined: nothing is traced. */
export const currentTraceId = (): string | undefined => trace.getSpanContext(context.active())?.traceId

/** What runs at one place of the code, to go on with it at another. */
export type Place = Context
export const currentPlace = (): Place => context.active()

/** Goes on with the first of these that is collected: work done for several belongs to one trace only. */
export const goOnWith = <T>(places: readonly Place[], work: () => T): T =>
  context.with(places.find(isRecorded) ?? ROOT_CONTEXT, work)

/** Runs what only happens to be set off by what runs now, and belongs to itself. */
export const apart = <T>(work: () => T): T => context.with(ROOT_CONTEXT, work)
