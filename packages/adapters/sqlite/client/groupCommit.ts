import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { atIterationEnd } from '@postrider/kit/batcher.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Units } from '@postrider/ports/durable.ts'
import { severity } from './errors.ts'

/** The transaction that all writes of an event loop iteration share, or of two if the first has few. */
export type GroupCommit = Units & {
  /** Opens the transaction before the first write of a group, and counts the writes.
   * @param isLong one write counts as many
   * @throws Fault `unavailable` */
  join(isLong?: boolean): void
  /** Rolls the group back after an error that it cannot survive. @returns the fault to throw instead of the error */
  fail(reason: unknown): Fault
  /** Commits the open transaction, if there is one, also without room. */
  flush(): void
  /**
   * Commits the open transaction at the end of this event loop iteration, if there is room, or of the next one if it
   * has few writes.
   */
  commitSoon(): void
  synced(): Promise<void>
  /** Calls `write` at the end of each transaction, for what is written once per transaction. */
  beforeCommit(write: () => void): void
  /**
   * Writes now what is written at the end of the transaction, for a reader of it. Not inside of a write, which may be
   * undone.
   * @throws Fault `unavailable`
   */
  complete(): void
  /** Makes every later write and `synced` throw `unavailable`. */
  close(): void
  /**
   * Makes every later write throw `unavailable`, and calls `onFatal` unless it was called before or the group is
   * closed.
   */
  die(reason: unknown): void
  /** Calls `listener` after each failed commit. @returns a function that stops this */
  onFailedCommit(listener: () => void): () => void
}

type Group = PromiseWithResolvers<void> & { failed: boolean; writes: number; hasWaited: boolean }

/** A group of fewer writes waits for those of one more event loop iteration. */
const fewWrites = 32

export type GroupCommitOptions = {
  file: DatabaseSync
  prepare: (sql: string) => StatementSync
  /** Called after each commit, when no transaction is open. */
  afterCommit(): void
  /**
   * Whether a transaction may be committed now. Otherwise it stays open, writes of later iterations join it, and the
   * end of each of them and `commitSoon` check again.
   */
  hasRoom(): boolean
  onFatal: (reason: unknown) => void
  /** Called with every error that ends a group. */
  onFailure: (reason: unknown) => void
  /** Whether the disk is known to be full: then failures are expected. */
  isDiskFull(): boolean
}

/**
 * Makes the writes of an event loop iteration, and of later ones while there is no room, share one transaction and one
 * fsync. A commit costs as much CPU time as a delivery, so a group of few writes stays open for one more iteration, in
 * which replies to other connections are read. A larger one does not wait: its commit must not become longer.
 */
export const groupCommit = (options: GroupCommitOptions): GroupCommit => {
  const { file, prepare, onFatal, onFailure, isDiskFull } = options
  const [begin, commit, rollback] = [prepare('BEGIN IMMEDIATE'), prepare('COMMIT'), prepare('ROLLBACK')]
  const failures = failedCommits()
  const lastWrites: (() => void)[] = []
  let group: Group | null = null
  let isClosed = false

  const die = (reason: unknown): void => {
    if (!isClosed) onFatal(reason)
    isClosed = true
  }
  const unavailable = (): Fault => notStoredFault(failures.lostDuringUnit()?.isExpected ?? isDiskFull())
  /** The failed group stays until its iteration ends, so that callers that wrote before find it in `synced`. */
  const fail = (reason: unknown): Fault => {
    onFailure(reason)
    const fault = notStoredFault(isDiskFull(), reason)
    if (severity(reason) === 'fatal') die(reason)
    rollBack(file, rollback, die)
    if (group === null || group.failed) return fault
    group.failed = true
    group.reject(fault)
    commitSoon()
    failures.add(fault.expected)
    return fault
  }

  const complete = (): void => {
    if (group === null || group.failed) return
    try {
      for (const write of lastWrites) write()
    } catch (thrown) {
      throw fail(thrown)
    }
  }

  const flush = (): void => {
    const ended = group
    if (ended === null) return
    try {
      if (!ended.failed) {
        for (const write of lastWrites) write()
        commit.run()
      }
    } catch (thrown) {
      fail(thrown)
    }
    group = null
    if (ended.failed) return
    ended.resolve()
    options.afterCommit()
  }

  // Each write calls it: a delayed group requests room at the end of each iteration that writes.
  const commitSoon = atIterationEnd(() => {
    if (group === null || (!group.failed && !options.hasRoom())) return
    if (group.failed || group.hasWaited || group.writes >= fewWrites) return flush()
    group.hasWaited = true
    commitSoon()
  })
  const join = (isLong = false): void => {
    if (isClosed || group?.failed || failures.lostDuringUnit()) throw unavailable()
    commitSoon()
    group ??= openGroup(begin, fail)
    group.writes += isLong ? fewWrites : 1
  }

  const synced = (): Promise<void> => {
    if (isClosed || failures.lostDuringUnit()) return Promise.reject(unavailable())
    return group?.promise ?? Promise.resolve()
  }
  const close = (): void => {
    isClosed = true
  }
  const beforeCommit = (write: () => void): void => void lastWrites.push(write)
  const { unit, onFailedCommit } = failures
  return { join, fail, flush, commitSoon, synced, beforeCommit, complete, close, die, unit, onFailedCommit }
}

