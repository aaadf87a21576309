import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { openNewDatabase } from './newDatabase.ts'

/**
 * Opens a new database in its own folder before each test of the calling `describe`, and removes it afterwards.
 * @returns the path of its file, and a function that opens the file again, after a test has closed the database
 */
export const useDatabase = (onOpen: (db: SqliteDatabase) => void): { path(): string; openAgain(): void } => {
  let folder = ''
  let db: SqliteDatabase
  const path = (): string => join(folder, 'postrider.db')
  const onFatal = (reason: unknown) => {
    throw reason
  }
  const openAgain = (): void => {
    db = openNewDatabase({ path: path(), onFatal })
    onOpen(db)
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-'))
    openAgain()
  })
  afterEach(async () => {
    await db[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })
  return { path, openAgain }
}
