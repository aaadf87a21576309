import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import type { Durable, Units } from '@postrider/ports/durable.ts'
import { type GroupCommit, groupCommit } from './groupCommit.ts'
import { migrate } from './migrations.ts'
import { severity } from './sqliteError.ts'

/**
 * One SQLite file with group commit: the first write of an event-loop turn opens a transaction, the other writes of the
 * turn join it, and one commit with one fsync ends it. All functions are synchronous, so no other call runs between the
 * statements of a write.
 */
export type SqliteDatabase = Durable &
  Units &
  Pick<GroupCommit, 'onFailedCommit'> &
  AsyncDisposable & {
    /** Returns a prepared statement. Each text is prepared once. */
    prepare(sql: string): StatementSync
    /** Runs reads. They see all writes so far, committed or not.
     * @throws Fault `unavailable`: the file failed */
    read<T>(work: () => T): T
    /** Runs several writes as one: if `work` throws, its writes are undone and no others. `work` must not await.
     * @throws Fault `unavailable`: nothing can be written now, and no write of this turn is stored */
    write<T>(work: () => T): T
    /** Runs a single writing statement, which SQLite itself undoes when it fails; cheaper than `write`. */
    writeOne<T>(work: () => T): T
  }

const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 2000;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16000;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA wal_autocheckpoint = 0;
`

export type OpenDatabaseOptions = {
  path: string
  /** Called once when the content of the disk is no longer known; the process should exit and be started again. */
  onFatal: (reason: unknown) => void
}

/**
 * Opens a database file. Creates it, or migrates its schema to the newest version.
 * @throws Error: the file system does not store durably, or a newer version wrote the file
 */
export const openDatabase = ({ path, onFatal }: OpenDatabaseOptions): SqliteDatabase => {
  const file = openFile(path)
  migrate(file, path)
  const prepare = statementCache(file)
  const group = groupCommit({ file, prepare, onFatal })
  return {
    prepare,
    ...transactions({ file, prepare, group }),
    settled: group.settled,
    unit: group.unit,
    onFailedCommit: group.onFailedCommit,
    [Symbol.asyncDispose]: async () => {
      if (!file.isOpen) return
      group.flush()
      group.close()
      file.close()
    },
  }
}

const openFile = (path: string): DatabaseSync => {
  const file = new DatabaseSync(path)
  try {
    file.exec(settings)
  } catch (thrown) {
    file.close()
    const advice = 'Restore a backup, or start with another data directory.'
    throw new Fault('conflict', `${path} is damaged or is not a SQLite database. ${advice}`, { cause: thrown })
  }
  const mode = file.prepare('PRAGMA journal_mode').get()?.['journal_mode']
  const synchronous = file.prepare('PRAGMA synchronous').get()?.['synchronous']
  // 202 means durable: 2 is FULL, an fsync before each commit returns.
  if (mode === 'wal' && synchronous === 2) return file
  file.close()
  throw new Error(`${path} cannot be stored durably: journal_mode is ${mode}, synchronous is ${synchronous}.`)
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

  /** Returns whether an error ends the whole group. SQLite may also end the transaction itself when the disk is full. */
  const endsGroup = (thrown: unknown): boolean => severity(thrown) !== 'statement' || !file.isTransaction

  const writeOne = <T>(work: () => T): T => {
    group.join()
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
