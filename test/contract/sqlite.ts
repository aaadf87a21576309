import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { openNewDatabase } from '../support/newDatabase.ts'

/**
 * Opens SQLite databases for a suite. Each is closed and deleted after its test.
 * @returns a function that opens a new database and returns it with its path
 */
export const sqliteForTests = (): (() => { db: SqliteDatabase; path: string }) => {
  let opened: { db: SqliteDatabase; folder: string }[] = []
  afterEach(async () => {
    for (const { db, folder } of opened) {
      await db[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    }
    opened = []
  })
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-'))
    const path = join(folder, 'postrider.db')
    const onFatal = (reason: unknown) => {
      throw reason
    }
    const db = openNewDatabase({ path, onFatal })
    opened.push({ db, folder })
    return { db, path }
  }
}
