/** Effect of an error on the writes of its event loop iteration; see https://sqlite.org/rescode.html. */
export type Severity =
  /**
   * The disk is full: uncommitted writes are lost, the file is sound, and writes work again when there is free space.
   */
  | 'full'
  /** Another process, such as a backup, has the write lock. */
  | 'busy'
  /** The content of the disk is no longer known until the file is opened again. */
  | 'fatal'
  /** Only the statement failed, for example because of a constraint. */
  | 'statement'

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: no space for the index of the write-ahead log. */
const fullCodes = new Set([13, 4874])
/** SQLITE_BUSY, SQLITE_LOCKED. */
const busyCodes = new Set([5, 6])
/** SQLITE_INTERNAL, NOMEM, READONLY, IOERR (including a failed fsync), CORRUPT, CANTOPEN, PROTOCOL, NOTADB. */
const fatalCodes = new Set([2, 7, 8, 10, 11, 14, 15, 26])
/** SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE. */
const uniqueCodes = new Set([1555, 2067])

const extendedCode = (thrown: unknown): number | null =>
  thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number' ? thrown.errcode : null

/** Classifies an error that a statement threw. */
export const severity = (thrown: unknown): Severity => {
  const code = extendedCode(thrown)
  if (code === null) return 'statement'
  if (fullCodes.has(code)) return 'full'
  // The low byte is the primary code.
  const primary = code & 0xff
  if (busyCodes.has(primary)) return 'busy'
  return fatalCodes.has(primary) ? 'fatal' : 'statement'
}

/** Returns whether a statement was refused because a unique key exists. */
const isTaken = (thrown: unknown): boolean => uniqueCodes.has(extendedCode(thrown) ?? 0)

/**
 * Makes a write that a unique key decides.
 * @returns what it returns; `taken` if the key exists, and then nothing was written
 */
export const unlessTaken = <Result, Taken>(taken: Taken, write: () => Result): Result | Taken => {
  try {
    return write()
  } catch (thrown) {
    if (isTaken(thrown)) return taken
    throw thrown
  }
}
