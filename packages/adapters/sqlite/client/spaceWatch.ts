import { type After, afterInBackground } from '@postrider/kit/after.ts'
import { every } from '@postrider/kit/every.ts'
import { diskSpace, isDiskFull } from './diskSpace.ts'

/** Follows whether the disk has space for writes. */
export type SpaceWatch = Disposable & {
  /** Reports an error of a write. */
  failed(reason: unknown): void
  isFull(): boolean
}

export type SpaceWatchOptions = {
  /** The database file. */
  path: string
  /** Makes a small write, and resolves when it is durable. */
  probe(): Promise<void>
  /** Called when the disk becomes full, with the error, and when it has space again, with null. */
  onChange(reason: unknown): void
  after?: After
}

const probeMs = 1_000

/**
 * Free space below which a disk counts as full. With less, a small write succeeds and the next message fails, so the
 * state would change every second.
 */
const neededBytes = 2 ** 20

export const watchSpace = ({ path, probe, onChange, after = afterInBackground }: SpaceWatchOptions): SpaceWatch => {
  let [isFull, isClosed] = [false, false]
  let probing: AsyncDisposable | undefined
  // Not awaited: it may run inside the probe.
  const stop = (): void => void probing?.[Symbol.asyncDispose]()

  const probeSpace = async (): Promise<void> => {
    const hasSpace = diskSpace(path).freeBytes >= neededBytes && (await probe().then(yes, no))
    if (isClosed || !hasSpace) return
    stop()
    isFull = false
    onChange(null)
  }

  return {
    failed: (reason) => {
      if (isFull || !isDiskFull(reason)) return
      isFull = true
      onChange(reason)
      if (!isClosed) probing = every(probeSpace, { delayMs: () => probeMs, onError: fail, after })
    },
    isFull: () => isFull,
    [Symbol.dispose]: () => {
      isClosed = true
      stop()
    },
  }
}

const yes = () => true
const no = () => false

/** A failed write is expected; a file system without an answer ends the process. */
const fail = (reason: unknown): never => {
  throw reason
}
