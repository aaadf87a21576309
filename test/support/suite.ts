import process from 'node:process'
import { clusterBackends, whyNoCluster } from '../backends/backends.ts'
import { startCluster } from '../cluster/cluster.ts'
import { type Client, connect } from './client.ts'
import { cpuMsOf } from './cost.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { skip } from './skip.ts'
import { operatorToken, removeDataDirectory, type Standalone, startStandalone } from './standalone.ts'

/** How long the first suite waits for all of it: a fresh machine fetches the back ends first. */
const startMs = 400_000

/** A running service with a real SMTP server behind it. */
export type System = {
  client: Client
  receiver: Receiver
  /** null: the service is a cluster, or was running already. */
  standalone: Standalone | null
  /** CPU milliseconds that all its processes have used; wall clock where this system does not tell. */
  cpuMs(): number
  stop(): Promise<void>
}

/** Address of a service that already runs; its route must lead to `POSTRIDER_E2E_SINK_PORT` of this machine. */
const target = process.env['POSTRIDER_E2E_URL']

/** `cluster`: every service its own process, several of each; otherwise one process does all. */
const composition = process.env['POSTRIDER_E2E'] ?? 'standalone'

const joinTarget = async (url: string): Promise<System> => {
  const token = process.env['POSTRIDER_E2E_OPERATOR_TOKEN']
  const port = process.env['POSTRIDER_E2E_SINK_PORT']
  if (token === undefined || port === undefined)
    throw new Error('POSTRIDER_E2E_URL needs POSTRIDER_E2E_OPERATOR_TOKEN and POSTRIDER_E2E_SINK_PORT')
  const receiver = await startReceiver({ port: Number(port), host: '0.0.0.0' })
  return {
    client: connect(url, token),
    receiver,
    standalone: null,
    cpuMs: () => performance.now(),
    stop: async () => {},
  }
}

const settingsFor = (receiver: Receiver): Record<string, string> => ({
  POSTRIDER_ROUTE: receiver.route,
  POSTRIDER_OPERATOR_TOKEN: operatorToken,
  // The tests come from many "addresses" by X-Forwarded-For, or the sign-up limit would end them after ten.
  POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
  LOG_LEVEL: 'debug',
})

const startOneProcess = async (): Promise<System> => {
  const receiver = await startReceiver()
  const standalone = await startStandalone(settingsFor(receiver))
  const stop = async (): Promise<void> => {
    await standalone.stop()
    await removeDataDirectory(standalone.data)
  }
  const cpuMs = () => cpuMsOf([standalone.pid])
  return { client: connect(standalone.url, operatorToken), receiver, standalone, cpuMs, stop }
}

/** @returns null: one of its back ends is not available */
const startOwnCluster = async (): Promise<System | null> => {
  const backends = await clusterBackends()
  if (backends === null) return null
  const receiver = await startReceiver()
  const cluster = await startCluster({ backends, env: settingsFor(receiver) })
  const stop = async (): Promise<void> => cluster[Symbol.asyncDispose]()
  const cpuMs = () => cpuMsOf(cluster.members.map(({ pid }) => pid()))
  return { client: connect(cluster.url, operatorToken), receiver, standalone: null, cpuMs, stop }
}

const start = (): Promise<System | null> => {
  if (target !== undefined) return joinTarget(target)
  return composition === 'cluster' ? startOwnCluster() : startOneProcess()
}

// The one system that all files of this run share: a process a file would cost more than the tests do.
let shared: Promise<System | null> | undefined

const sharedSystem = (): Promise<System | null> => {
  shared ??= start()
  return shared
}

after(async function stopShared() {
  this.timeout(60_000)
  const system = await shared?.catch(() => null)
  if (!system) return
  system.client.close()
  await system.stop()
  await system.receiver.close()
})

/** To be called in a `describe`: gives its tests the shared system; they are skipped where a cluster can't be had. */
export const useSystem = (): (() => System) => {
  let system: System | null = null
  before(async function startShared() {
    this.timeout(startMs)
    system = await sharedSystem()
    if (system === null) skip(this, whyNoCluster)
  })
  return () => {
    if (system === null) throw new Error('the system is there inside of tests only')
    return system
  }
}

/** Skips the `describe` that calls it, whose tests start the one process themselves, where another service is tested. */
export const needsOwnProcess = (): void => {
  before(function skipElsewhere() {
    if (target !== undefined || composition === 'cluster')
      skip(this, 'tests of the single process run without a cluster')
  })
}

/** Starts a service of the caller's own beside a client of it; disposed with everything it kept. */
export const ownSystem = async (
  env: Record<string, string>,
): Promise<AsyncDisposable & { standalone: Standalone; client: Client }> => {
  const standalone = await startStandalone({
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    ...env,
  })
  const client = connect(standalone.url, operatorToken)
  return {
    standalone,
    client,
    [Symbol.asyncDispose]: async () => {
      client.close()
      await standalone.stop()
      await removeDataDirectory(standalone.data)
    },
  }
}
