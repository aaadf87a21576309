import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stop } from './processes.ts'
import type { Sink } from './sink.ts'

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
    for (; !closed; await pause(lookMs)) {
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
