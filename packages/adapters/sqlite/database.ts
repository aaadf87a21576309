import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import type { Durable, Units } from '@postrider/ports/durable.ts'
import { groupCommit } from './groupCommit.ts'
import { countLosses, type Losses } from './losses.ts'
import { migrate } from './migrations.ts'
import { severity } from './sqliteError.ts'

/**
 * One SQLite file with group commit. The first write of an event-loop turn opens a transaction, every write of the turn
 * joins it, and one commit, one fsync, ends it. Everything is synchronous, so no other call slips into a write.
 */
export type SqliteDatabase = Durable &
  Units &
  Pick<Losses, 'onLost'> &
  AsyncDisposable & {
    /** A prepared statement, made once for each text. */
    prepare(sql: string): StatementSync
    /** Runs reads; they see every write so far, committed or not.
     * @throws Fault `unavailable`: the file failed */
    read<T>(work: () => T): T
    /** Runs writes that stand or fall together: what `work` throws undoes them and nothing else. It must not await.
     * @throws Fault `unavailable`: nothing can be written now, and nothing of this turn is kept */
    write<T>(work: () => T): T
    /** The same for a single writing statement, which SQLite undoes by itself; cheaper. */
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

const openFile = (path: string): DatabaseSync => {
  const file = new DatabaseSync(path)
  try {
    file.exec(settings)
  } catch (thrown) {
    file.close()
    const advice = 'Put a backup of it there, or start on another data directory.'
    throw new Fault('conflict', `${path} is no database, or it is damaged. ${advice}`, { cause: thrown })
  }
  const mode = file.prepare('PRAGMA journal_mode').get()?.['journal_mode']
  const synchronous = file.prepare('PRAGMA synchronous').get()?.['synchronous']
  // 202 means durable: 2 is FULL, an fsync before each commit returns.
  if (mode === 'wal' && synchronous === 2) return file
  file.close()
  throw new Error(`${path} can't be kept durably: journal_mode is ${mode}, synchronous is ${synchronous}.`)
}

const statementCache = (file: DatabaseSync): ((sql: string) => StatementSync) => {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    const known = statements.get(sql) ?? file.prepare(sql)
    statements.set(sql, known)
    return known
  }
}

/**
 * Opens a file, making it or bringing its schema up to date.
 * @param onFatal told once when what the disk holds is no longer known; the process should end, and start anew
 * @throws Error: it can't be kept durably here, or a newer version wrote it
 */
export const openDatabase = ({
  path,
  onFatal,
}: {
  path: string
  onFatal: (reason: unknown) => void
}): SqliteDatabase => {
  const file = openFile(path)
  migrate(file, path)
  const prepare = statementCache(file)
  const losses = countLosses()
  const group = groupCommit({ file, prepare, losses, onFatal })
  const [save, release, undo] = [prepare('SAVEPOINT w'), prepare('RELEASE w'), prepare('ROLLBACK TO w')]

  /** The group is past saving also where SQLite ended its transaction, as it may when there is no room. */
  const spoilt = (thrown: unknown): boolean => severity(thrown) !== 'statement' || !file.isTransaction

  const writeOne = <T>(work: () => T): T => {
    group.join()
    try {
      return work()
    } catch (thrown) {
      throw spoilt(thrown) ? group.lose(thrown) : thrown
    }
  }

  const inSavepoint = <T>(work: () => T): T => {
    save.run()
    try {
      const result = work()
      release.run()
      return result
    } catch (thrown) {
      if (!spoilt(thrown)) {
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
      throw severity(thrown) === 'statement' ? thrown : group.lose(thrown)
    }
  }

  return {
    prepare,
    read,
    write: (work) => writeOne(() => inSavepoint(work)),
    writeOne,
    settled: group.settled,
    unit: losses.unit,
    onLost: losses.onLost,
    [Symbol.asyncDispose]: async () => {
      if (!file.isOpen) return
      group.flush()
      group.end()
      file.close()
    },
  }
}
