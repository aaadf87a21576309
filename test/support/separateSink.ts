import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { SinkMessage } from './smtpSink.ts'

/** A sink in a process of its own, so that its work does not count as work of the sender in this thread. */
export type SeparateSink = AsyncDisposable & {
  port: number
  /** Returns the accepted messages, and forgets them. */
  take(): Promise<SinkMessage[]>
}

export const separateSink = async (): Promise<SeparateSink> => {
  const script = fileURLToPath(import.meta.resolve('./smtpSink.ts'))
  const child = spawn(process.execPath, [script, '--keep', 'all', '--smtp-utf8'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { port, control } = JSON.parse(line) as { port: number; control: number }
  const read = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${control}${path}`)).text()
  return {
    port,
    take: async () => {
      const lines = (await read('/messages')).split('\n').filter((text) => text !== '')
      await read('/reset')
      return lines.map((text) => {
        const { raw, ...message } = JSON.parse(text) as Omit<SinkMessage, 'raw'> & { raw: string }
        return { ...message, raw: Buffer.from(raw, 'base64') }
      })
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
