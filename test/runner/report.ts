import type { Ran, Skipped } from './mocha.ts'

export type Timed = { file: string; ms: number }

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** Lines for a group that has ended: its counts, and what its tests printed. */
export const groupText = ({ group, passed, failed, skipped, problem, ms, cpuMs, output }: Ran): string => {
  const counts = [`${passed} passed`, ...(failed > 0 ? [`${failed} FAILED`] : [])]
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`)
  if (problem !== null) counts.push(problem)
  return `${group.name}: ${counts.join(', ')}, ${seconds(ms)}${cpuMs === null ? '' : ` (CPU ${seconds(cpuMs)})`}\n${indented(output.trimEnd())}`.trimEnd()
}

/** Lines for all failures, under the group each happened in. */
export const failuresText = (runs: readonly Ran[]): string =>
  runs
    .flatMap(({ group, failureText, failed, problem }) => {
      if (failed > 0) return [`${group.name}:\n${failureText}`]
      return problem === null ? [] : [`${group.name}: ${problem}; its output is above.\n`]
    })
    .join('\n')

/** Lines for what was skipped: each reason, and the suites it holds for. */
export const skippedText = (runs: readonly Ran[]): string => {
  const named = runs.flatMap(({ group, skipped }) => skipped.map((one) => ({ ...one, group: group.name })))
  const reasons = Object.entries(Object.groupBy(named, ({ reason }) => reason))
  return reasons.map(([reason, all = []]) => `${reason}\n${suiteLines(all)}`).join('\n')
}

const suiteLines = (all: readonly (Skipped & { group: string })[]): string =>
  Object.entries(Object.groupBy(all, ({ suite, group }) => `${group}: ${suite}`))
    .map(([suite, tests = []]) => `  ${suite} (${tests.length})`)
    .join('\n')

/** The folder that the table of times adds a file to: at most three levels deep. */
const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 3).join('/')

/** Shorter times are left out of the table. */
const shownMs = 500

/** A table of folders, the slowest first, and of the `slowest` slowest files. */
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

/** The last line of a run, which CI reads. */
export const countsText = (runs: readonly Ran[]): string => {
  const [passed, skipped] = [sum(runs.map((one) => one.passed)), sum(runs.map((one) => one.skipped.length))]
  // A group that failed without a failed test counts as one failure.
  const failed = sum(runs.map((one) => one.failed + (one.problem === null ? 0 : 1)))
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
