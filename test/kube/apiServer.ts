import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { withTools } from '../../charts/gen/tools.ts'
import { type Child, startChild } from '../backends/process.ts'
import { freePort } from '../support/freePort.ts'
import { until } from '../support/until.ts'
import { type CommandResult, mustRun, run } from './command.ts'
import { fakeNodes, node } from './fakeNodes.ts'
import { binFolder } from './kubeBinaries.ts'

/**
 * A real API server with its controllers and scheduler, on loopback, with simulated nodes. Every admitted pod is
 * scheduled and becomes ready immediately; its image is not run.
 */
export type Kube = AsyncDisposable & {
  /** Returns the output.
   * @throws Error with the output */
  kubectl(...args: string[]): Promise<string>
  helm(...args: string[]): Promise<CommandResult>
  /** Runs a line that an operator types in a shell. */
  shell(line: string): Promise<CommandResult>
  /** Applies objects.
   * @throws Error with the output */
  apply(...objects: object[]): Promise<void>
  /** Returns all objects of a kind in a namespace. */
  list<T>(namespace: string, kind: string): Promise<T[]>
}

/** A warning in the output of helm or kubectl, except that of the chart's notes about single replicas. */
export const apiWarning = /warn(?!ing: only one replica)/i

const startMs = 60_000

/** One line in the format in which container engines write logs. */
const podLog = (): string => `${new Date().toISOString()} stdout F a line of a simulated pod\n`

/** Returns a namespace under the pod security standard "restricted". */
export const restrictedNamespace = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' },
  },
})

const kubeconfig = (port: number, authority: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': authority } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'tests', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'tests',
  })

/** Starts all processes in a temporary folder, which is removed when they stop. */
export const startKube = async (): Promise<Kube> => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-kube-'))
  const at = (name: string): string => join(folder, name)
  const [etcd, peer, api, controllers, scheduler, kubelet] = await Promise.all([1, 2, 3, 4, 5, 6].map(freePort))
  const token = randomBytes(16).toString('hex')
  const started: Child[] = []
  const start = async (name: string, args: Record<string, string | number | boolean>): Promise<void> => {
    const given = Object.entries(args).map(([option, value]) => `--${option}=${value}`)
    started.push(await startChild({ command: join(binFolder, name), args: given, removeFolder: folder }))
  }
  const kubectl = (...args: string[]): Promise<string> =>
    mustRun(join(binFolder, 'kubectl'), '--kubeconfig', at('admin.conf'), ...args)
  const untilSucceeds = (...args: string[]) =>
    until(
      `kubectl ${args.join(' ')}`,
      () => {
        const dead = started.find((program) => program.hasEnded())
        if (dead) throw new Error(dead.lastOutput())
        return kubectl(...args).catch(() => undefined)
      },
      startMs,
    )
  const apply = async (...objects: object[]): Promise<void> => {
    await writeFile(at('applied.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
    await kubectl('apply', '--server-side', '--filename', at('applied.json'))
  }
  const stop = async (): Promise<void> => {
    for (const program of started.toReversed()) {
      if (!program.hasEnded()) process.kill(program.pid, 'SIGKILL')
      await program.ended
    }
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await writeFile(at('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 })
    await writeFile(at('admin.conf'), kubeconfig(api ?? 0, at('certs/apiserver.crt'), token), { mode: 0o600 })
    await run('openssl', ['genrsa', '-out', at('sa.key'), '2048'])
    await run('openssl', ['rsa', '-in', at('sa.key'), '-pubout', '-out', at('sa.pub')])
    await start('etcd', {
      'data-dir': at('etcd'),
      'listen-client-urls': `http://127.0.0.1:${etcd}`,
      'advertise-client-urls': `http://127.0.0.1:${etcd}`,
      'listen-peer-urls': `http://127.0.0.1:${peer}`,
      'initial-advertise-peer-urls': `http://127.0.0.1:${peer}`,
      'initial-cluster': `default=http://127.0.0.1:${peer}`,
      'unsafe-no-fsync': true,
      'log-level': 'error',
    })
    await start('kube-apiserver', {
      'etcd-servers': `http://127.0.0.1:${etcd}`,
      'bind-address': '127.0.0.1',
      'advertise-address': '127.0.0.1',
      'secure-port': api ?? 0,
      'endpoint-reconciler-type': 'none',
      'cert-dir': at('certs'),
      'service-cluster-ip-range': '10.96.0.0/16',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': at('sa.pub'),
      'service-account-signing-key-file': at('sa.key'),
      'authorization-mode': 'RBAC',
      'token-auth-file': at('tokens.csv'),
      'kubelet-preferred-address-types': 'InternalIP',
    })
    await untilSucceeds('get', '--raw', '/readyz')
    const asAdmin = { kubeconfig: at('admin.conf') }
    const controller = { ...asAdmin, 'leader-elect': false, 'bind-address': '127.0.0.1' }
    await start('kube-controller-manager', {
      ...controller,
      'secure-port': controllers ?? 0,
      'cert-dir': at('certs-controllers'),
      'service-account-private-key-file': at('sa.key'),
      'root-ca-file': at('certs/apiserver.crt'),
      'horizontal-pod-autoscaler-sync-period': '1s',
    })
    await start('kube-scheduler', { ...controller, 'secure-port': scheduler ?? 0, 'cert-dir': at('certs-scheduler') })
    await writeFile(at('pod.log'), podLog())
    await writeFile(at('kwok.yaml'), await fakeNodes(at('pod.log')))
    await start('kwok', {
      ...asAdmin,
      config: at('kwok.yaml'),
      'manage-all-nodes': false,
      'manage-nodes-with-annotation-selector': 'kwok.x-k8s.io/node=fake',
      'node-ip': '127.0.0.1',
      'node-port': kubelet ?? 0,
      'server-address': `127.0.0.1:${kubelet}`,
      'tls-cert-file': at('certs/apiserver.crt'),
      'tls-private-key-file': at('certs/apiserver.key'),
    })
    await apply(...[1, 2, 3].map(node))
    await kubectl('wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s')
    await untilSucceeds('get', 'serviceaccount', 'default')
  } catch (thrown) {
    await stop()
    throw thrown
  }
  return {
    kubectl,
    apply,
    helm: (...args) => run('helm', ['--kubeconfig', at('admin.conf'), ...args]),
    shell: (line) => {
      const path = `${binFolder}:${withTools()['PATH']}`
      return run('env', [`KUBECONFIG=${at('admin.conf')}`, `PATH=${path}`, 'sh', '-c', line])
    },
    list: async <T>(namespace: string, kind: string) =>
      (JSON.parse(await kubectl('--namespace', namespace, 'get', kind, '--output', 'json')) as { items: T[] }).items,
    [Symbol.asyncDispose]: stop,
  }
}
