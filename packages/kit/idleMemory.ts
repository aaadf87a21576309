import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { every } from './every.ts'

/** Memory of buffers, in bytes, below which a collection is not worth its pause of some 50 ms. */
const worthBytes = 64 * 2 ** 20

/** Maximum busy share of the time of a process that counts as idle. */
const maxBusy = 0.1

export type ReleaseIdleMemoryOptions = {
  /** Returns the bytes of all buffers, which V8 does not count as its heap. */
  bufferBytes?: () => number
  /** Returns the share of time in which the event loop was busy since the last call. */
  busyShare?: () => number
  /** Frees what is not used. */
  collect?: () => void
  everyMs?: number
}

/**
 * Collects garbage once in a process that is idle after a burst of large emails. V8 collects when a process allocates,
 * so an idle one keeps the buffers of its last emails for hours. Buffers that a collection did not free are in use; the
 * next one comes when there are as many more.
 */
export const releaseIdleMemory = ({
  bufferBytes = () => process.memoryUsage().arrayBuffers,
  busyShare = busyShareSinceLast(),
  collect = collectGarbage,
  everyMs = 30_000,
}: ReleaseIdleMemoryOptions = {}): AsyncDisposable => {
  let usedBytes = 0
  const release = (): void => {
    const isIdle = busyShare() <= maxBusy
    const bytes = bufferBytes()
    usedBytes = Math.min(usedBytes, bytes)
    if (!isIdle || bytes - usedBytes < worthBytes) return
    collect()
    usedBytes = bufferBytes()
  }
  return every(release, { delayMs: () => everyMs, onError: () => {} })
}

const busyShareSinceLast = (): (() => number) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

/** Node offers no call for it. The flag adds a function to contexts that are created later, so only this one has it. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  setFlagsFromString('--no-expose-gc')
  // The first call may end a collection that began earlier, which keeps what died since.
  for (let times = 0; times < 2; times++) gc({ type: 'major', execution: 'sync', flavor: 'regular' })
}

/**
 * Makes V8 count the memory of buffers towards the limit of its heap, which grows with what is in use. By default every
 * 64 MiB of new buffers cause a collection of the whole heap, which stops the process for some 10 ms: a message of 10
 * MiB passes through buffers of about that much in total. A version of V8 without this flag ignores it.
 */
export const collectBuffersWithHeap = (): void => setFlagsFromString('--external-memory-accounted-in-global-limit')
