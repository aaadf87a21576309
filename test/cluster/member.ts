import process from 'node:process'
import { type Child, startChild } from '../backends/process.ts'
import { compiledIn } from '../support/project.ts'
import { until } from '../support/until.ts'

/** For Node, as the chart has them: tests and the bench look at what runs. */
export const nodeFlags = ['--max-semi-space-size=4'] as const

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
  /** @param tree whose programs it runs from now on; otherwise that of its life before */
  start(tree?: string): Promise<void>
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
  kill9(): Promise<void>
  /** SIGSTOP and SIGCONT. */
  pause(): void
  resume(): void
}

type Given = {
  service: ServiceName
  number: number
  port: number | null
  opsPort: number
  env: Record<string, string>
  /** For Node. */
  flags: readonly string[]
  /** Folder of the project whose programs it runs. */
  tree: string
}

const readyMs = 60_000
/** A dozen processes that start at once would be slowed down by requests that come more often. */
const lookEveryMs = 60

export const makeMember = (given: Given): Member => {
  const chunks: string[] = []
  const opsUrl = `http://127.0.0.1:${given.opsPort}`
  let life: Child | null = null
  let { tree } = given

  const running = (): boolean => life !== null && !life.hasEnded()
  const ready = (): Promise<boolean> =>
    fetch(`${opsUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (life && running()) process.kill(life.pid, name)
    } catch (thrown) {
      // It ended a moment before its shell told us.
      if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown
    }
  }
  const end = async (name: NodeJS.Signals): Promise<number | null> => {
    signal(name)
    const code = (await life?.ended) ?? null
    life = null
    return code
  }
  return {
    service: given.service,
    number: given.number,
    port: given.port,
    opsUrl,
    pid: () => life?.pid ?? 0,
    running,
    output: () => chunks.join(''),
    ready,
    start: async (from = tree) => {
      tree = from
      life = await startChild({
        command: process.execPath,
        args: [...nodeFlags, ...given.flags, `services/${given.service}/main.ts`],
        env: { ...compiledIn(tree), ...given.env },
        cwd: tree,
        print: (text) => void chunks.push(text),
      })
      const name = `${given.service} ${given.number}`
      await until(
        `${name} is ready`,
        async () => {
          if (!running()) throw new Error(`${name} ended instead of starting:\n${chunks.join('')}`)
          return (await ready()) ? true : undefined
        },
        readyMs,
        lookEveryMs,
      ).catch((reason: Error) => {
        throw new Error(`${reason.message}\n${chunks.join('').slice(-4_000)}`)
      })
    },
    stop: () => end('SIGTERM'),
    kill9: async () => void (await end('SIGKILL')),
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
  }
}
