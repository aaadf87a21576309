import { setImmediate as nextIteration } from 'node:timers/promises'
import { nextSlice, type Slices } from '@postrider/kit/slices.ts'

/**
 * Returns a promise of the time when a record may be parsed or written; null: immediately.
 * @param workspace whose record it is: scheduling is round-robin across workspaces
 * @param bytes approximate size of the record as JSON
 */
export type RecordScheduler = (workspace: string, bytes: number) => Promise<void> | null

/** Maximum bytes of a usual record; work on usual records never waits. */
const usualBytes = 8 * 1024

/** Bytes of longer records that one event loop iteration handles without waiting: about 2 ms. */
const iterationBytes = 128 * 1024

/** Number of usual records that one event loop iteration reads or writes, in some milliseconds. */
const iterationRecords = 20

/**
 * Returns the scheduler of work with records. An email to many recipients with many attempts has a record of hundreds
 * of kilobytes, and one event loop iteration may request a hundred of them, for example when a test clock moves: that
 * would block the process for half a second. Parsing one takes up to 4 ms, so beyond `iterationBytes` each iteration
 * handles one record.
 */
export const recordScheduler = (slices: Slices): RecordScheduler => {
  let used = 0
  return (workspace, bytes) => {
    if (bytes <= usualBytes) return null
    if (used === 0)
      setImmediate(() => {
        used = 0
      })
    const isFirst = used === 0
    used += bytes
    return isFirst || used <= iterationBytes ? null : nextSlice(slices.of(workspace))
  }
}

/** Returns the first items until `maxBytes` are reached, one at least. Later ones are not read. */
export const firstItems = <Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  maxBytes = iterationBytes,
): Item[] => {
  const found: Item[] = []
  let bytes = 0
  for (const item of items) {
    found.push(item)
    bytes += bytesOf(item)
    if (bytes >= maxBytes) break
  }
  return found
}

/** Returns the first rows whose documents one event loop iteration can parse, one at least. */
export const firstRows = <Found extends Record<string, unknown>>(rows: Iterable<Found>): Found[] =>
  firstItems(rows, ({ doc }) => String(doc).length)

/** Calls `work` with some items in each event loop iteration, of long records with few, and returns the sum. */
export const inSlices = async <Item>(
  items: readonly Item[],
  work: (batch: readonly Item[]) => number,
  bytesOf: (item: Item) => number = () => 0,
): Promise<number> => {
  let sum = 0
  for (let from = 0; from < items.length; ) {
    if (from > 0) await nextIteration()
    const batch = firstItems(items.slice(from, from + iterationRecords), bytesOf)
    sum += work(batch)
    from += batch.length
  }
  return sum
}
