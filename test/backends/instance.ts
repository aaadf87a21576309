import process from 'node:process'
import { until } from '../support/until.ts'
import { type Command, type Leashed, startLeashed } from './process.ts'

/** A back end of the caller's own, free to be hurt. Disposed, it is gone, with its data where nobody named a folder. */
export type Instance = AsyncDisposable & {
  /** In the form that the services take: a MongoDB URL, `host:port` of a broker, a Redis URL. */
  address: string
  /** Of the server itself; another after each restart. */
  readonly pid: number
  /** Resolves once it is dead. */
  kill9(): Promise<void>
  /** Asks it to end, and kills it where it doesn't within 10 s. */
  stop(): Promise<void>
  /** Stops it in its tracks (SIGSTOP): connections stay open, nothing answers. */
  pause(): void
  resume(): void
  /** Ends it where it runs, and starts it under the same address. */
  restart(): Promise<void>
}

export type InstanceOptions = {
  name: string
  address: string
  command: Command
  /** Whether it answers: true or, as `until` likes it, undefined. */
  answers: () => Promise<true | undefined>
  /** After it has ended for good. */
  tidy: () => Promise<void>
  /** Whether ending it needs care, because its data are kept. */
  keeps: boolean
}

const [startMs, stopMs, lookEveryMs] = [60_000, 10_000, 50]

/** Starts it and waits until it answers. */
export const startInstance = async (options: InstanceOptions): Promise<Instance> => {
  const { address, command, tidy, keeps } = options
  const launch = async (): Promise<Leashed> => {
    const leashed = await startLeashed(command)
    await answering(leashed, options)
    return leashed
  }
  let server = await launch().catch(async (reason: Error) => {
    await tidy()
    throw reason
  })
  const signal = (name: NodeJS.Signals): void => {
    if (!server.over()) process.kill(server.pid, name)
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
      await (keeps ? stop() : kill9())
      await tidy()
    },
  }
}

const answering = async (server: Leashed, { name, address, answers }: InstanceOptions): Promise<void> => {
  const look = (): Promise<true | undefined> => {
    if (server.over()) throw new Error(`${name} ended instead of starting`)
    return answers()
  }
  try {
    await until(`${name} answers on ${address}`, look, startMs, lookEveryMs)
  } catch (reason) {
    if (!server.over()) process.kill(server.pid, 'SIGKILL')
    await server.ended
    throw new Error(`${reason instanceof Error ? reason.message : reason}\n${server.output()}`)
  }
}
