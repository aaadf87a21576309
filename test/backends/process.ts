import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

/** A program that ends at the latest when this process ends, even by kill -9. */
export type Child = {
  /** The process id of the program, not of the shell around it. */
  pid: number
  /** The last 8 KiB that it printed. */
  lastOutput(): string
  hasEnded(): boolean
  /** Resolves with the exit code, or null if a signal ended it. */
  ended: Promise<number | null>
}

export type Command = {
  command: string
  args: readonly string[]
  /** A folder that is removed if this process ends without stopping the program. */
  removeFolder?: string | undefined
  /** Variables in addition to PATH. */
  env?: Record<string, string>
  cwd?: string
  /** Receives everything that the program prints on both streams. */
  print?(text: string): void
}

/**
 * A shell that runs the program. The pipe to its standard input closes when this process ends, even by kill -9. Then
 * the shell kills the program, which cannot detect that itself while it is paused.
 */
const guard = `
exec 3<&0
folder=$1; shift
"$@" </dev/null 3<&- &
child=$!
echo "$child"
{ read -r never <&3; kill -9 "$child"; [ -z "$folder" ] || rm -rf "$folder"; } >/dev/null 2>&1 &
watch=$!
wait "$child"
code=$?
kill "$watch"
exit "$code"
`

/** A shell returns a larger code for a program that a signal ended. */
const maxExitCode = 128

const lastOutputLength = 8_192

/**
 * In a session of its own Ctrl-C reaches only this process, which then stops the program. Linux gives each session the
 * same CPU (autogroup), and priorities only order the processes of one session. So a run that compares latencies next
 * to a process of low priority sets POSTRIDER_TEST_SESSION=shared.
 */
const hasOwnSession = process.env['POSTRIDER_TEST_SESSION'] !== 'shared'

/** Starts a program that ends at the latest when this process ends. */
export const startChild = async (options: Command): Promise<Child> => {
  const { command, args, removeFolder = '', env = {}, cwd, print } = options
  const shell = spawn('/bin/sh', ['-c', guard, 'guard', removeFolder, command, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: hasOwnSession,
  })
  // Nothing is written to this pipe. It fails if the shell ends first.
  shell.stdin.on('error', () => undefined)
  let lastOutput = ''
  const addOutput = (text: string): void => {
    lastOutput = (lastOutput + text).slice(-lastOutputLength)
    print?.(text)
  }
  let hasEnded = false
  const ended = once(shell, 'close').then(([code]: (number | null)[]) => {
    hasEnded = true
    return code === null || code === undefined || code > maxExitCode ? null : code
  })
  const [first] = (await once(shell.stdout.setEncoding('utf8'), 'data')) as [string]
  const lineEnd = first.indexOf('\n')
  addOutput(first.slice(lineEnd + 1))
  shell.stdout.on('data', addOutput)
  shell.stderr.setEncoding('utf8').on('data', addOutput)
  const pid = Number(first.slice(0, lineEnd))
  return { pid, lastOutput: () => lastOutput, hasEnded: () => hasEnded, ended }
}
