import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files of a data directory with their journals and copies. A restored backup or an earlier version may have created them
 * for other users too.
 */
const isOwnFile = (name: string): boolean => /^(?:postrider\.|(?:secret|operator-token)(?:\.|$))/.test(name)

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory)
  } catch {
    // The directory is missing or cannot be read; opening the store reports the latter.
    return []
  }
}

/**
 * Takes the rights of other users away from files of the data directory that exist already. The mode of the directory stays, since
 * other programs may share it.
 * @returns paths of files that stay accessible to others, because another user owns them or the file system is read-only
 */
export const makeFilesPrivate = (directory: string): string[] =>
  namesIn(directory)
    .filter(isOwnFile)
    .map((name) => join(directory, name))
    .filter((path) => isShared(path) && !makePrivate(path))

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
