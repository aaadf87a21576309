import process from 'node:process'
import { inspect } from 'node:util'
import type { ConfigFaults, ReadConfig } from './config.ts'
import { Fault } from './fault.ts'

/** What a process opens: the last opened is closed first. */
export type Open = {
  use<T extends AsyncDisposable | Disposable>(resource: T): T
  defer(close: () => Promise<void> | void): void
  /** Ends the process in order, with exit code 1: for faults nobody can mend in place. */
  fail(reason: unknown): void
  /** Ends the process in order, as if it were asked to stop: for one whose work has an end. */
  finish(): void
  /** Aborted when the process is to stop, before anything closes. */
  stopping: AbortSignal
}

/** A refusal in its own words; whatever else it is comes with where it came from. */
const explain = (reason: unknown): string => {
  if (reason instanceof Fault)
    return reason.cause instanceof Error ? `${reason.message} (${reason.cause.message})` : reason.message
  return reason instanceof Error ? inspect(reason) : String(reason)
}

const printConfigFaults = (name: string, faults: readonly string[]): void => {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  const where = 'docs/config.md tells of each variable'
  process.stderr.write(`${name}: nothing was started, its configuration has ${count}; ${where}:\n`)
  for (const fault of faults) process.stderr.write(`  ${fault}\n`)
}

/** How long signals after the first are taken for the same one: npm sends Ctrl-C on to a child that has it already. */
const echoMs = 1_000

const onStopSignal = (stop: () => void): void => {
  const signals = ['SIGTERM', 'SIGINT'] as const
  const heard = (): void => {
    stop()
    setTimeout(() => {
      for (const signal of signals) process.off(signal, heard)
    }, echoMs).unref()
  }
  for (const signal of signals) process.on(signal, heard)
}

/**
 * Runs a process: `main` opens what it needs; SIGTERM or SIGINT closes it all, last opened first, and the process ends
 * by itself once nothing is left to do; a signal more than a second later ends it at once.
 * Exit codes: 0 asked to stop, 1 fault, 2 bad configuration. A `Fault` is told in its own words alone, so what a person
 * can mend is thrown as one.
 * @param name of the process, for its lines on standard error
 * @param read its configuration, or every fault of it
 */
export const run = async <Config>(
  name: string,
  read: ReadConfig<Config> | ConfigFaults,
  main: (open: Open, config: Config) => Promise<void>,
): Promise<void> => {
  for (const variable of read.unknown) {
    process.stderr.write(`${name}: ${variable} is no variable of ours and has no effect; docs/config.md lists them\n`)
  }
  if ('faults' in read) {
    printConfigFaults(name, read.faults)
    process.exitCode = 2
    return
  }
  const stack = new AsyncDisposableStack()
  const ended = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
    ended.resolve()
  }
  const fail = (reason: unknown): void => {
    process.exitCode = 1
    process.stderr.write(`${name}: ${explain(reason)}\n`)
    stop()
  }
  onStopSignal(stop)
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  const open: Open = {
    use: (resource) => stack.use(resource),
    defer: (close) => stack.defer(close),
    fail,
    finish: stop,
    stopping: stopping.signal,
  }
  const started = main(open, read.config).catch((thrown: unknown) => {
    if (!(thrown instanceof Fault && thrown.cause === stopping.signal)) fail(thrown)
  })
  await started.then(() => ended.promise)
  await stack.disposeAsync().catch(fail)
}
