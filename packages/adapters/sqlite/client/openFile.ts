import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import { diskSpace, isDiskFull } from './diskSpace.ts'
import { severity } from './errors.ts'

/** Time for which SQLite waits for a lock of another connection. */
export const busyTimeoutMs = 2_000

const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = ${busyTimeoutMs};
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16000;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA wal_autocheckpoint = 0;
  PRAGMA secure_delete = ON;
`

/** Size of the pages in which SQLite allocates the shared index of its log. */
const indexPageBytes = 4_096

/**
 * Opens a file, and creates it if it is missing.
 * @throws Fault `conflict`: the file is damaged, or cannot be opened; Error: the file system does not store durably. An
 * error that means a full disk is thrown unchanged.
 */
export const openFile = (path: string): DatabaseSync => {
  const file = new DatabaseSync(path)
  try {
    // SQLite allocates one byte of each page of the index, which is a memory map. Where blocks are smaller than a page,
    // the rest stays unallocated, and touching it on a full disk kills the process (SIGBUS). With an exclusive lock the
    // index is in the memory of the process; other programs then cannot read the database while it runs.
    if (diskSpace(path).blockBytes < indexPageBytes) file.exec('PRAGMA locking_mode = EXCLUSIVE')
    file.exec(settings)
  } catch (thrown) {
    file.close()
    throw isDiskFull(thrown) ? thrown : openingFault(path, thrown)
  }
  const mode = file.prepare('PRAGMA journal_mode').get()?.['journal_mode']
  const synchronous = file.prepare('PRAGMA synchronous').get()?.['synchronous']
  // 202 means durable: 2 is FULL, an fsync before each commit returns.
  if (mode === 'wal' && synchronous === 2) return file
  file.close()
  throw new Error(`${path} cannot be stored durably: journal_mode is ${mode}, synchronous is ${synchronous}.`)
}

/** Returns whether no other connection can open the file. */
export const isExclusive = (file: DatabaseSync): boolean =>
  file.prepare('PRAGMA locking_mode').get()?.['locking_mode'] === 'exclusive'

const openingFault = (path: string, cause: unknown): Fault => {
  if (severity(cause) === 'busy') {
    return new Fault('conflict', `Another program has locked ${path}; end it and start again.`, { cause })
  }
  const damage = findDamage(path)
  if (damage === null) {
    return new Fault('conflict', `${path} cannot be opened. SQLite's integrity check found no damage.`, { cause })
  }
  const advice = 'Restore a backup, or start with another data directory.'
  return new Fault('conflict', `${path} is damaged or is not a SQLite database. ${advice}`, {
    cause: new Error(damage, { cause }),
  })
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: the low byte of an error code. */
const damageCodes = new Set([11, 26])

/** Runs SQLite's integrity check. @returns what it found; null: no damage, or the file could not be read */
const findDamage = (path: string): string | null => {
  try {
    using file = new DatabaseSync(path, { readOnly: true })
    const found = String(file.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'])
    return found === 'ok' ? null : found
  } catch (thrown) {
    if (!(thrown instanceof Error && 'errcode' in thrown)) return null
    return damageCodes.has(Number(thrown.errcode) & 0xff) ? thrown.message : null
  }
}
