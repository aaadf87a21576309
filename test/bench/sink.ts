import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/freePort.ts'
import { stop, untilListening } from './processes.ts'

/** The receiver of all mail of the bench: a separate process that accepts and counts every message. */
export type Sink = AsyncDisposable & {
  port: number
  received(): number
  /** Stops the process: connections stay open and get no replies, so senders can only queue. */
  pause(): void
  resume(): void
}

const sinkOf = (child: ChildProcess, port: number, received: () => number, closed = async () => {}): Sink => ({
  port,
  received,
  pause: () => void child.kill('SIGSTOP'),
  resume: () => void child.kill('SIGCONT'),
  async [Symbol.asyncDispose]() {
    child.kill('SIGCONT')
    await closed()
    await stop(child)
  },
})

/** Starts Postfix's smtp-sink, the receiver that uses the least CPU. */
export const startSink = async (): Promise<Sink> => {
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['-u', 'root'] : []
  const child = spawn('smtp-sink', ['-c', ...user, `127.0.0.1:${port}`, '1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let received = 0
  child.stdout.on('data', (chunk: Buffer) => {
    const count = /.*mesg=(\d+)\s*\r/s.exec(chunk.toString('latin1', Math.max(0, chunk.length - 120)))?.[1]
    if (count !== undefined) received = Number(count)
  })
  await untilListening('smtp-sink', port)
  return sinkOf(child, port, () => received)
}

const pollMs = 20

/** Starts a receiver that waits `delayMs` before it replies to the final dot of each message, as real servers do. */
export const startSlowSink = async (delayMs: number): Promise<Sink> => {
  const script = fileURLToPath(import.meta.resolve('../support/smtpSink.ts'))
  const rules = JSON.stringify([{ at: 'dot', delayMs }])
  const child = spawn(process.execPath, [script, '--rules', rules], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { port, control } = JSON.parse(line) as { port: number; control: number }
  let received = 0
  let closed = false
  const poll = async (): Promise<void> => {
    for (; !closed; await pause(pollMs)) {
      // A paused sink does not respond, and after SIGCONT it drops connections that waited too long.
      const response = await fetch(`http://127.0.0.1:${control}/counts`).catch(() => null)
      if (response) received = ((await response.json()) as { messages: number }).messages
    }
  }
  const polling = poll()
  return sinkOf(
    child,
    port,
    () => received,
    async () => {
      closed = true
      await polling
    },
  )
}
