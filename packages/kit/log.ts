import process from 'node:process'
import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { PinoPretty } from 'pino-pretty'
import { currentTraceId, isTracing } from './trace.ts'

export type Log = Logger

/** Longest text that one field of a line may hold, in characters: a header of a megabyte must not fill the disk. */
const longestField = 2_000

const shorten = (value: unknown): unknown =>
  typeof value === 'string' && value.length > longestField ? `${value.slice(0, longestField)}…` : value

/** Longest trace of where an error came from, its causes among it. */
const longestStack = 8_000

type Told = ReturnType<typeof stdSerializers.err>

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/**
 * An error with its causes, and of what it carries beside only what is one value: whole objects are documents that a
 * store refused, with bodies and addresses in them, or what a client sent.
 */
const lean = ({ stack, aggregateErrors, ...rest }: Told): object => ({
  ...Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (isPlain(value) ? [[name, shorten(value)]] : [])),
  ),
  stack: stack?.slice(0, longestStack),
  ...(aggregateErrors && { aggregateErrors: aggregateErrors.map(lean) }),
})

const errorOf = (thrown: unknown): unknown => (thrown instanceof Error ? lean(stdSerializers.err(thrown)) : thrown)

const forPeople = () => PinoPretty({ singleLine: true, ignore: 'pid,hostname,service', translateTime: 'HH:MM:ss.l' })

/** Bytes that may wait for a reader of our output that has stalled; lines beyond are dropped, mail goes on. */
const longestBacklog = 16 * 2 ** 20

/** Written beside the work, not in it: what comes while a write is under way goes with the next. */
const forMachines = () => destination({ dest: process.stdout.fd, sync: false, maxLength: longestBacklog })

/** Leads from a line to its trace. */
const traceOf = (): { trace_id?: string } => {
  const trace_id = currentTraceId()
  return trace_id === undefined ? {} : { trace_id }
}

/**
 * Structured log lines on standard output: JSON, or made readable where that is a terminal.
 * Callers log ids, sizes and outcomes; never bodies, keys or addresses.
 */
export const makeLog = (service: string, level: string, into?: DestinationStream): Log => {
  const stream = into ?? (process.stdout.isTTY ? forPeople() : forMachines())
  const options = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    ...(isTracing() && { mixin: traceOf }),
    serializers: { err: errorOf },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (line: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(line).map(([name, value]) => [name, shorten(value)])),
    },
  }
  return pino(options, stream)
}
