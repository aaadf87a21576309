import process from 'node:process'
import type { ConfigFaults } from './config.ts'

/** What a process opens: the last opened is closed first. */
export type Open = {
  use<T extends AsyncDisposable | Disposable>(resource: T): T
  defer(close: () => Promise<void> | void): void
  /** Ends the process in order, with exit code 1: for faults nobody can mend in place. */
  fail(reason: unknown): void
}

const explain = (reason: unknown): string =>
  reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)

const printConfigFaults = (name: string, faults: readonly string[]): void => {
  process.stderr.write(`${name}: nothing was started, the configuration has ${faults.length} fault(s):\n`)
  for (const fault of faults) process.stderr.write(`  ${fault}\n`)
}

/**
 * Runs a process: `main` opens what it needs; SIGTERM or SIGINT closes it all, last opened first, and the process ends
 * by itself once nothing is left to do. Exit codes: 0 asked to stop, 1 fault, 2 bad configuration.
 * @param name of the process, for its lines on standard error
 * @param read its configuration, or every fault of it
 */
export const run = async <Config>(
  name: string,
  read: { config: Config } | ConfigFaults,
  main: (open: Open, config: Config) => Promise<void>,
): Promise<void> => {
  if ('faults' in read) {
    printConfigFaults(name, read.faults)
    process.exitCode = 2
    return
  }
  const stack = new AsyncDisposableStack()
  const ended = Promise.withResolvers<void>()
  const fail = (reason: unknown): void => {
    process.exitCode = 1
    process.stderr.write(`${name}: ${explain(reason)}\n`)
    ended.resolve()
  }
  process.once('SIGTERM', () => ended.resolve())
  process.once('SIGINT', () => ended.resolve())
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  const open: Open = { use: (resource) => stack.use(resource), defer: (close) => stack.defer(close), fail }
  await main(open, read.config).then(() => ended.promise, fail)
  await stack.disposeAsync().catch(fail)
}
