import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Load, LoadResult } from './loadTypes.ts'

/** Linux counts process time in hundredths of a second on every platform Node runs on (`getconf CLK_TCK`). */
const msPerTick = 10

const statOf = (pid: number): string[] | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

/** User and system time of a process, its threads, and the children it waited for, in milliseconds; 0 when it is gone. */
const ownCpuMs = (pid: number): number => {
  const stat = statOf(pid)
  // proc(5): fields 14–17, counted here from the third.
  return stat === null ? 0 : stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => Number(statOf(other)?.[1]) === pid)

/** CPU time of a process with its living children: what a mail costs, whoever did the work. */
export const cpuMs = (pid: number): number =>
  ownCpuMs(pid) + childrenOf(pid).reduce((sum, child) => sum + ownCpuMs(child), 0)

const statusMb = (pid: number, field: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/** Resident memory of a process, now and at its highest, in MiB. */
export const memoryMb = (pid: number): { rss: number; peak: number } => ({
  rss: statusMb(pid, 'VmRSS'),
  peak: statusMb(pid, 'VmHWM'),
})

/** Everything a command printed, once it has ended well. */
export const output = async (command: string, args: readonly string[]): Promise<string> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${text}`)
  return text
}

export const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export const stop = async (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
  child.kill(signal)
  await ended(child)
}

/** Runs the load generator in its own process. */
export const runLoad = async (load: Load): Promise<LoadResult> =>
  JSON.parse(
    await output(process.execPath, [fileURLToPath(import.meta.resolve('./load.ts')), JSON.stringify(load)]),
  ) as LoadResult
