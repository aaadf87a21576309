import { globSync } from 'node:fs'

/** Spec files that one mocha process runs. Suites of a group share a cluster or standalone process. */
export type Group = {
  name: string
  specs: readonly string[]
  /** Approximate duration alongside other groups on two slow cores. Long groups start first. */
  seconds: number
  /** The cores that it uses on average: the CPU time that the run prints for it, divided by its duration. */
  cores: number
  /** Whether it starts every service, which `npm test` does for a sample only. */
  cluster?: boolean
  /**
   * Whether it starts about a dozen processes. Only one such group runs at a time, with a higher priority than the
   * others: these processes answer 503 when they wait for a core for seconds.
   */
  heavy?: boolean
  env?: Record<string, string>
}

/** Set of tests that a command runs: `npm test`, `npm run test:cluster` and `npm run test:all`. */
export type Part = 'test' | 'cluster' | 'all'

const inFolder = (folder: string, ...names: string[]): string[] => names.map((name) => `${folder}/${name}.test.ts`)

const onCluster = { POSTRIDER_E2E: 'cluster' }

/** A file belongs to the first group that names it, so a later one can name the whole folder. */
const groups: readonly Group[] = [
  { name: 'processes of a cluster', specs: inFolder('test/cluster', 'processes', 'up'), seconds: 20, cores: 0.7 },
  {
    name: 'one process of each service',
    specs: inFolder('test/cluster', 'secured', 'tracing', 'withoutStore'),
    seconds: 80,
    cores: 0.7,
    cluster: true,
  },
  { name: 'cluster', specs: ['test/cluster/**/*.test.ts'], seconds: 285, cores: 1.1, cluster: true, heavy: true },
  {
    name: 'faults on a cluster',
    specs: ['test/faults/cluster/*.test.ts'],
    seconds: 270,
    cores: 1.1,
    cluster: true,
    heavy: true,
  },
  {
    name: 'upgrade of a cluster',
    specs: inFolder('test/upgrade', 'cluster'),
    seconds: 100,
    cores: 1.2,
    cluster: true,
    heavy: true,
  },
  {
    name: 'e2e on a cluster',
    specs: ['test/e2e/**/*.test.ts', ...inFolder('test/browser', 'serving', 'story')],
    seconds: 460,
    cores: 0.9,
    cluster: true,
    heavy: true,
    env: onCluster,
  },
  // Each of its tests starts a service of its own, in a process or in that of the tests.
  {
    name: 'e2e, starts and stops',
    specs: inFolder(
      'test/e2e',
      'billingMonths',
      'brokenClients',
      'connections',
      'deletedWorkspace',
      'lifecycle',
      'localClients',
      'oneMachine',
      'operatorToken',
      'proxy',
      'queueShares',
      'smtpUtf8',
      'smuggling',
      'stop',
      'tracing',
    ),
    seconds: 155,
    cores: 0.25,
  },
  {
    name: 'e2e, programs and attacks',
    specs: inFolder(
      'test/e2e',
      'accountAttacks',
      'attacks',
      'cli',
      'examples',
      'fuzz',
      'guides',
      'protocol',
      'reach',
      'recipes',
      'referencePrograms',
      'strangers',
      'unfinishedBodies',
      'webhookAttacks',
    ),
    seconds: 160,
    cores: 0.25,
  },
  {
    name: 'e2e, mail and templates',
    specs: inFolder(
      'test/e2e',
      'attachments',
      'batch',
      'idempotency',
      'international',
      'oneEmail',
      'outcomes',
      'recipients',
      'retention',
      'retentionMarker',
      'scheduling',
      'sending',
      'signing',
      'suspension',
      'templateChanges',
      'templateVersions',
      'templates',
    ),
    seconds: 115,
    cores: 0.15,
  },
  { name: 'e2e', specs: ['test/e2e/**/*.test.ts'], seconds: 105, cores: 0.3 },
  { name: 'faults', specs: ['test/faults/**/*.test.ts'], seconds: 290, cores: 0.25 },
  { name: 'browser', specs: ['test/browser/**/*.test.ts'], seconds: 260, cores: 0.6 },
  { name: 'contract', specs: ['test/contract/**/*.test.ts', 'test/backends/**/*.test.ts'], seconds: 390, cores: 0.3 },
  { name: 'standalone', specs: ['services/standalone/**/*.test.ts'], seconds: 140, cores: 0.5 },
  { name: 'services', specs: ['services/**/*.test.ts'], seconds: 135, cores: 0.45 },
  { name: 'packages', specs: ['packages/**/*.test.ts'], seconds: 280, cores: 0.25 },
  { name: 'kube', specs: ['test/kube/**/*.test.ts'], seconds: 85, cores: 0.45 },
  { name: 'hostile tenant', specs: ['test/hostile/*.test.ts'], seconds: 20, cores: 0.6 },
  { name: 'upgrade', specs: ['test/upgrade/**/*.test.ts'], seconds: 30, cores: 0.55 },
  { name: 'other', specs: ['test/**/*.test.ts'], seconds: 7, cores: 1 },
]

