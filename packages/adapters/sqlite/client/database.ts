import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Durable, Units } from '@postrider/ports/durable.ts'
import { copyLog, openCheckpoints } from './checkpoints.ts'
import { startCheckpointThread } from './checkpointThread.ts'
import { needingSpace } from './diskSpace.ts'
import { severity } from './errors.ts'
import { type GroupCommit, groupCommit } from './groupCommit.ts'
import { migrate, schemaOf } from './migrations.ts'
import { isExclusive, openFile } from './openFile.ts'
import { watchSpace } from './spaceWatch.ts'

/*
 * One SQLite file, as the stores use it.
 *
 *   start         lock (one process for each directory), openFile (pragmas), migrations (the schema)
 *   writes        groupCommit: the writes of an event loop iteration share one transaction and one fsync
 *   log           checkpoints copies the write-ahead log to the file, in checkpointThread, which runs checkpointWorker;
 *                 logRoom delays commits while the log is long
 *   failures      errors (what an error means for the writes), diskSpace and spaceWatch (a full disk)
 *   long records  recordScheduler: round-robin across workspaces
 */

/**
 * One SQLite file with group commit: the first write of an event loop iteration opens a transaction, the other writes
 * of the iteration join it, and those of the next one if they are few; one commit with one fsync ends it. While the
 * write-ahead log is too long, the transaction stays open and later iterations join it. All functions are synchronous,
 * so no other call runs between the statements of a write.
 */
export type SqliteDatabase = Durable &
  Units &
  Pick<GroupCommit, 'onFailedCommit' | 'beforeCommit' | 'complete'> &
  AsyncDisposable & {
    /** Returns a prepared statement. Each text is prepared once. */
    prepare(sql: string): StatementSync
    /** Runs reads. They see all writes so far, committed or not.
     * @throws Fault `unavailable`: the file failed */
    read<T>(work: () => T): T
    /** Runs several writes as one: if `work` throws, its writes are undone and no others. `work` must not await.
     * @throws Fault `unavailable`: nothing can be written now, and no write of this iteration is stored */
    write<T>(work: () => T): T
    /**
     * Runs a single writing statement, which SQLite itself undoes when it fails; cheaper than `write`.
     * @param isLong it writes much: its commit does not wait for the writes of another iteration
     */
    writeOne<T>(work: () => T, isLong?: boolean): T
    /** Empties the file of the write-ahead log soon, which still has what was removed (`Checkpoints.empty`). */
    emptyLog(isWanted: boolean): void
    /** Whether the last write found the disk full. Reads continue; a write is tried every second. */
    isDiskFull(): boolean
  }

/** A row as a statement returns it, by column. */
export type Row = Record<string, SQLOutputValue>

export type OpenDatabaseOptions = {
  path: string
  /**
   * Called once after an error that leaves the content of the disk unknown; the process should exit and be restarted.
   */
  onFatal: (reason: unknown) => void
  /** Called when the disk becomes full, with the error, and when writes succeed again, with null. */
  onDiskFull?: (reason: unknown) => void
}

/**
 * Opens a database file. Creates it, or migrates its schema to the newest version.
 * @throws Fault `unavailable`: the disk is full; `conflict`: the file cannot be used; Error: the file system does not
 * store durably, or a newer version wrote the file
 */
export const openDatabase = ({ path, onFatal, onDiskFull = () => {} }: OpenDatabaseOptions): SqliteDatabase => {
  const file = needingSpace(path, () => openMigrated(path))
  const prepare = statementCache(file)
  const probe = async (): Promise<void> => {
    work.writeOne(() => file.exec(`PRAGMA user_version = ${schemaOf(file)}`))
    await group.synced()
  }
  const space = watchSpace({ path, probe, onChange: onDiskFull })
  const group = groupCommit({
    file,
    prepare,
    onFatal,
    onFailure: space.failed,
    isDiskFull: space.isFull,
    afterCommit: () => checkpoints.afterCommit(),
    hasRoom: () => checkpoints.hasRoom(),
  })
  const startThread = isExclusive(file) ? null : startCheckpointThread
  const checkpoints = openCheckpoints({ path, file, prepare, die: group.die, startThread, onRoom: group.commitSoon })
  const work = transactions({ file, prepare, group })
  return {
    prepare,
    ...work,
    isDiskFull: space.isFull,
    emptyLog: (isWanted) => checkpoints.empty(isWanted),
    synced: group.synced,
    unit: group.unit,
    beforeCommit: group.beforeCommit,
    complete: group.complete,
    onFailedCommit: group.onFailedCommit,
    [Symbol.asyncDispose]: async () => {
      if (!file.isOpen) return
      space[Symbol.dispose]()
      group.flush()
      group.close()
      await checkpoints[Symbol.asyncDispose]()
      if (file.isOpen) file.close()
    },
  }
}

const openMigrated = (path: string): DatabaseSync => {
  const file = openFile(path)
  try {
    if (migrate(file, path)) copyLog(file)
    return file
  } catch (thrown) {
    file.close()
    throw thrown
  }
}

const statementCache = (file: DatabaseSync): ((sql: string) => StatementSync) => {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    const known = statements.get(sql) ?? file.prepare(sql)
    statements.set(sql, known)
    return known
  }
}

type TransactionDeps = { file: DatabaseSync; prepare: (sql: string) => StatementSync; group: GroupCommit }

const transactions = ({
  file,
  prepare,
  group,
}: TransactionDeps): Pick<SqliteDatabase, 'read' | 'write' | 'writeOne'> => {
  const [save, release, undo] = [prepare('SAVEPOINT w'), prepare('RELEASE w'), prepare('ROLLBACK TO w')]

  /**
   * Returns whether an error ends the whole group. SQLite may also end the transaction itself when the disk is full.
   */
  const endsGroup = (thrown: unknown): boolean => severity(thrown) !== 'statement' || !file.isTransaction

  const writeOne = <T>(work: () => T, isLong = false): T => {
    group.join(isLong)
    try {
      return work()
    } catch (thrown) {
      throw endsGroup(thrown) ? group.fail(thrown) : thrown
    }
  }

  const inSavepoint = <T>(work: () => T): T => {
    save.run()
    try {
      const result = work()
      release.run()
      return result
    } catch (thrown) {
      if (!endsGroup(thrown)) {
        undo.run()
        release.run()
      }
      throw thrown
    }
  }

  const read = <T>(work: () => T): T => {
    try {
      return work()
    } catch (thrown) {
      throw severity(thrown) === 'statement' ? thrown : group.fail(thrown)
    }
  }

  return { read, writeOne, write: (work) => writeOne(() => inSavepoint(work)) }
}
