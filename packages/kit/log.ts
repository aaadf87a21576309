import { createRequire } from 'node:module'
import process from 'node:process'
import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'
import type { Redact } from './redact.ts'
import { currentTraceId, isTracing } from './trace.ts'

export type Log = Logger

/** Maximum length of a text of one field in characters: a header of a megabyte must not fill the disk. */
const maxFieldLength = 2_000

const isTooLong = (value: unknown): value is string => typeof value === 'string' && value.length > maxFieldLength

const shorten = (value: unknown): unknown => (isTooLong(value) ? `${value.slice(0, maxFieldLength)}…` : value)

/** Returns the fields of a line, each shortened. Almost no line has a long one, so most are returned as they are. */
const shortened = (line: Record<string, unknown>): Record<string, unknown> => {
  for (const name in line)
    if (isTooLong(line[name]))
      return Object.fromEntries(Object.entries(line).map(([field, value]) => [field, shorten(value)]))
  return line
}

/** Maximum length of a stack in characters, including those of the causes. */
const maxStackLength = 8_000

type SerializedError = ReturnType<typeof stdSerializers.err>

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Returns an error with its causes and its plain fields. Drivers attach whole documents and commands to errors, with
 * bodies and addresses in them, so objects are dropped.
 */
const plainError = ({ stack, aggregateErrors, ...rest }: SerializedError, redact: Redact): object => ({
  ...Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (isPlain(value) ? [[name, shorten(redacted(value, redact))]] : [])),
  ),
  stack: stack && redact(stack).slice(0, maxStackLength),
  ...(aggregateErrors && { aggregateErrors: aggregateErrors.map((one: SerializedError) => plainError(one, redact)) }),
})

const redacted = (value: unknown, redact: Redact): unknown => (typeof value === 'string' ? redact(value) : value)

const errorOf = (thrown: unknown, redact: Redact): unknown =>
  thrown instanceof Error ? plainError(stdSerializers.err(thrown), redact) : redacted(thrown, redact)

/** Its library is only loaded for a terminal. */
const forPeople = (): DestinationStream => {
  const { PinoPretty }: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty')
  return PinoPretty({ singleLine: true, ignore: 'pid,hostname,service', translateTime: 'HH:MM:ss.l' })
}

/**
 * Maximum number of bytes that wait for a slow reader of standard output; further lines are dropped, so that logging
 * blocks no mail.
 */
const maxBacklogBytes = 16 * 2 ** 20

/** Writes in the background: lines that arrive during a write are part of the next one. */
const forMachines = () => destination({ dest: process.stdout.fd, sync: false, maxLength: maxBacklogBytes })

/** Returns the field with the time of a line. Under load several lines have the same. */
const timestamps = (): (() => string) => {
  let last = 0
  let field = ''
  return () => {
    const now = Date.now()
    if (now !== last) {
      last = now
      field = `,"time":"${new Date(now).toISOString()}"`
    }
    return field
  }
}

/** Returns the field that links a line to its trace. */
const traceOf = (): { trace_id?: string } => {
  const trace_id = currentTraceId()
  return trace_id === undefined ? {} : { trace_id }
}

/**
 * Returns a logger that writes to standard output: JSON, or readable text on a terminal. Callers log ids, sizes and
 * outcomes; never bodies, keys or addresses.
 * @param options `write` receives the lines instead of standard output; `redact` removes secrets from errors and
 * reasons
 */
export const makeLog = (
  service: string,
  level: string,
  { redact = (text) => text, ...into }: Partial<DestinationStream> & { redact?: Redact } = {},
): Log => {
  const { write } = into
  const stream = write ? { write } : process.stdout.isTTY ? forPeople() : forMachines()
  const options = {
    level,
    base: { service },
    timestamp: timestamps(),
    ...(isTracing() && { mixin: traceOf }),
    // Errors of drivers are the only texts in a log that we did not write.
    serializers: {
      err: (thrown: unknown) => errorOf(thrown, redact),
      reason: (reason: unknown) => redacted(reason, redact),
    },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: shortened,
    },
  }
  return pino(options, stream)
}
