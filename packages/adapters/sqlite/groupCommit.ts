import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import type { Losses } from './losses.ts'
import { severity } from './sqliteError.ts'

/** The transaction that all writes of an event-loop turn share. */
export type GroupCommit = {
  /** Makes sure that a transaction is open for a write.
   * @throws Fault `unavailable` */
  join(): void
  /** Undoes the group after an error that it can't outlive. @returns what to throw in the error's place */
  lose(reason: unknown): Fault
  /** Commits what is open. */
  flush(): void
  settled(): Promise<void>
  /** Refuses everything from now on. */
  end(): void
}

type Group = PromiseWithResolvers<void> & { lost: boolean }

/** Pages of 4 KiB in the write-ahead log before they are carried over into the file: bounds the log near 16 MiB. */
const checkpointPages = 4_000

export const unavailable = (cause?: unknown): Fault =>
  new Fault('unavailable', 'Nothing can be stored at the moment; try again in a second.', {
    retryAfterMs: 1_000,
    ...(cause === undefined ? {} : { cause }),
  })

/** Carries the log over into the file when it is long. Not left to SQLite, which hides a failed fsync here. */
const checkpointer = (prepare: (sql: string) => StatementSync, die: (reason: unknown) => void): (() => void) => {
  const logSize = prepare('PRAGMA wal_checkpoint(NOOP)')
  const checkpoint = prepare('PRAGMA wal_checkpoint(PASSIVE)')
  return () => {
    try {
      if (Number(logSize.get()?.['log']) >= checkpointPages) checkpoint.get()
    } catch (thrown) {
      // A full disk leaves the log whole, and the next commit tries again.
      if (severity(thrown) === 'fatal') die(thrown)
    }
  }
}

const openGroup = (): Group => {
  const group = { ...Promise.withResolvers<void>(), lost: false }
  // Whether anybody waits for it is their affair.
  group.promise.catch(() => {})
  return group
}

export const groupCommit = (deps: {
  file: DatabaseSync
  prepare: (sql: string) => StatementSync
  losses: Losses
  onFatal: (reason: unknown) => void
}): GroupCommit => {
  const { file, prepare, losses } = deps
  const [begin, commit, rollback] = [prepare('BEGIN IMMEDIATE'), prepare('COMMIT'), prepare('ROLLBACK')]
  let group: Group | null = null
  let dead = false

  const die = (reason: unknown): void => {
    if (!dead) deps.onFatal(reason)
    dead = true
  }
  const carryOver = checkpointer(prepare, die)

  /** Undoes the group. It stays in place until its turn ends, so that whoever wrote into it before still learns of it. */
  const lose = (reason: unknown): Fault => {
    const fault = unavailable(reason)
    if (severity(reason) === 'fatal') die(reason)
    try {
      if (file.isTransaction) rollback.run()
    } catch (thrown) {
      die(thrown)
    }
    if (group === null || group.lost) return fault
    group.lost = true
    group.reject(fault)
    losses.add()
    return fault
  }

  const flush = (): void => {
    const ended = group
    if (ended === null) return
    try {
      if (!ended.lost) commit.run()
    } catch (thrown) {
      lose(thrown)
    }
    group = null
    if (ended.lost) return
    ended.resolve()
    carryOver()
  }

  const join = (): void => {
    if (dead || group?.lost || losses.inUnit()) throw unavailable()
    if (group !== null) return
    try {
      begin.run()
    } catch (thrown) {
      throw lose(thrown)
    }
    group = openGroup()
    setImmediate(flush)
  }

  const settled = (): Promise<void> => {
    if (dead || losses.inUnit()) return Promise.reject(unavailable())
    return group?.promise ?? Promise.resolve()
  }

  const end = (): void => {
    dead = true
  }

  return { join, lose, flush, settled, end }
}
