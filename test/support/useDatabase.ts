import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { openNewDatabase } from './newDatabase.ts'

/** Opens a new database in its own folder before each test of the calling `describe`, and removes it afterwards. */
export const useDatabase = (onOpen: (db: SqliteDatabase) => void): void => {
  let folder = ''
  let db: SqliteDatabase
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-'))
    const onFatal = (reason: unknown) => {
      throw reason
    }
    db = openNewDatabase({ path: join(folder, 'postrider.db'), onFatal })
    onOpen(db)
  })
  afterEach(async () => {
    await db[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })
}
