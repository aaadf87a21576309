import { globSync } from 'node:fs'

/** Spec files that one mocha process runs. Suites of a group share a cluster or standalone process. */
export type Group = {
  name: string
  specs: readonly string[]
  /** Approximate duration beside other groups on two slow cores. Long groups start first. */
  seconds: number
  /**
   * The cores that it uses on average: the CPU time that the run prints for it, divided by its duration. A cluster gets more,
   * because its processes answer 503 when they wait for a core for seconds.
   */
  cores: number
  /** Whether it starts about a dozen processes. Two such groups would slow each other down. */
  heavy?: boolean
  env?: Record<string, string>
}

const clusterSpecs = (...names: string[]): string[] => names.map((name) => `test/cluster/${name}.test.ts`)

/** The groups of a full run. A file belongs to the first group that names it, so a later one can name the whole folder. */
export const groups: readonly Group[] = [
  { name: 'faults on a cluster', specs: ['test/faults/cluster/*.test.ts'], seconds: 400, cores: 1.2, heavy: true },
  {
    name: 'single processes of a cluster',
    specs: clusterSpecs('processes', 'secured', 'tracing', 'up'),
    seconds: 115,
    cores: 1,
  },
  { name: 'cluster', specs: ['test/cluster/**/*.test.ts'], seconds: 400, cores: 1.2, heavy: true },
  { name: 'upgrade', specs: ['test/upgrade/**/*.test.ts'], seconds: 110, cores: 1.4, heavy: true },
  { name: 'faults', specs: ['test/faults/**/*.test.ts'], seconds: 560, cores: 0.4 },
  { name: 'e2e', specs: ['test/e2e/**/*.test.ts'], seconds: 900, cores: 0.5 },
  { name: 'contract', specs: ['test/contract/**/*.test.ts', 'test/backends/**/*.test.ts'], seconds: 380, cores: 0.6 },
  { name: 'hostile tenant', specs: ['test/hostile/*.test.ts'], seconds: 25, cores: 0.9 },
  { name: 'kube', specs: ['test/kube/**/*.test.ts'], seconds: 75, cores: 1 },
  { name: 'browser', specs: ['test/browser/**/*.test.ts'], seconds: 90, cores: 1 },
  { name: 'services', specs: ['services/**/*.test.ts'], seconds: 120, cores: 0.9 },
  { name: 'packages', specs: ['packages/**/*.test.ts'], seconds: 130, cores: 0.7 },
  { name: 'other', specs: ['test/**/*.test.ts'], seconds: 5, cores: 1 },
  {
    name: 'e2e on a cluster',
    specs: ['test/e2e/**/*.test.ts', 'test/browser/serving.test.ts', 'test/browser/story.test.ts'],
    seconds: 450,
    cores: 1.3,
    heavy: true,
    env: { POSTRIDER_E2E: 'cluster' },
  },
]

/** The groups of `npm run test:quick`. They need no back end and take less than a minute. */
export const quickGroups: readonly Group[] = [
  { name: 'services', specs: ['services/**/*.test.ts'], seconds: 15, cores: 1.2 },
  { name: 'packages', specs: ['packages/**/*.test.ts'], seconds: 15, cores: 1.2 },
  { name: 'architecture', specs: ['test/architecture.test.ts', 'test/citations.test.ts'], seconds: 2, cores: 1 },
  { name: 'e2e', specs: ['sending', 'outcomes'].map((name) => `test/e2e/${name}.test.ts`), seconds: 10, cores: 0.5 },
]

/**
 * Returns the groups with files in place of patterns, without groups that have no file.
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
