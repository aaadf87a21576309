import { setImmediate as nextIteration } from 'node:timers/promises'

/** Returns the last of the next `rows` ids after `after`; null: fewer are left. */
type EndOf = (after: string, rows: number) => string | null | Promise<string | null>

/**
 * Returns at most `limit` items with `after` < id <= `upto`, in the order of ids. `upto` is null for all up to the last
 * id.
 */
type Read<Item> = (after: string, upto: string | null, limit: number) => Item[] | Promise<Item[]>

/** Rows that one read examines: less than 1 ms in SQLite. */
const rowsOfRead = 1_000

/**
 * Returns a search through a table for items that no index finds. Each call continues after the last one, passes every
 * row once at most, and lets other work of the process run between its reads.
 */
export const tableScan = (
  endOf: EndOf,
  rows = rowsOfRead,
): (<Item extends { id: string }>(limit: number, read: Read<Item>) => Promise<Item[]>) => {
  let next = ''
  return async <Item extends { id: string }>(limit: number, read: Read<Item>) => {
    const found: Item[] = []
    const start = next
    for (let [after, isSecondHalf] = [start, false]; ; await nextIteration()) {
      const end = await endOf(after, rows)
      found.push(...(await read(after, end, limit - found.length)))
      next = found.length === limit ? (found.at(-1)?.id ?? '') : (end ?? '')
      const isPassed = isSecondHalf ? end === null || end >= start : end === null && start === ''
      if (found.length === limit || isPassed) return found
      isSecondHalf ||= end === null
      after = next
    }
  }
}
