import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type Child, startChild } from '../backends/process.ts'
import { compiledIn, resolvingOnce, root } from '../support/project.ts'
import { startArguments } from '../support/standalone.ts'
import { seldom, until } from '../support/until.ts'

/** The flags for Node of `npm start`, which the chart sets too, except the size of the heap, which is the chart's. */
export const nodeFlags: readonly string[] = startArguments(root).filter((flag) => /^--(v8-pool|max-semi)/.test(flag))

export const serviceNames = [
  'accounts',
  'templates',
  'quota',
  'domains',
  'webhooks',
  'intake',
  'dispatcher',
  'gateway',
] as const
export type ServiceName = (typeof serviceNames)[number]

/** One process of a cluster. It can be started again after it has ended. */
export type Member = {
  service: ServiceName
  number: number
  /** The port of its main server, or null for a dispatcher. */
  port: number | null
  opsUrl: string
  pid(): number
  running(): boolean
  /** Returns the output of all its runs, both streams. */
  output(): string
  ready(): Promise<boolean>
  /** Starts it and waits until it is ready. @param tree the tree of its program. Default: the previous one */
  start(tree?: string): Promise<void>
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
  kill9(): Promise<void>
  /** Sends SIGSTOP; `resume` sends SIGCONT. */
  pause(): void
  resume(): void
}

type MakeMemberOptions = {
  service: ServiceName
  number: number
  port: number | null
  opsPort: number
  env: Record<string, string>
  /** Flags for Node. */
  flags: readonly string[]
  /** Folder of the project that contains its program. */
  tree: string
  /** Receives what it prints. Then only the end of it stays in memory. */
  print?: ((text: string) => void) | undefined
}

/** Texts that stay in memory if they are also printed elsewhere. */
const maxChunks = 50

const readyMs = 360_000
/** More frequent requests would slow down a dozen processes that start at the same time. */
const pollEveryMs = 60

export const makeMember = (options: MakeMemberOptions): Member => {
  const chunks: string[] = []
  const opsUrl = `http://127.0.0.1:${options.opsPort}`
  let child: Child | null = null
  let { tree } = options

  const running = (): boolean => child !== null && !child.hasEnded()
  /** The last response of /readyz, which names what the process lacks. */
  let readyz = 'no response yet'
  const ready = async (): Promise<boolean> => {
    try {
      const response = await fetch(`${opsUrl}/readyz`)
      readyz = `${response.status} ${(await response.text()).trim()}`
      return response.status === 200
    } catch (thrown) {
      const { message, cause } = thrown as Error
      readyz = cause instanceof Error ? `${message}: ${cause.message}` : message
      return false
    }
  }
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child && running()) process.kill(child.pid, name)
    } catch (thrown) {
      // The process has ended, but its shell has not reported that yet.
      if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown
    }
  }
  const end = async (name: NodeJS.Signals): Promise<number | null> => {
    signal(name)
    const code = (await child?.ended) ?? null
    child = null
    return code
  }
  return {
    service: options.service,
    number: options.number,
    port: options.port,
    opsUrl,
    pid: () => child?.pid ?? 0,
    running,
    output: () => chunks.join(''),
    ready,
    start: async (from = tree) => {
      const program = `services/${options.service}/main.ts`
      // A service that an older tree does not have runs from this one, as during an upgrade and a rollback.
      tree = existsSync(join(from, program)) ? from : root
      child = await startChild({
        command: process.execPath,
        args: [...nodeFlags, ...options.flags, ...resolvingOnce, program],
        env: { ...compiledIn(tree), ...options.env },
        cwd: tree,
        print: (text) => {
          chunks.push(text)
          if (options.print === undefined) return
          options.print(text)
          if (chunks.length > maxChunks) chunks.shift()
        },
      })
      const name = `${options.service} ${options.number}`
      await until(
        `${name} is ready`,
        async () => {
          if (!running()) throw new Error(`${name} ended during its start:\n${chunks.join('')}`)
          return (await ready()) ? true : undefined
        },
        readyMs,
        seldom(pollEveryMs),
      ).catch((reason: Error) => {
        throw new Error(`${reason.message}\nlast /readyz: ${readyz}\nend of its log:\n${chunks.join('').slice(-4_000)}`)
      })
    },
    stop: () => end('SIGTERM'),
    kill9: async () => void (await end('SIGKILL')),
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
  }
}
