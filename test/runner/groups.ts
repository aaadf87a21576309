import { globSync } from 'node:fs'

/** Spec files that one mocha process runs. Suites of a group share what they start: a cluster, a standalone process. */
export type Group = {
  name: string
  specs: readonly string[]
  /** About how long it takes on two quiet cores with a group on each; long groups start first. */
  seconds: number
  /** Starts about a dozen processes. Two such groups would starve each other. */
  heavy?: boolean
  env?: Record<string, string>
}

const clusterSpecs = (...names: string[]): string[] => names.map((name) => `test/cluster/${name}.test.ts`)

/** A file belongs to the first group that names it, so the last group of a folder can name the whole folder. */
export const groups: readonly Group[] = [
  { name: 'faults on a cluster', specs: ['test/faults/cluster/*.test.ts'], seconds: 130, heavy: true },
  { name: 'single processes of a cluster', specs: clusterSpecs('processes', 'secured', 'tracing', 'up'), seconds: 50 },
  { name: 'cluster', specs: ['test/cluster/**/*.test.ts'], seconds: 90, heavy: true },
  { name: 'upgrade', specs: ['test/upgrade/**/*.test.ts'], seconds: 70, heavy: true },
  { name: 'faults', specs: ['test/faults/**/*.test.ts'], seconds: 110 },
  { name: 'e2e', specs: ['test/e2e/**/*.test.ts'], seconds: 100 },
  { name: 'contract', specs: ['test/contract/**/*.test.ts', 'test/backends/**/*.test.ts'], seconds: 80 },
  { name: 'kube', specs: ['test/kube/**/*.test.ts'], seconds: 60 },
  { name: 'services', specs: ['services/**/*.test.ts'], seconds: 15 },
  { name: 'packages', specs: ['packages/**/*.test.ts'], seconds: 25 },
  { name: 'other', specs: ['test/**/*.test.ts'], seconds: 5 },
  {
    name: 'e2e on a cluster',
    specs: ['test/e2e/**/*.test.ts'],
    seconds: 60,
    heavy: true,
    env: { POSTRIDER_E2E: 'cluster' },
  },
]

/** The part that needs no back end and takes less than a minute: unit tests, architecture, a few sends end to end. */
export const quickGroups: readonly Group[] = [
  { name: 'services', specs: ['services/**/*.test.ts'], seconds: 15 },
  { name: 'packages', specs: ['packages/**/*.test.ts'], seconds: 15 },
  { name: 'architecture', specs: ['test/architecture.test.ts', 'test/citations.test.ts'], seconds: 2 },
  { name: 'e2e', specs: ['sending', 'outcomes'].map((name) => `test/e2e/${name}.test.ts`), seconds: 10 },
]

const isModule = (path: string): boolean => !path.includes('node_modules/')

/**
 * Returns the groups with their files in place of patterns, without those that have none.
 * @param wanted files and folders that a run is narrowed to; none: everything
 */
export const filled = (all: readonly Group[], wanted: readonly string[]): Group[] => {
  const isWanted = (file: string): boolean =>
    wanted.length === 0 || wanted.some((one) => file === one || file.startsWith(`${one.replace(/\/$/, '')}/`))
  const taken = new Set<string>()
  return all.flatMap((group) => {
    // The same files with another environment are another group.
    const key = (file: string): string => `${JSON.stringify(group.env ?? {})} ${file}`
    const files = globSync([...group.specs])
      .filter((file) => isModule(file) && !taken.has(key(file)))
      .toSorted()
    for (const file of files) taken.add(key(file))
    const specs = files.filter(isWanted)
    return specs.length === 0 ? [] : [{ ...group, specs }]
  })
}
