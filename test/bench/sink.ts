import { spawn } from 'node:child_process'
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
