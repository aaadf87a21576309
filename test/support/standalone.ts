import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compiledIn, resolvingOnce, root } from './project.ts'
import { until } from './until.ts'

/**
 * Returns the arguments of `npm start` after `exec node`. They include the heap limits, which affect what tests
 * measure.
 */
export const startArguments = (tree: string): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.split(' ').slice(2)
}

export const operatorToken = 'operator-token-of-the-tests-0123456789'

export type Standalone = {
  url: string
  data: string
  pid: number
  /** The text printed so far, both streams. */
  output(): string
  /** The structured lines of the output. */
  logs(): Record<string, unknown>[]
  /** Sends SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>
  kill9(): Promise<void>
}

/** Ends a start that hangs. */
const startMs = 360_000

export type Ended = { code: number | null; output: string }

type Running = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

const launch = (data: string, env: Record<string, string>, tree: string): Running => {
  const child = spawn(process.execPath, [...resolvingOnce, ...startArguments(tree)], {
    cwd: tree,
    env: { PATH: process.env['PATH'], ...compiledIn(tree), PORT: '0', POSTRIDER_DATA: data, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, output: () => chunks.join(''), ended }
}

const jsonLines = (output: string): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const announcedUrl = (output: string): string | undefined => {
  const line = jsonLines(output).find((one) => one['msg'] === 'listening' && typeof one['url'] === 'string')
  return line?.['url'] as string | undefined
}

const isReady = (url: string): Promise<boolean> =>
  fetch(new URL('/readyz', url)).then(
    (response) => response.status === 200,
    () => false,
  )

/**
 * Starts the standalone process as `npm start` does and waits until it is ready.
 * @param data the data directory; undefined: a new one
 * @param tree the folder of the project whose program runs
 */
export const startStandalone = async (
  env: Record<string, string> = {},
  data?: string,
  tree = root,
): Promise<Standalone> => {
  const directory = data ?? (await makeDataDirectory())
  const { child, output, ended } = launch(directory, env, tree)
  const state: { ended: boolean } = { ended: false }
  ended.then(() => {
    state.ended = true
  })
  const url = await until(
    'standalone is ready',
    async () => {
      if (state.ended) throw new Error(`standalone ended before it was ready:\n${output()}`)
      const found = announcedUrl(output())
      return found !== undefined && (await isReady(found)) ? found : undefined
    },
    startMs,
  ).catch(async (reason: Error) => {
    child.kill('SIGKILL')
    await ended
    if (data === undefined) await removeDataDirectory(directory)
    throw new Error(`${reason.message}\n${output()}`)
  })
  const signal = async (name: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    child.kill(name)
    return ended
  }
  return {
    url,
    data: directory,
    pid: child.pid ?? 0,
    output,
    logs: () => jsonLines(output()),
    stop: () => signal('SIGTERM'),
    kill9: () => signal('SIGKILL').then(() => undefined),
  }
}

/** Runs a standalone process that is expected to end by itself. Returns its exit code and output. */
export const runStandalone = async (env: Record<string, string>, data?: string, tree = root): Promise<Ended> => {
  const directory = data ?? (await makeDataDirectory())
  const { child, output, ended } = launch(directory, env, tree)
  const timer = setTimeout(() => child.kill('SIGKILL'), startMs)
  const code = await ended
  clearTimeout(timer)
  if (data === undefined) await removeDataDirectory(directory)
  return { code, output: output() }
}

export const makeDataDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'postrider-e2e-'))

export const removeDataDirectory = (directory: string): Promise<void> => rm(directory, { recursive: true, force: true })
