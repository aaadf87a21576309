import type { Load } from './loadTypes.ts'

/** A system under measurement, up and ready. */
export type Contestant = {
  name: string
  target: Pick<Load, 'protocol' | 'port' | 'path' | 'authorization'>
  /** Whether it answers before it delivers. */
  queues: boolean
  /** From start to the first moment it could take a message, in milliseconds. */
  readyMs: number
  /** CPU time used so far by all its processes. */
  cpuMs(): number
  /** CPU time by part: of its own, which sum up to `cpuMs`, and of what it stands on, which aren't in it. */
  cpuMsByPart?(): Record<string, number>
  memoryMb(): { rss: number; peak: number }
  close(): Promise<void>
}
