import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import { isDiskFull, needingSpace } from './diskSpace.ts'
import { severity } from './errors.ts'

/**
 * Creates the directory if it is missing and locks it for this process until disposed.
 * @throws Fault `conflict`: another process has the lock, or the directory cannot be created; `unavailable`: the disk
 * is full
 */
export const lockDataDirectory = (directory: string): Disposable =>
  needingSpace(join(directory, 'postrider.lock'), () => locked(directory))

const locked = (directory: string): Disposable => {
  createDirectory(directory)
  const pidFile = join(directory, 'postrider.pid')
  const file = new DatabaseSync(join(directory, 'postrider.lock'))
  try {
    // Held while the file is open; the kernel releases it however the process ends.
    file.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
    // Only for the error message of another process; the lock decides.
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch (thrown) {
    file.close()
    if (severity(thrown) !== 'busy') throw thrown
    throw new Fault('conflict', `Another Postrider process${ownerOf(pidFile)} uses ${directory}.`, { cause: thrown })
  }
  return { [Symbol.dispose]: () => file.close() }
}

const ownerOf = (pidFile: string): string => {
  try {
    return ` (pid ${Number.parseInt(readFileSync(pidFile, 'utf8'), 10)})`
  } catch {
    return ''
  }
}

const createDirectory = (directory: string): void => {
  try {
    createMissing(resolve(directory))
  } catch (thrown) {
    if (isDiskFull(thrown)) throw thrown
    throw new Fault('conflict', `The data directory ${directory} cannot be created.`, { cause: thrown })
  }
}

/**
 * Creates a directory and its parents. Node's recursive `mkdirSync` never returns on a file system that has no new
 * directories, such as /proc.
 */
const createMissing = (directory: string): void => {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
  createMissing(dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}
