import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

/** A program that ends when we do, however we end. */
export type Leashed = {
  /** Of the program itself. */
  pid: number
  /** The end of what it printed. */
  output(): string
  over(): boolean
  ended: Promise<void>
}

export type Command = {
  command: string
  args: readonly string[]
  /** A folder that is removed where we end without stopping the program. */
  trash?: string | undefined
}

/**
 * A shell stands between us and the program. The pipe to its standard input breaks when our process is gone, even by
 * kill -9; then it kills the program, which may be paused and so couldn't look for itself.
 */
const leash = `
exec 3<&0
trash=$1; shift
"$@" </dev/null 3<&- &
child=$!
echo "$child"
{ read -r never <&3; kill -9 "$child"; [ -z "$trash" ] || rm -rf "$trash"; } >/dev/null 2>&1 &
watch=$!
wait "$child"
kill "$watch"
`

const keptBytes = 8_192

export const startLeashed = async ({ command, args, trash = '' }: Command): Promise<Leashed> => {
  const shell = spawn('/bin/sh', ['-c', leash, 'leash', trash, command, ...args], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // Written to by nobody; that the shell is gone first is no error.
  shell.stdin.on('error', () => undefined)
  let said = ''
  const keep = (text: string): void => {
    said = (said + text).slice(-keptBytes)
  }
  let over = false
  const ended = once(shell, 'close').then(() => {
    over = true
  })
  const [first] = (await once(shell.stdout.setEncoding('utf8'), 'data')) as [string]
  const lineEnd = first.indexOf('\n')
  keep(first.slice(lineEnd + 1))
  shell.stdout.on('data', keep)
  shell.stderr.setEncoding('utf8').on('data', keep)
  return { pid: Number(first.slice(0, lineEnd)), output: () => said, over: () => over, ended }
}
