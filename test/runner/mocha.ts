import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { compiledIn, root } from '../support/project.ts'
import type { Group } from './groups.ts'

export type Skipped = { suite: string; test: string; reason: string }

/** The result file that reporter.cjs writes. */
type Result = {
  passed: number
  failed: number
  skipped: Skipped[]
  /** CPU milliseconds of mocha and its ended children, or null if the system has no /proc. */
  cpuMs: number | null
  files: { file: string; ms: number }[]
  failureText: string
  /** What kept the process from its end although all its tests had ended, or null. */
  stayedOpen: string | null
}

export type Ran = Result & {
  group: Group
  /** Wall clock of the whole process. */
  ms: number
  /** Why the group failed without a failed test, or null. */
  problem: string | null
  /** Both output streams, in order. */
  output: string
}

const bin = fileURLToPath(import.meta.resolve('mocha/bin/mocha.js'))
const reporter = fileURLToPath(new URL('reporter.cjs', import.meta.url))

/**
 * By how much the priority of light groups is lower than that of this process; what they start inherits it. Their tests
 * wait, while the processes of a cluster answer 503 when they do not get a core.
 */
const lightPriority = 5
const lowestPriority = 19

/**
 * A process that has not exited this long after its last test is killed. It ends by itself earlier, unless it is
 * blocked.
 */
const lingerMs = 140_000

const noResult: Result = {
  passed: 0,
  failed: 0,
  skipped: [],
  cpuMs: null,
  files: [],
  failureText: '',
  stayedOpen: null,
}

/** Runs a group in a mocha process. @param args arguments for mocha @param env variables in addition to the group's */
export const runGroup = async (
  group: Group,
  { args, env }: { args: readonly string[]; env: Record<string, string> },
): Promise<Ran> => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-run-'))
  const file = join(folder, 'result.json')
  const startedAt = performance.now()
  const report = ['--reporter', reporter, '--reporter-option', `result=${file}`]
  const child = spawn(process.execPath, [bin, ...report, ...args, ...group.specs], {
    cwd: root,
    env: { ...process.env, ...compiledIn(root), ...env, ...group.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Relative to this process, because without privileges no process may raise a priority.
  if (child.pid !== undefined && group.heavy !== true)
    setPriority(child.pid, Math.min(lowestPriority, getPriority() + lightPriority))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let reportedAt: number | null = null
  let linger: string | null = null
  const watch = setInterval(() => {
    if (existsSync(file)) reportedAt ??= performance.now()
    if (reportedAt === null || performance.now() - reportedAt < lingerMs) return
    const hasExited = child.exitCode !== null || child.signalCode !== null
    linger = hasExited ? 'a process that it started still holds its output' : 'its main thread was blocked'
    child.kill('SIGKILL')
    // What it started may still hold its streams.
    child.stdout.destroy()
    child.stderr.destroy()
  }, 1_000)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  const result = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Result,
    () => null,
  )
  await rm(folder, { recursive: true, force: true })
  const { failed, stayedOpen } = result ?? noResult
  // An argument can select another reporter, which writes no result.
  const lacksResult = result === null && !args.some((one) => /^(--reporter|-R)\b/.test(one))
  const ended = code !== 0 && failed === 0 ? `mocha ended with ${code ?? 'a signal'}` : null
  const stayed =
    stayedOpen === null ? null : `mocha could not end after its last test, because these stayed open: ${stayedOpen}`
  const blocked = linger === null ? null : `mocha did not end after its last test: ${linger}`
  const problem = stayed ?? blocked ?? ended ?? (lacksResult ? 'mocha wrote no result' : null)
  return { ...(result ?? noResult), group, ms: performance.now() - startedAt, problem, output }
}
