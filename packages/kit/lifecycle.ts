import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Log } from './log.ts'
import type { Open } from './run.ts'

/** Addresses on which a process listens: URLs, or ports of gRPC. */
export type Addresses = Record<string, string | number>

/** Returns the version of the program: the one in the package.json of the project. */
const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}

/**
 * Logs the life of a process: `started`, `stopping` when a signal or an error ends it, and `stopped` when everything
 * that was opened after this call is closed. Call it before anything else is opened.
 * @param composition `null`: a task, which has no port
 * @returns a function to call when requests may come
 */
export const logLifecycle = (
  open: Open,
  log: Pick<Log, 'info'>,
  composition: 'standalone' | 'cluster' | null,
): ((addresses?: Addresses) => void) => {
  let stoppingAt = performance.now()
  open.stopping.addEventListener('abort', () => {
    stoppingAt = performance.now()
    log.info({ reason: open.stopReason() }, 'stopping')
  })
  open.defer(() => {
    const durationMs = Math.round(performance.now() - stoppingAt)
    log.info({ reason: open.stopReason(), duration_ms: durationMs, uptime_s: Math.round(process.uptime()) }, 'stopped')
  })
  return (addresses = {}) => {
    const duration_ms = Math.round(process.uptime() * 1_000)
    const fields = { version: readVersion(), ...(composition && { composition }), node: process.version }
    log.info({ ...fields, ...addresses, duration_ms }, 'started')
  }
}
