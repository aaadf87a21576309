import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { Fault } from './fault.ts'

/** Spans over the borders of a process; where nobody collects them each costs a function call. */

/** Which end of what kind of conversation a span is (OpenTelemetry's span kinds). */
export type SpanEnd = 'server' | 'client' | 'producer' | 'consumer'

const kinds: Record<SpanEnd, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

type Spanned = {
  name: string
  end: SpanEnd
  /** Named as OpenTelemetry's semantic conventions do; never an address, a subject or a key. */
  attributes: Attributes
  /** The span it belongs under, as W3C Trace Context §3.2 spells it; absent: the one that runs now. */
  traceparent?: string | undefined
}

const tracer = () => trace.getTracer('postrider')

const under = (traceparent: string | undefined): Context =>
  traceparent === undefined ? context.active() : propagation.extract(context.active(), { traceparent })

/** Errors are told by their kind alone: what a fault says may hold an address. */
const failed = (span: Span, thrown: unknown): void => {
  span.setAttribute('error.type', thrown instanceof Fault ? thrown.code : 'internal')
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Runs work in a span of its own; what it does belongs under it. */
export const inSpan = async <T>(
  { name, end, attributes, traceparent }: Spanned,
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const parent = under(traceparent)
  const span = tracer().startSpan(name, { kind: kinds[end], attributes }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span))
  } catch (thrown) {
    failed(span, thrown)
    throw thrown
  } finally {
    span.end()
  }
}

/** Marks a moment under a traceparent. @returns the traceparent of what comes after it; undefined: it isn't traced */
export const passSpan = ({ name, end, attributes, traceparent }: Spanned): string | undefined => {
  if (traceparent === undefined) return undefined
  const parent = under(traceparent)
  const span = tracer().startSpan(name, { kind: kinds[end], attributes }, parent)
  span.end()
  return traceparentOf(trace.setSpan(parent, span))
}

const traceparentOf = (of: Context): string | undefined => {
  const span = trace.getSpanContext(of)
  if (!span || !isSpanContextValid(span)) return undefined
  const carrier: { traceparent?: string } = {}
  propagation.inject(of, carrier)
  return carrier.traceparent
}

/** The span that runs now, as it is handed to other processes; undefined: nothing is traced. */
export const currentTraceparent = (): string | undefined => traceparentOf(context.active())
