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
  schedule?: (run: () => void, ms: number) => { unref(): unknown }
}

const probeMs = 1_000

/**
 * Free space below which a disk counts as full. With less, a small write succeeds and the next message fails, so the state would
 * change every second.
 */
const neededBytes = 2 ** 20

export const watchSpace = ({ path, probe, onChange, schedule = setTimeout }: SpaceWatchOptions): SpaceWatch => {
  let [isFull, isClosed] = [false, false]

  const check = async (): Promise<void> => {
    if (isClosed) return
    const hasSpace = diskSpace(path).freeBytes >= neededBytes && (await probe().then(yes, no))
    if (isClosed) return
    if (!hasSpace) {
      checkLater()
      return
    }
    isFull = false
    onChange(null)
  }
  const checkLater = (): void => void schedule(() => void check(), probeMs).unref()

  return {
    failed: (reason) => {
      if (isFull || !isDiskFull(reason)) return
      isFull = true
      onChange(reason)
      checkLater()
    },
    isFull: () => isFull,
    [Symbol.dispose]: () => {
      isClosed = true
    },
  }
}

const yes = () => true
const no = () => false
