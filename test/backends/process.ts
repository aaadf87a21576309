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
  /** Its exit code; null: a signal ended it. */
  ended: Promise<number | null>
}

export type Command = {
  command: string
  args: readonly string[]
  /** A folder that is removed where we end without stopping the program. */
  trash?: string | undefined
  /** Beside PATH. */
  env?: Record<string, string>
  cwd?: string
  /** Told all it prints, both streams. */
  print?(text: string): void
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
code=$?
kill "$watch"
exit "$code"
`

/** What a shell answers for a program that a signal ended lies above this. */
const signalled = 128

const keptBytes = 8_192

export const startLeashed = async ({ command, args, trash = '', env = {}, cwd, print }: Command): Promise<Leashed> => {
  const shell = spawn('/bin/sh', ['-c', leash, 'leash', trash, command, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C is for us alone; we stop the program in our own time.
    detached: true,
  })
  // Written to by nobody; that the shell is gone first is no error.
  shell.stdin.on('error', () => undefined)
  let said = ''
  const keep = (text: string): void => {
    said = (said + text).slice(-keptBytes)
    print?.(text)
  }
  let over = false
  const ended = once(shell, 'close').then(([code]: (number | null)[]) => {
    over = true
    return code === null || code === undefined || code > signalled ? null : code
  })
  const [first] = (await once(shell.stdout.setEncoding('utf8'), 'data')) as [string]
  const lineEnd = first.indexOf('\n')
  keep(first.slice(lineEnd + 1))
  shell.stdout.on('data', keep)
  shell.stderr.setEncoding('utf8').on('data', keep)
  return { pid: Number(first.slice(0, lineEnd)), output: () => said, over: () => over, ended }
}
