import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Replica = AsyncDisposable & {
  name: string
  port: number
  /** Ends it without notice, like a lost machine. */
  kill(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
}

/** Starts a replica as a process. @param port 0: a free one */
export const replica = async (name: string, port = 0): Promise<Replica> => {
  const child = fork(join(import.meta.dirname, 'replicaProcess.ts'), [name, String(port)])
  const [bound] = await once(child, 'message')
  return {
    name,
    port: Number(bound),
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
