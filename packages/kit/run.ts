import process from 'node:process'
import { inspect } from 'node:util'
import type { ConfigErrors, ReadConfig } from './config.ts'
import { endNow, untilIdle } from './endProcess.ts'
import { Fault } from './fault.ts'
import { collectBuffersWithHeap } from './idleMemory.ts'
import type { Redact } from './redact.ts'

/** The resources of a process: the last opened is closed first. */
export type Open = {
  use<T extends AsyncDisposable | Disposable>(resource: T): T
  defer(close: () => Promise<void> | void): void
  /** Stops the process in order, with exit code 1: for an error that only a restart can resolve. */
  fail(reason: unknown): void
  /** Stops the process in order, with exit code 0: for a process whose work is done. Requires `isTask`. */
  finish(): void
  /** Aborted when the process is to stop, before anything closes. */
  stopping: AbortSignal
  /** Returns why the process stops: the name of the signal, `error` or `finished`; empty while it runs. */
  stopReason(): string
  /** Removes the secrets of the configuration from a text. */
  redact: Redact
}

/** Returns the message of a Fault, and anything else with its stack. */
const explain = (reason: unknown): string => {
  if (reason instanceof Fault)
    return reason.cause instanceof Error ? `${reason.message} (${reason.cause.message})` : reason.message
  return reason instanceof Error ? inspect(reason) : String(reason)
}

const printConfigErrors = (name: string, errors: readonly string[]): void => {
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`
  process.stderr.write(`${name}: invalid configuration (${count}); see docs/config.md\n`)
  for (const error of errors) process.stderr.write(`  ${error}\n`)
}

/**
 * Ignores errors of an output that has no reader. As uncaught errors they would be reported on that output, and so
 * without end.
 */
const ignoreLostOutput = (): void => {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}

/** How long further signals count as the same one: npm forwards Ctrl-C to a child that has received it already. */
const echoMs = 1_000

const onStopSignal = (stop: (signal: string) => void): void => {
  const signals = ['SIGTERM', 'SIGINT'] as const
  const onSignal = (signal: string): void => {
    stop(signal)
    setTimeout(() => {
      for (const signal of signals) process.off(signal, onSignal)
    }, echoMs).unref()
  }
  for (const signal of signals) process.on(signal, onSignal)
}

/**
 * How long what is left in the event loop may delay the end, and then the last spans: their export has its own limit of
 * 3 s.
 */
const [maxDelayMs, maxSpansMs] = [1_500, 3_500]

/** Ends the process soon, even if a driver left work in its event loop. */
const endSoon = async (name: string): Promise<void> => {
  let left = await untilIdle(maxDelayMs)
  if (left.length === 0) {
    // As Node does, for those who have something to send last.
    process.emit('beforeExit', Number(process.exitCode ?? 0))
    left = await untilIdle(maxSpansMs)
  }
  if (left.length > 0) process.stderr.write(`${name}: ended without waiting for ${left.join(', ')}\n`)
  endNow()
}

/**
 * Runs a process: `main` opens its resources. SIGTERM or SIGINT closes them, last opened first, and the process ends
 * when its event loop is empty, or 1.5 s later; a signal more than a second after the first ends it immediately. Exit
 * codes: 0 stopped, 1 error, 2 invalid configuration. Of a Fault only the message is printed, so an error that an
 * operator can resolve is thrown as one.
 * @param name of the process, for its lines on standard error
 * @param read the configuration, or its errors
 * @param isTask whether the process ends when its work is done: if a signal stops it earlier, it exits with 1, because
 *   others rely on the work of a task that exits with 0
 */
export const run = async <Config>(
  name: string,
  read: ReadConfig<Config> | ConfigErrors,
  main: (open: Open, config: Config) => Promise<void>,
  { isTask = false } = {},
): Promise<void> => {
  ignoreLostOutput()
  collectBuffersWithHeap()
  for (const variable of read.unknown) {
    const meant = read.meant?.[variable]
    const advice = meant === undefined ? 'see docs/config.md' : `did you mean ${meant}?`
    process.stderr.write(`${name}: unknown variable ${variable} has no effect; ${advice}\n`)
  }
  if ('errors' in read) {
    printConfigErrors(name, read.errors)
    process.exitCode = 2
    return
  }
  const { redact = (text) => text } = read
  const stack = new AsyncDisposableStack()
  const ended = Promise.withResolvers<void>()
  const stopping = new AbortController()
  let stopReason = ''
  const stop = (reason: string): void => {
    // The first reason is the cause of what follows.
    stopReason ||= reason
    stopping.abort()
    ended.resolve()
  }
  const fail = (reason: unknown): void => {
    process.exitCode = 1
    process.stderr.write(`${name}: ${redact(explain(reason))}\n`)
    stop('error')
  }
  let isFinished = false
  const stopEarly = (signal: string): void => {
    stopReason ||= signal
    if (isTask && !isFinished && !stopping.signal.aborted)
      fail(new Fault('unavailable', 'Stopped before the work was done.'))
    else stop(signal)
  }
  onStopSignal(stopEarly)
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  const open: Open = {
    use: (resource) => stack.use(resource),
    defer: (close) => stack.defer(close),
    fail,
    finish: () => {
      isFinished = true
      stop('finished')
    },
    stopping: stopping.signal,
    stopReason: () => stopReason,
    redact,
  }
  const started = main(open, read.config).catch((thrown: unknown) => {
    if (!(thrown instanceof Fault && thrown.cause === stopping.signal)) fail(thrown)
  })
  await started.then(() => ended.promise)
  await stack.disposeAsync().catch(fail)
  await endSoon(name)
}