/** @param onFailed called with an error of the rollback, which leaves the file's state unknown */
const rollBack = (file: DatabaseSync, rollback: StatementSync, onFailed: (reason: unknown) => void): void => {
  try {
    if (file.isTransaction) rollback.run()
  } catch (thrown) {
    onFailed(thrown)
  }
}

const notStoredFault = (isExpected: boolean, cause?: unknown): Fault =>
  new Fault('unavailable', 'The service cannot store anything at the moment; try again in a second.', {
    retryAfterMs: 1_000,
    expected: isExpected,
    ...(cause === undefined ? {} : { cause }),
  })

/** @param fail returns the fault to throw when the transaction cannot begin */
const openGroup = (begin: StatementSync, fail: (reason: unknown) => Fault): Group => {
  try {
    begin.run()
  } catch (thrown) {
    throw fail(thrown)
  }
  const group = { ...Promise.withResolvers<void>(), failed: false, writes: 0, hasWaited: false }
  // Avoids an unhandled rejection when no caller awaits the commit.
  group.promise.catch(() => {})
  return group
}

/** Counts failed commits and stores the count at the start of each unit; see `Units`. */
const failedCommits = () => {
  // Work that a unit starts and does not await, such as a woken worker, has the unit's context until it ends; `ended`
  // separates it from the unit.
  const units = new AsyncLocalStorage<{ countAtStart: number; unexpectedAtStart: number; ended: boolean }>()
  const listeners = new Set<() => void>()
  let count = 0
  let unexpected = 0
  return {
    unit: async <T>(work: () => Promise<T>, isNew = false): Promise<T> => {
      const outer = units.getStore()
      if (outer && !outer.ended && !isNew) return work()
      const unit = { countAtStart: count, unexpectedAtStart: unexpected, ended: false }
      try {
        return await units.run(unit, work)
      } finally {
        unit.ended = true
      }
    },
    /**
     * Returns whether all commits that failed since the current unit began were expected to; null: none failed, or
     * there is no unit. The disk may have space again when the unit notices the failure.
     */
    lostDuringUnit: (): { isExpected: boolean } | null => {
      const unit = units.getStore()
      if (unit === undefined || unit.ended || unit.countAtStart === count) return null
      return { isExpected: unit.unexpectedAtStart === unexpected }
    },
    add: (isExpected: boolean): void => {
      count += 1
      if (!isExpected) unexpected += 1
      for (const listener of listeners) listener()
    },
    onFailedCommit: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Returns a function that returns by how much the next claim or change increments a fencing token. A failed commit
 * undoes a claim or change whose result the caller has already received. The increment is one more after each failed
 * commit, so that no later claim or change ever gets the same fence.
 */
export const fenceIncrements = (db: Pick<GroupCommit, 'onFailedCommit'>): (() => number) => {
  let failedCommits = 0
  db.onFailedCommit(() => {
    failedCommits += 1
  })
  return () => 1 + failedCommits
}
