import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type Leashed, startLeashed } from '../backends/process.ts'
import { freePort } from '../support/freePort.ts'
import { until } from '../support/until.ts'
import { type Ended, runs } from './command.ts'
import { binFolder, kwokStages } from './kubeBinaries.ts'

/**
 * A real API server with its controllers and scheduler, on loopback, over nodes that aren't there: whatever is admitted is
 * scheduled, and each pod is ready at once, with nothing of its image run.
 */
export type Kube = AsyncDisposable & {
  /** @throws Error what it said */
  kubectl(...args: string[]): Promise<string>
  helm(...args: string[]): Promise<Ended>
  /** Applies manifests. @throws Error what it said */
  apply(text: string): Promise<void>
}

const startMs = 60_000

/** Pods of this image fail. */
export const brokenImage = 'postrider:broken'

const stage = (name: string, weight: number, expression: object, status: string): string =>
  JSON.stringify({
    kind: 'Stage',
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Pod' },
      selector: {
        matchExpressions: [
          expression,
          { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' },
          { key: '.status.phase', operator: 'In', values: ['Running'] },
        ],
      },
      weight,
      delay: { durationMilliseconds: 200 },
      next: { statusTemplate: status },
    },
  })

const ended = (phase: string, exitCode: number, reason: string): string => `{{ $now := Now }}
phase: ${phase}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: false
  started: false
  restartCount: 0
  state: { terminated: { exitCode: ${exitCode}, reason: ${reason}, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} } }
{{ end }}
`

/** kwok's own stages, and ours: the pod of `helm test` ends well, what runs a broken image badly. */
const stages = async (): Promise<string> => {
  const source = await kwokStages()
  const texts = [
    stage(
      'test-pod-ends',
      1,
      { key: '.metadata.annotations["helm.sh/hook"]', operator: 'Exists' },
      ended('Succeeded', 0, 'Completed'),
    ),
    stage(
      'broken-pod-fails',
      10_000,
      { key: '.spec.containers.[].image', operator: 'In', values: [brokenImage] },
      ended('Failed', 1, 'Error'),
    ),
  ]
  for (const folder of ['node/fast', 'node/heartbeat', 'pod/fast']) {
    for (const name of await readdir(join(source, folder))) {
      if (name !== 'kustomization.yaml') texts.push(await readFile(join(source, folder, name), 'utf8'))
    }
  }
  return texts.join('\n---\n')
}

const kubeconfig = (port: number, authority: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': authority } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'tests', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'tests',
  })

const node = (number: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${number}`,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: { 'kubernetes.io/hostname': `node-${number}`, 'topology.kubernetes.io/zone': `zone-${number}` },
    },
    status: {
      allocatable: { cpu: '16', memory: '64Gi', pods: '110' },
      capacity: { cpu: '16', memory: '64Gi', pods: '110' },
    },
  })

/** Starts all of it in a folder of its own, which goes with it. */
export const startKube = async (): Promise<Kube> => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-kube-'))
  const at = (name: string): string => join(folder, name)
  const [etcd, peer, api, controllers, scheduler] = await Promise.all([1, 2, 3, 4, 5].map(freePort))
  const token = randomBytes(16).toString('hex')
  const started: Leashed[] = []
  const start = async (name: string, args: Record<string, string | number | boolean>): Promise<void> => {
    const given = Object.entries(args).map(([option, value]) => `--${option}=${value}`)
    started.push(await startLeashed({ command: join(binFolder, name), args: given, trash: folder }))
  }
  const kubectl = async (...args: string[]): Promise<string> => {
    const { code, out, said } = await runs(join(binFolder, 'kubectl'), ['--kubeconfig', at('admin.conf'), ...args])
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}\n${said}`)
    return out
  }
  const answers = (...args: string[]) =>
    until(
      `kubectl ${args.join(' ')}`,
      () => {
        const dead = started.find((program) => program.over())
        if (dead) throw new Error(dead.output())
        return kubectl(...args).catch(() => undefined)
      },
      startMs,
    )
  const apply = async (text: string): Promise<void> => {
    await writeFile(at('applied.yaml'), text)
    await kubectl('apply', '--server-side', '--filename', at('applied.yaml'))
  }
  const stop = async (): Promise<void> => {
    for (const program of started.toReversed()) {
      if (!program.over()) process.kill(program.pid, 'SIGKILL')
      await program.ended
    }
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await writeFile(at('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 })
    await writeFile(at('admin.conf'), kubeconfig(api ?? 0, at('certs/apiserver.crt'), token), { mode: 0o600 })
    await runs('openssl', ['genrsa', '-out', at('sa.key'), '2048'])
    await runs('openssl', ['rsa', '-in', at('sa.key'), '-pubout', '-out', at('sa.pub')])
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
    })
    await answers('get', '--raw', '/readyz')
    const asAdmin = { kubeconfig: at('admin.conf') }
    const controller = { ...asAdmin, 'leader-elect': false, 'bind-address': '127.0.0.1' }
    await start('kube-controller-manager', {
      ...controller,
      'secure-port': controllers ?? 0,
      'cert-dir': at('certs-controllers'),
      'service-account-private-key-file': at('sa.key'),
      'root-ca-file': at('certs/apiserver.crt'),
    })
    await start('kube-scheduler', { ...controller, 'secure-port': scheduler ?? 0, 'cert-dir': at('certs-scheduler') })
    await writeFile(at('kwok.yaml'), await stages())
    await start('kwok', {
      ...asAdmin,
      config: at('kwok.yaml'),
      'manage-all-nodes': false,
      'manage-nodes-with-annotation-selector': 'kwok.x-k8s.io/node=fake',
      'node-ip': '127.0.0.1',
    })
    await apply([1, 2, 3].map(node).join('\n---\n'))
    await kubectl('wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s')
    await answers('get', 'serviceaccount', 'default')
  } catch (thrown) {
    await stop()
    throw thrown
  }
  return {
    kubectl,
    apply,
    helm: (...args) => runs('helm', ['--kubeconfig', at('admin.conf'), ...args]),
    [Symbol.asyncDispose]: stop,
  }
}
