import type { StatementSync } from 'node:sqlite'
import { type After, afterReads } from '@postrider/kit/after.ts'

/** Delays commits while a long log is copied: writers wait, and the event loop does not. */
export type LogRoom = {
  /**
   * Returns whether the open transaction may be committed now. Otherwise it stays open, later writes join it, and each
   * checks again.
   */
  hasRoom(): boolean
  /** Delays commits until `release`. Called after a commit. @param pages length of the log */
  delay(pages: number): void
  /** Ends the delay, if there is one. */
  release(): void
  /** The length of the log, in pages, at the last call of `delay`; 0: commits are not delayed. */
  delayedPages(): number
}

/**
 * Pages that the writes of several iterations may write before they are committed without room: each commit waits for
 * the disk, in 10 ms for as many pages. Otherwise only the number of requests that wait for the commit would limit it,
 * and they may have 60 MiB together.
 */
const maxOpenPages = 400

/**
 * Length of the log above which long transactions wait for room too: bounds the log near 120 MiB while the thread
 * copies slowly. They do not use more memory: SQLite moves pages of an open transaction beyond `cache_size` to the log.
 */
const maxLogPages = 28_000

/**
 * A commit is not delayed longer, because the thread may never report: its disk may hang. The timer keeps the process
 * alive, which the thread does not.
 */
const lateMs = 1_000

export type LogRoomOptions = {
  prepare: (sql: string) => StatementSync
  /** Called when a delay ends. */
  onRoom(): void
  after?: After
}

export const logRoom = ({ prepare, onRoom, after = afterReads }: LogRoomOptions): LogRoom => {
  const read = counters(prepare)
  let delayed: { pages: number; before: Counters; late: Disposable; isRoomRequested: boolean } | null = null

  const end = (): void => {
    delayed?.late[Symbol.dispose]()
    delayed = null
  }
  const release = (): void => {
    if (delayed === null) return
    end()
    onRoom()
  }
  const isLong = (before: Counters): boolean => {
    try {
      return writtenPages(before, read()) >= maxOpenPages
    } catch {
      // The commit fails too, and reports the error.
      return true
    }
  }
  const hasRoom = (): boolean => {
    if (delayed === null) return true
    // The writes of one iteration do not become fewer by a commit without room.
    const isFirst = !delayed.isRoomRequested
    delayed.isRoomRequested = true
    return !isFirst && delayed.pages < maxLogPages && isLong(delayed.before)
  }
  return {
    hasRoom,
    delay: (pages) => {
      end()
      delayed = { pages, before: read(), late: after(lateMs, release), isRoomRequested: false }
    },
    release,
    delayedPages: () => delayed?.pages ?? 0,
  }
}

/** What the connection has changed since it was opened, in rows, and how many pages of the file contain rows now. */
type Counters = { changes: number; used: number }

const counters = (prepare: (sql: string) => StatementSync): (() => Counters) => {
  const totalChanges = prepare('SELECT total_changes() AS changes')
  const allPages = prepare('PRAGMA page_count')
  const freePages = prepare('PRAGMA freelist_count')
  return () => ({
    changes: Number(totalChanges.get()?.['changes']),
    used: Number(allPages.get()?.['page_count']) - Number(freePages.get()?.['freelist_count']),
  })
}

/**
 * Estimates how many pages a transaction has written, which SQLite does not report: one for each row, and the pages of
 * long values.
 */
const writtenPages = (before: Counters, after: Counters): number =>
  after.changes - before.changes + Math.abs(after.used - before.used)
