import { lookup, resolveSrv } from 'node:dns/promises'
import { isIP } from 'node:net'
import { withTimeout } from '@postrider/kit/deadline.ts'
import { every } from '@postrider/kit/every.ts'
import { outageLog } from '@postrider/kit/failureLog.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Open } from '@postrider/kit/run.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import { collectorUrls } from '@postrider/kit/telemetry.ts'

/** A host name of the configuration. */
export type HostName = {
  /** The variable that contains it. */
  variable: string
  name: string
  /** Whether its SRV records are looked up, as for `mongodb+srv:`, and not its addresses. */
  isSrv?: boolean
}

const hostOf = (part: string): string => part.trim().replace(/:\d+$/, '')

const hostsOfList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value).split(',')).map((part) => hostOf(String(part)))

const hostOfUrl = (value: unknown): string[] => (URL.canParse(String(value)) ? [new URL(String(value)).hostname] : [])

/**
 * Returns the hosts of `mongodb://login@host:port,host:port/database?options`. Node cannot parse a URL with several
 * hosts.
 */
const mongoHosts = (value: unknown): string[] =>
  hostsOfList(/^[^:]+:\/\/(?:[^@/?#]*@)?(?<hosts>[^@/?#]+)/.exec(String(value))?.groups?.['hosts'] ?? '')

const routeHost = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && 'host' in value ? [String(value.host)] : []

/** How the hosts are read from each variable that names a dependency. */
const hostsIn: Readonly<Record<string, (value: unknown) => string[]>> = {
  MONGODB_URL: mongoHosts,
  REDIS_URL: hostOfUrl,
  KAFKA_BROKERS: hostsOfList,
  POSTRIDER_ACCOUNTS: hostsOfList,
  POSTRIDER_TEMPLATES: hostsOfList,
  POSTRIDER_QUOTA: hostsOfList,
  POSTRIDER_INTAKE: hostsOfList,
  POSTRIDER_DOMAINS: hostsOfList,
  POSTRIDER_WEBHOOKS: hostsOfList,
  POSTRIDER_ROUTE: routeHost,
  OTEL_EXPORTER_OTLP_ENDPOINT: hostOfUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: hostOfUrl,
}

/** An address, `localhost`, and the path of a socket need no name server. */
const isName = (host: string): boolean =>
  host !== '' && host !== 'localhost' && !host.includes('%') && isIP(host.replace(/^\[(.*)\]$/, '$1')) === 0

/** Returns the names of a configuration that a name server must resolve. */
export const hostNamesIn = (config: Readonly<Record<string, unknown>>): HostName[] =>
  Object.entries(hostsIn).flatMap(([variable, hosts]) => {
    const value = config[variable]
    if (value === undefined) return []
    const isSrv = String(value).startsWith('mongodb+srv:')
    return [...new Set(hosts(value))].filter(isName).map((name) => ({ variable, name, ...(isSrv && { isSrv }) }))
  })

const resolve = ({ name, isSrv }: HostName): Promise<unknown> =>
  isSrv ? resolveSrv(`_mongodb._tcp.${name}`) : lookup(name)

export type WatchNamesOptions = {
  log: Pick<Log, 'info' | 'warn'>
  names: readonly HostName[]
  /** Aborted: the process stops and waits for no lookup. */
  stopping: AbortSignal
  resolve?: (host: HostName) => Promise<unknown>
  /** Time limit of one lookup; the system itself may wait for 40 s. */
  answerMs?: number
  delayMs?: (failed: boolean) => number
}

/** A name that does not resolve is looked up every 2 s, others once a minute, which costs little. */
const defaultDelayMs = (failed: boolean): number => (failed ? 2_000 : 60_000)

/**
 * Looks up the names of the dependencies periodically and logs each that does not resolve, with its variable and the
 * error: `ENOTFOUND`, `EAI_AGAIN`, `timeout`. Drivers report only that a server does not answer, or nothing at all.
 */
export const watchNames = (options: WatchNamesOptions): AsyncDisposable => {
  const { names, delayMs = defaultDelayMs } = options
  const checks = names.map((host) => nameCheck(host, options))
  let areMissing = false
  const checkAll = async (): Promise<void> => {
    const missing = await Promise.all(checks.map((check) => check()))
    areMissing = missing.includes(true)
  }
  return every(checkAll, { delayMs: () => delayMs(areMissing), startNow: true, onError: () => {} })
}

export type OpenNameWatchOptions = {
  open: Pick<Open, 'use' | 'stopping'>
  config: Readonly<Record<string, unknown>>
  log: Log
}

/** Watches the names in the configuration of a process, and of the collector of its traces. */
export const openNameWatch = ({ open, config, log }: OpenNameWatchOptions): void => {
  const names = hostNamesIn({ ...config, ...collectorUrls })
  if (names.length > 0) open.use(watchNames({ log, names, stopping: open.stopping }))
}

/** Returns a function that looks a name up once and logs what changed. @returns whether the name did not resolve */
const nameCheck = (host: HostName, options: WatchNamesOptions): (() => Promise<boolean>) => {
  const { log, stopping, resolve: query = resolve, answerMs = 3_000 } = options
  const { variable, name } = host
  const outage = outageLog(log, {
    fields: { variable, name },
    failed: 'name does not resolve',
    reasonField: 'error',
    recovered: 'name resolves again',
  })
  // A lookup that hangs occupies a thread, so there is one at a time.
  const lookUp = singleFlight(() => query(host).then(() => '', errorCode))

  return async () => {
    const error = (await withTimeout(answerMs, lookUp.run(), { stopping })) ?? 'timeout'
    if (stopping.aborted) return false
    if (error === '') outage.recovered()
    else outage.failed(error)
    return error !== ''
  }
}

/** Returns a code such as `ENOTFOUND`. */
const errorCode = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown)
  return 'code' in thrown ? String(thrown.code) : thrown.message
}
