import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/freePort.ts'
import { until } from '../support/until.ts'
import { isListening } from './ports.ts'
import { stop } from './processes.ts'

/** Where all mail of the bench ends: a process of its own that takes everything and counts. */
export type Sink = {
  port: number
  taken(): number
  /** Stands still: connections stay open and nothing is answered, so whoever sends here can only queue. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

/** Postfix's smtp-sink: the cheapest receiver there is, so that what is measured is the sender. */
export const startSink = async (): Promise<Sink> => {
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['-u', 'root'] : []
  const child = spawn('smtp-sink', ['-c', ...user, `127.0.0.1:${port}`, '1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let taken = 0
  child.stdout.on('data', (chunk: Buffer) => {
    const count = /.*mesg=(\d+)\s*\r/s.exec(chunk.toString('latin1', Math.max(0, chunk.length - 120)))?.[1]
    if (count !== undefined) taken = Number(count)
  })
  await until('smtp-sink listens', () => isListening(port))
  return {
    port,
    taken: () => taken,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async close() {
      child.kill('SIGCONT')
      await stop(child)
    },
  }
}

const lookMs = 20

/** A receiver that thinks about each message before it answers the final dot, as real ones do. */
export const startSlowSink = async (delayMs: number): Promise<Sink> => {
  const script = fileURLToPath(import.meta.resolve('../support/smtpSink.ts'))
  const rules = JSON.stringify([{ at: 'dot', delayMs }])
  const child = spawn(process.execPath, [script, '--rules', rules], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { port, control } = JSON.parse(line) as { port: number; control: number }
  let taken = 0
  let closed = false
  const look = async (): Promise<void> => {
    for (; !closed; await wait(lookMs)) {
      // While it stands still it answers nothing, and drops connections that waited for too long.
      const answer = await fetch(`http://127.0.0.1:${control}/counts`).catch(() => null)
      if (answer) taken = ((await answer.json()) as { messages: number }).messages
    }
  }
  const looking = look()
  return {
    port,
    taken: () => taken,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async close() {
      closed = true
      child.kill('SIGCONT')
      await looking
      await stop(child)
    },
  }
}