/**
 * What `npm test` runs of the groups that start every service: the mail of one cluster, from the request to the server
 * that receives it.
 */
const clusterSample: Group = {
  name: 'sample on a cluster',
  specs: inFolder('test/e2e', 'sending', 'outcomes', 'templates', 'idempotency', 'batch', 'quota', 'keys', 'webhooks'),
  seconds: 75,
  cores: 0.5,
  cluster: true,
  heavy: true,
  // Two dispatchers compete for claims and share due notifications as three do. Each uses 7 % of the CPU.
  env: { ...onCluster, POSTRIDER_E2E_DISPATCHERS: '2' },
}

/**
 * The groups of `npm run test:quick`. They need no back end and take about a minute, so they leave out what measures
 * the turns of a single process, what starts processes or waits for connections, the build of the dashboard, and two
 * slow files about rules that faster ones check too: other programs that verify DKIM, and each known reply as a server
 * sends it.
 */
export const quickGroups: readonly Group[] = [
  {
    name: 'gateway',
    specs: ['services/gateway/**/!(answers|connections|documents|longMessage|utf8Steps).test.ts'],
    seconds: 25,
    cores: 0.8,
  },
  {
    name: 'services',
    specs: ['services/!(dashboard|gateway|standalone)/**/*.test.ts', 'services/dashboard/!(build)/**/*.test.ts'],
    seconds: 22,
    cores: 0.8,
  },
  { name: 'mail', specs: ['packages/mail/**/!(dkimVerifiers).test.ts'], seconds: 20, cores: 0.75 },
  {
    name: 'adapters',
    specs: ['packages/adapters/**/!(checkPeer|connect|recordScheduler|refusals).test.ts'],
    seconds: 15,
    cores: 0.8,
  },
  {
    name: 'packages',
    specs: ['packages/!(adapters|kit|mail)/**/*.test.ts', 'packages/kit/!(listen|run).test.ts'],
    seconds: 10,
    cores: 0.6,
  },
  { name: 'architecture', specs: ['test/architecture/*.test.ts', 'test/citations.test.ts'], seconds: 2, cores: 1 },
  { name: 'e2e', specs: inFolder('test/e2e', 'sending', 'outcomes'), seconds: 10, cores: 0.5 },
]

/**
 * Returns the groups with files in place of patterns, without groups that have no file. A file belongs to the first
 * group that names it, so a later one can name the whole folder.
 * @param paths files and folders to which the run is limited; empty: everything
 */
export const withFiles = (all: readonly Group[], paths: readonly string[]): Group[] => {
  const isIncluded = (file: string): boolean =>
    paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`))
  const assigned = new Set<string>()
  return all.flatMap((group) => {
    // A file can run once in each environment.
    const key = (file: string): string => `${JSON.stringify(group.env ?? {})} ${file}`
    const files = globSync([...group.specs])
      .filter((file) => !file.includes('node_modules/') && !assigned.has(key(file)))
      .toSorted()
    for (const file of files) assigned.add(key(file))
    const specs = files.filter(isIncluded)
    return specs.length === 0 ? [] : [{ ...group, specs }]
  })
}

/**
 * Returns the groups of a part. `npm test` runs a sample of the groups that start every service, `npm run test:cluster`
 * all of these.
 * @param paths as for `withFiles`
 */
export const groupsOf = (part: Part, paths: readonly string[] = []): Group[] => {
  const all = withFiles(groups, paths)
  if (part === 'all') return all
  const isCluster = ({ cluster = false }: Group): boolean => cluster
  return part === 'cluster'
    ? all.filter(isCluster)
    : [...withFiles([clusterSample], paths), ...all.filter((group) => !isCluster(group))]
}
