import process from 'node:process'
import { seldom, until } from '../support/until.ts'
import { type Child, type Command, startChild } from './process.ts'

/**
 * A back end that only its caller uses, so tests can kill and pause it. Disposing of it ends it and removes its data
 * unless the caller chose their folder.
 */
export type Instance = AsyncDisposable & {
  /** In the form that the services accept: a MongoDB URL, `host:port` of a broker, a Redis URL. */
  address: string
  /** The id of the server process. It changes with each restart. */
  readonly pid: number
  /** Resolves when the process has ended. */
  kill9(): Promise<void>
  /** Sends SIGTERM, and SIGKILL after 10 s. */
  stop(): Promise<void>
  /** Sends SIGSTOP: connections stay open, and nothing responds. */
  pause(): void
  resume(): void
  /** Stops it if it runs, and starts it at the same address. */
  restart(): Promise<void>
}

export type StartInstanceOptions = {
  name: string
  address: string
  command: Command
  isResponding: () => Promise<boolean>
  /** Runs after the process has ended and will not start again. */
  afterEnd?: () => Promise<void>
  /** Whether disposing sends SIGTERM, because the data outlive the instance. Otherwise it sends SIGKILL. */
  stopsGracefully: boolean
}

const [startMs, stopMs, pollEveryMs] = [180_000, 10_000, 50]

/** Starts a back end and waits until it responds. */
export const startInstance = async (options: StartInstanceOptions): Promise<Instance> => {
  const { address, command, afterEnd, stopsGracefully } = options
  const launch = async (): Promise<Child> => {
    const child = await startChild(command)
    await untilResponding(child, options)
    return child
  }
  let server = await launch().catch(async (reason: Error) => {
    await afterEnd?.()
    throw reason
  })
  const signal = (name: NodeJS.Signals): void => {
    if (!server.hasEnded()) process.kill(server.pid, name)
  }
  const kill9 = async (): Promise<void> => {
    signal('SIGKILL')
    await server.ended
  }
  const stop = async (): Promise<void> => {
    signal('SIGTERM')
    signal('SIGCONT')
    const timer = setTimeout(() => signal('SIGKILL'), stopMs)
    await server.ended
    clearTimeout(timer)
  }
  return {
    address,
    get pid() {
      return server.pid
    },
    kill9,
    stop,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    restart: async () => {
      await stop()
      server = await launch()
    },
    [Symbol.asyncDispose]: async () => {
      await (stopsGracefully ? stop() : kill9())
      await afterEnd?.()
    },
  }
}

const untilResponding = async (server: Child, { name, address, isResponding }: StartInstanceOptions): Promise<void> => {
  const check = async (): Promise<true | undefined> => {
    if (server.hasEnded()) throw new Error(`${name} ended during its start`)
    return (await isResponding()) || undefined
  }
  try {
    await until(`${name} responds on ${address}`, check, startMs, seldom(pollEveryMs))
  } catch (reason) {
    if (!server.hasEnded()) process.kill(server.pid, 'SIGKILL')
    await server.ended
    throw new Error(`${reason instanceof Error ? reason.message : reason}\n${server.lastOutput()}`)
  }
}
