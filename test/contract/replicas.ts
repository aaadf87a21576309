import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { quotaSpec } from '@postrider/contracts/services.ts'
import { served } from './grpc.ts'

/** A replica of a service, as a process. Each of its responses contains its name. */
export type Replica = AsyncDisposable & {
  name: string
  port: number
  isRunning(): boolean
  /** Ends it without notice, like a lost machine. */
  kill(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
}

/** Starts a replica. */
export const replica = async (name: string, port: number): Promise<Replica> => {
  const child = fork(import.meta.filename, [name, String(port)])
  const [bound] = await once(child, 'message')
  return {
    name,
    port: Number(bound),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    [Symbol.asyncDispose]: () => end(child, 'SIGKILL'),
  }
}

const end = async (child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

// The process of a replica.
if (import.meta.main) {
  const [name = '', port = '0'] = process.argv.slice(2)
  const answer = async () => {
    await pause(5)
    return { token: name, taken_back: true } as never
  }
  const implementation = Object.fromEntries(Object.keys(quotaSpec.methods).map((method) => [method, answer]))
  const server = await served({ spec: quotaSpec, implementation: implementation as never }, { port: Number(port) })
  process.on('SIGTERM', () => void server[Symbol.asyncDispose]().then(() => process.disconnect?.()))
  process.send?.(server.port)
}
