import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { until } from '../support/until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export const serviceNames = ['accounts', 'templates', 'quota', 'intake', 'dispatcher', 'gateway'] as const
export type ServiceName = (typeof serviceNames)[number]

/** One process of a cluster; after a kill it can be started again as it was. */
export type Member = {
  service: ServiceName
  number: number
  /** Of its main server; null: a dispatcher has none. */
  port: number | null
  opsUrl: string
  pid(): number
  running(): boolean
  /** Everything all its lives printed, both streams. */
  output(): string
  ready(): Promise<boolean>
  start(): Promise<void>
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
  kill9(): Promise<void>
  /** SIGSTOP and SIGCONT. */
  pause(): void
  resume(): void
}

type Given = { service: ServiceName; number: number; port: number | null; opsPort: number; env: Record<string, string> }

type Life = { child: ChildProcess; ended: Promise<number | null> }

/** A process that dies with ours: a suite that is killed leaves nothing behind. */
const spawnService = ({ service, env }: Given, print: (text: string) => void): Life => {
  const child = spawn(process.execPath, ['--max-semi-space-size=4', `services/${service}/main.ts`], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.stdout.setEncoding('utf8').on('data', print)
  child.stderr.setEncoding('utf8').on('data', print)
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', kill)
    return code as number | null
  })
  return { child, ended }
}

const readyMs = 30_000

export const makeMember = (given: Given): Member => {
  const chunks: string[] = []
  const opsUrl = `http://127.0.0.1:${given.opsPort}`
  let life: Life | null = null

  const running = (): boolean => life !== null && life.child.exitCode === null && life.child.signalCode === null
  const ready = (): Promise<boolean> =>
    fetch(`${opsUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (!life) return null
    life.child.kill(signal)
    const code = await life.ended
    life = null
    return code
  }
  return {
    service: given.service,
    number: given.number,
    port: given.port,
    opsUrl,
    pid: () => life?.child.pid ?? 0,
    running,
    output: () => chunks.join(''),
    ready,
    start: async () => {
      life = spawnService(given, (text) => chunks.push(text))
      const name = `${given.service} ${given.number}`
      await until(
        `${name} is ready`,
        async () => {
          if (!running()) throw new Error(`${name} ended instead of starting:\n${chunks.join('')}`)
          return (await ready()) ? true : undefined
        },
        readyMs,
      ).catch((reason: Error) => {
        throw new Error(`${reason.message}\n${chunks.join('').slice(-4_000)}`)
      })
    },
    stop: () => end('SIGTERM'),
    kill9: async () => void (await end('SIGKILL')),
    pause: () => void life?.child.kill('SIGSTOP'),
    resume: () => void life?.child.kill('SIGCONT'),
  }
}
