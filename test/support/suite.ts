import process from 'node:process'
import { clusterBackends, whyNoCluster } from '../backends/backends.ts'
import { type Cluster, outputsOf, startCluster } from '../cluster/cluster.ts'
import { type Client, connect } from './client.ts'
import { cpuMsOf, hasProc } from './cost.ts'
import { type DnsServer, startDnsServer } from './dnsServer.ts'
import { warningsOf } from './failureLogs.ts'
import { waitForMidnight } from './midnight.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { skip } from './skip.ts'
import { operatorToken, removeDataDirectory, type Standalone, startStandalone } from './standalone.ts'

/** The longest start of the shared system. A fresh machine downloads the back ends first. */
const startMs = 400_000

/** A running service with a real SMTP server behind it. */
export type System = {
  client: Client
  receiver: Receiver
  /** The DNS that checks of sending domains query; null if the service was running already. */
  dns: DnsServer | null
  /** null if the service is a cluster, or was running already. */
  standalone: Standalone | null
  /** null if the service is one process, or was running already. */
  cluster: Cluster | null
  /** Returns the CPU milliseconds of all its running processes; null: they are not known, or there is no /proc. */
  cpuMs: (() => number) | null
  stop(): Promise<void>
}

/**
 * The address of a service that already runs. Its mail route must lead to `POSTRIDER_E2E_SINK_PORT` of this machine.
 */
const target = process.env['POSTRIDER_E2E_URL']

/** `cluster`: several processes of every service; otherwise one standalone process. */
const composition = process.env['POSTRIDER_E2E'] ?? 'standalone'

/** Number of dispatchers of a cluster. */
const dispatchers = Number(process.env['POSTRIDER_E2E_DISPATCHERS'] ?? 3)

const joinTarget = async (url: string): Promise<System> => {
  const token = process.env['POSTRIDER_E2E_OPERATOR_TOKEN']
  const port = process.env['POSTRIDER_E2E_SINK_PORT']
  if (token === undefined || port === undefined)
    throw new Error('POSTRIDER_E2E_URL needs POSTRIDER_E2E_OPERATOR_TOKEN and POSTRIDER_E2E_SINK_PORT')
  const receiver = await startReceiver({ port: Number(port), host: '0.0.0.0' })
  return {
    client: connect(url, token),
    receiver,
    dns: null,
    standalone: null,
    cluster: null,
    cpuMs: null,
    stop: async () => {},
  }
}

/** Domain to which mail of the shared system's customers bounces. */
export const bounceDomain = 'bounces.postrider.example'

const settingsFor = (receiver: Receiver, dns: DnsServer): Record<string, string> => ({
  POSTRIDER_ROUTE: receiver.route,
  POSTRIDER_DNS: dns.address,
  POSTRIDER_BOUNCE_DOMAIN: bounceDomain,
  // The receivers of webhooks listen on loopback.
  POSTRIDER_WEBHOOK_ALLOW: '127.0.0.0/8',
  POSTRIDER_OPERATOR_TOKEN: operatorToken,
  // Tests sign up from many addresses with X-Forwarded-For: one address can only sign up ten times. Clients at other
  // addresses of this machine, such as 127.0.0.2, are not trusted.
  POSTRIDER_TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
  LOG_LEVEL: 'debug',
})

/**
 * Starts the servers that a system sends to and queries. They are closed if `startSystem` fails: open ones would keep
 * the run alive.
 */
const withServers = async <T>(startSystem: (receiver: Receiver, dns: DnsServer) => Promise<T>): Promise<T> => {
  const [receiver, dns] = [await startReceiver(), await startDnsServer({ zones: {} })]
  try {
    return await startSystem(receiver, dns)
  } catch (thrown) {
    await receiver.close()
    await dns[Symbol.asyncDispose]()
    throw thrown
  }
}

const startOneProcess = async (receiver: Receiver, dns: DnsServer): Promise<System> => {
  const standalone = await startStandalone(settingsFor(receiver, dns))
  const stop = async (): Promise<void> => {
    const code = await standalone.stop()
    await removeDataDirectory(standalone.data)
    // Tests that found no service do not show why it ended.
    if (code !== 0) throw new Error(`standalone ended with ${code}:\n${standalone.output().slice(-4_000)}`)
  }
  const cpuMs = hasProc ? () => cpuMsOf([standalone.pid]) : null
  return { client: connect(standalone.url, operatorToken), receiver, dns, standalone, cluster: null, cpuMs, stop }
}

/** Returns null if a back end is not available. */
const startOwnCluster = async (): Promise<System | null> => {
  const backends = await clusterBackends()
  if (backends === null) return null
  return withServers(async (receiver, dns) => {
    const cluster = await startCluster({
      backends,
      replicas: { dispatcher: dispatchers },
      env: settingsFor(receiver, dns),
    })
    const stop = async (): Promise<void> => cluster[Symbol.asyncDispose]()
    const running = () => cluster.members.filter((one) => one.running()).map(({ pid }) => pid())
    const cpuMs = hasProc ? () => cpuMsOf(running()) : null
    const client = connect(cluster.url, operatorToken, { isPatient: true })
    return { client, receiver, dns, standalone: null, cluster, cpuMs, stop }
  })
}

const start = (): Promise<System | null> => {
  if (target !== undefined) return joinTarget(target)
  return composition === 'cluster' ? startOwnCluster() : withServers(startOneProcess)
}

// All files of a run share one system, because a process for each file costs more time than the tests.
let shared: Promise<System | null> | undefined

const sharedSystem = (): Promise<System | null> => {
  shared ??= start()
  return shared
}

after(async function stopShared() {
  const system = await shared?.catch(() => null)
  if (!system) return
  const repeated = system.client.repeated()
  if (repeated > 0) console.log(`    ${repeated} requests were repeated after 503`)
  system.client.close()
  await system.stop()
  await system.receiver.close()
  await system.dns?.[Symbol.asyncDispose]()
})

/**
 * Returns the shared system to the tests of the calling `describe`. They are skipped if a cluster is wanted but not
 * available.
 */
export const useSystem = (): (() => System) => {
  let system: System | null = null
  before(async function startShared() {
    this.timeout(startMs)
    system = await sharedSystem()
    if (system === null) skip(this, whyNoCluster)
    await waitForMidnight()
  })
  beforeEach(waitForMidnight)
  afterEach(function printWarnings() {
    if (this.currentTest?.state !== 'failed' || system === null) return
    const { cluster, standalone } = system
    const alone = standalone ? [{ name: 'standalone', output: standalone.output() }] : []
    console.log(warningsOf(cluster ? outputsOf(cluster) : alone))
  })
  return () => {
    if (system === null) throw new Error('the system is only available in tests')
    return system
  }
}

/**
 * Skips the calling `describe`, whose tests start services of their own, if the run tests a cluster or another service.
 */
export const needsOwnProcess = (): void => {
  before(function skipElsewhere() {
    if (target !== undefined || composition === 'cluster')
      skip(this, 'tests of the single process run without a cluster')
  })
}

/**
 * Starts a standalone process for one suite, with a client. Disposal removes its data. A test that is not about the
 * process uses `ownService`, which costs a tenth of the CPU.
 * @param data the data directory; undefined: a new one
 */
export const ownSystem = async (
  env: Record<string, string>,
  data?: string,
): Promise<AsyncDisposable & { standalone: Standalone; client: Client }> => {
  const defaults = { POSTRIDER_OPERATOR_TOKEN: operatorToken, POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128' }
  const standalone = await startStandalone({ ...defaults, ...env }, data)
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
