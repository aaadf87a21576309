/** What an error of SQLite means for those who wait on it; see https://sqlite.org/rescode.html. */
export type Severity =
  /** No room: what wasn't committed is lost, the file is sound, and it works again when there is room. */
  | 'full'
  /** Another process has the file's write lock, such as a backup. */
  | 'busy'
  /** What the disk holds is no longer known: only opening the file anew tells. */
  | 'fatal'
  /** The statement's own, such as a constraint. */
  | 'statement'

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: no room for the index of the write-ahead log. */
const fullCodes = new Set([13, 4874])
/** SQLITE_BUSY, SQLITE_LOCKED. */
const busyCodes = new Set([5, 6])
/** SQLITE_INTERNAL, NOMEM, READONLY, IOERR (a failed fsync too), CORRUPT, CANTOPEN, PROTOCOL, NOTADB. */
const fatalCodes = new Set([2, 7, 8, 10, 11, 14, 15, 26])
/** SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE. */
const uniqueCodes = new Set([1555, 2067])

const extendedCode = (thrown: unknown): number | null =>
  thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode : null

export const severity = (thrown: unknown): Severity => {
  const code = extendedCode(thrown)
  if (code === null) return 'statement'
  if (fullCodes.has(code)) return 'full'
  // The low byte is the primary code.
  const primary = code & 0xff
  if (busyCodes.has(primary)) return 'busy'
  return fatalCodes.has(primary) ? 'fatal' : 'statement'
}

/** Whether a statement was refused because the key is there already. */
export const isTaken = (thrown: unknown): boolean => uniqueCodes.has(extendedCode(thrown) ?? 0)
