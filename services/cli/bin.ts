import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

/* The command line as a process: `postrider`. */

const { stdin, stdout, stderr } = process

/** Prompts without showing what is typed. */
const askSecret = async (question: string): Promise<string> => {
  stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  lines.once('SIGINT', () => process.exit(1))
  try {
    return await lines.question('')
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second signal ends the process immediately.
  process.once(signal, () => stopping.abort())
}
// The reader of a pipe, such as head, may end first.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
stderr.on('error', () => {})

const terminal: Terminal = {
  env: process.env,
  out: (written) => void stdout.write(written),
  err: (written) => void stderr.write(written),
  isTerminal: stdout.isTTY === true,
  canAsk: stdin.isTTY === true,
  readInput: () => text(stdin),
  askSecret,
  configFolder: process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'),
  stopped: stopping.signal,
}

const manifest = await readFile(new URL('package.json', import.meta.url), 'utf8')
const { version } = JSON.parse(manifest) as { version: string }
process.exitCode = await run(process.argv.slice(2), terminal, version)
