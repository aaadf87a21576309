import type { Group } from './groups.ts'
import type { Ran, Skipped } from './mocha.ts'

export type Timed = { file: string; ms: number }

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/**
 * Returns the counts of a group, the output of its tests and its failures, which are known long before the end of the
 * run.
 */
export const groupText = ({ group, passed, failed, skipped, problem, ms, cpuMs, output, failureText }: Ran): string => {
  const counts = [`${passed} passed`, ...(failed > 0 ? [`${failed} FAILED`] : [])]
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`)
  if (problem !== null) counts.push(problem)
  const head = `${group.name}: ${counts.join(', ')}, ${seconds(ms)}${cpuMs === null ? '' : ` (CPU ${seconds(cpuMs)})`}`
  const details = [output.trimEnd(), ...(failed > 0 ? [failureText.trimEnd()] : [])]
  return `${head}\n${indented(details.join('\n'))}`.trimEnd()
}

/** Lines of the output of a group that ended without a failed test, but not as it should. */
const shownLines = 20

/** Returns all failures, each under its group. */
export const failuresText = (runs: readonly Ran[]): string =>
  runs
    .flatMap(({ group, failureText, failed, problem, output }) => {
      if (failed > 0) return [`${group.name}:\n${failureText}`]
      if (problem === null) return []
      const end = output.trimEnd().split('\n').slice(-shownLines).join('\n')
      return [`${group.name}: ${problem}\n${indented(end)}\n`]
    })
    .join('\n')

/** Returns the reasons for skipped tests, each with its suites. */
export const skippedText = (runs: readonly Ran[]): string => {
  const named = runs.flatMap(({ group, skipped }) => skipped.map((one) => ({ ...one, group: group.name })))
  const reasons = Object.entries(Object.groupBy(named, ({ reason }) => reason))
  return reasons.map(([reason, all = []]) => `${reason}\n${suiteLines(all)}`).join('\n')
}

const suiteLines = (all: readonly (Skipped & { group: string })[]): string =>
  Object.entries(Object.groupBy(all, ({ suite, group }) => `${group}: ${suite}`))
    .map(([suite, tests = []]) => `  ${suite} (${tests.length})`)
    .join('\n')

/** Returns the groups that did not run, with the number of their files. */
export const leftText = (groups: readonly Group[]): string =>
  groups.map(({ name, specs }) => `  ${name} (${specs.length} ${specs.length === 1 ? 'file' : 'files'})`).join('\n')

/** Returns the folder under which the table of times counts a file, at most three levels deep. */
const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 3).join('/')

/** The table of times omits shorter times. */
const shownMs = 500

/** Returns a table of all folders, slowest first, and one of the `slowest` slowest files. */
export const timesText = (files: readonly Timed[], { slowest }: { slowest: number }): string => {
  const folders = Object.entries(Object.groupBy(files, ({ file }) => folderOf(file))).map(([file, all = []]) => ({
    file: `${file} (${all.length})`,
    ms: sum(all.map(({ ms }) => ms)),
  }))
  const table = (rows: readonly Timed[]): string =>
    rows
      .filter(({ ms }) => ms >= shownMs)
      .toSorted((one, other) => other.ms - one.ms)
      .map(({ file, ms }) => `${seconds(ms).padStart(10)}  ${file}`)
      .join('\n')
  const top = files.toSorted((one, other) => other.ms - one.ms).slice(0, slowest)
  return slowest === 0 ? table(folders) : `${table(folders)}\n\n${table(top)}`
}

/** Returns the last line of a run, which CI reads. */
export const countsText = (runs: readonly Ran[]): string => {
  const [passed, skipped] = [sum(runs.map((one) => one.passed)), sum(runs.map((one) => one.skipped.length))]
  // A group that failed without a failed test counts as one failure.
  const failed = sum(runs.map((one) => one.failed + (one.problem === null ? 0 : 1)))
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
