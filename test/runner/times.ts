import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../support/project.ts'
import type { Ran } from './mocha.ts'
import { type Timed, timesText } from './report.ts'

const file = join(root, 'node_modules/.cache/postrider-tests/times.json')

/** Returns the duration of each file, summed over the groups that ran it. */
export const timesOf = (runs: readonly Ran[]): Timed[] => {
  const times = new Map<string, number>()
  for (const one of runs.flatMap(({ files }) => files)) times.set(one.file, (times.get(one.file) ?? 0) + one.ms)
  return [...times].map(([name, ms]) => ({ file: name, ms }))
}

/** Stores the durations for `npm run test:times`. */
export const storeTimes = (times: readonly Timed[]): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(times))
}

// `npm run test:times`
if (import.meta.main) {
  const text = existsSync(file)
    ? timesText(JSON.parse(readFileSync(file, 'utf8')) as Timed[], { slowest: 25 })
    : 'No times are stored. Run `npm test` without arguments first.'
  console.log(text)
}
