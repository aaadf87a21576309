import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import { severity } from './sqliteError.ts'

const ownerOf = (pidFile: string): string => {
  try {
    return ` (pid ${Number.parseInt(readFileSync(pidFile, 'utf8'), 10)})`
  } catch {
    return ''
  }
}

const takeLock = (file: DatabaseSync): void => {
  // Kept for as long as the file is open; the kernel gives it up when the process dies, however it dies.
  file.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
}

/** Not Node's recursive one: where a file system makes no directories at all, such as /proc, that never returns. */
const makeMissing = (directory: string): void => {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
  makeMissing(dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}

const makeDirectory = (directory: string): void => {
  try {
    makeMissing(resolve(directory))
  } catch (thrown) {
    throw new Fault('conflict', `The data directory ${directory} can't be made.`, { cause: thrown })
  }
}

/**
 * Makes the directory where it is missing and keeps every other process out of it until closed.
 * @throws Fault `conflict`: another process has it, or it can't be made
 */
export const lockDataDirectory = (directory: string): Disposable => {
  makeDirectory(directory)
  const pidFile = join(directory, 'postrider.pid')
  const file = new DatabaseSync(join(directory, 'postrider.lock'))
  try {
    takeLock(file)
  } catch (thrown) {
    file.close()
    if (severity(thrown) !== 'busy') throw thrown
    throw new Fault('conflict', `Another Postrider process${ownerOf(pidFile)} uses ${directory}.`, { cause: thrown })
  }
  // The lock is what counts; this only tells the next process whose it is.
  writeFileSync(pidFile, `${process.pid}\n`)
  return { [Symbol.dispose]: () => file.close() }
}
