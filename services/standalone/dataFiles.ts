import { chmodSync, closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files of a data directory with their journals and copies. A restored backup or an earlier version may have
 * created them for other users too.
 */
const isOwnFile = (name: string): boolean => /^(?:postrider\.|(?:secret|operator-token)(?:\.|$))/.test(name)

/** A name that only a copy of these files, or of an archive of them, has. */
const isNamedAsCopy = (name: string): boolean => /^(?:postrider|(?:secret|operator-token)s?(?![a-z]))/i.test(name)

const databaseHeader = 'SQLite format 3\0'

/** Whether a file is a database. Only a regular file is opened: the read of a pipe would wait. */
const isDatabase = (path: string): boolean => {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(databaseHeader.length)
      return readSync(file, head, 0, head.length, 0) === head.length && head.toString('latin1') === databaseHeader
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory)
  } catch {
    // The directory is missing or cannot be read; opening the store reports the latter.
    return []
  }
}

/**
 * Takes the rights of other users away from files of the data directory that exist already. The mode of the directory
 * stays, since other programs may share it.
 * @returns paths of files that stay accessible to others, because another user owns them or the file system is
 *   read-only; and of copies under other names, whose mode stays, since another program may have made them
 */
export const makeFilesPrivate = (directory: string): string[] =>
  namesIn(directory)
    .map((name) => ({ name, path: join(directory, name) }))
    .filter(({ path }) => isShared(path))
    .filter(({ name, path }) => (isOwnFile(name) ? !makePrivate(path) : isCopy(name, path)))
    .map(({ path }) => path)

const isCopy = (name: string, path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true && (isNamedAsCopy(name) || isDatabase(path))

const othersRights = 0o077

const isShared = (path: string): boolean => {
  try {
    const { mode = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    return (mode & othersRights) !== 0
  } catch {
    return false
  }
}

const makePrivate = (path: string): boolean => {
  try {
    chmodSync(path, statSync(path).mode & 0o700)
    return !isShared(path)
  } catch {
    return false
  }
}
