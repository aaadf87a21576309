import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { until } from '../support/until.ts'
import type { Load, LoadResult } from './load.ts'

/** Linux counts CPU time in hundredths of a second on every platform that Node supports (`getconf CLK_TCK`). */
const msPerTick = 10

const statOf = (pid: number): string[] | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

/** User and system time of a process, its threads and its ended children, in milliseconds; 0 if it does not exist. */
const ownCpuMs = (pid: number): number => {
  const stat = statOf(pid)
  // proc(5): fields 14–17; the first element here is field 3.
  return stat === null ? 0 : stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => Number(statOf(other)?.[1]) === pid)

/** Returns the CPU time of a process and its children, in milliseconds. */
export const cpuMs = (pid: number): number =>
  ownCpuMs(pid) + childrenOf(pid).reduce((sum, child) => sum + ownCpuMs(child), 0)

const statusMb = (pid: number, field: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/** Returns the resident memory of a process in MiB: the current and the highest value. */
export const memoryMb = (pid: number): { rss: number; peak: number } => ({
  rss: statusMb(pid, 'VmRSS'),
  peak: statusMb(pid, 'VmHWM'),
})

/** Waits until a connection to the port succeeds. */
export const untilListening = async (name: string, port: number): Promise<void> => {
  const connects = (): Promise<true | undefined> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('error', () => resolve(undefined))
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
    })
  await until(`${name} listens`, connects)
}

/** Sends SIGTERM and waits for the end. */
export const stop = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Runs the load generator in a separate process. */
export const runLoad = async (load: Load): Promise<LoadResult> => {
  const script = fileURLToPath(import.meta.resolve('./load.ts'))
  const child = spawn(process.execPath, [script, JSON.stringify(load)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the load generator exited with ${code}: ${text}`)
  return JSON.parse(text) as LoadResult
}
