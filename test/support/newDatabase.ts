import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type OpenDatabaseOptions,
  openDatabase,
  type SqliteDatabase,
} from '@postrider/adapters/sqlite/client/database.ts'
import { migrate } from '@postrider/adapters/sqlite/client/migrations.ts'
import { openFile } from '@postrider/adapters/sqlite/client/openFile.ts'
import { checkBoundParameters } from './boundParameters.ts'

/** Returns the bytes of a database file with the newest schema and no rows. */
const migratedFile = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-schema-'))
  try {
    const path = join(folder, 'db')
    const file = openFile(path)
    migrate(file, path)
    file.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let empty: Buffer | undefined

checkBoundParameters()

/**
 * Creates a file with the newest schema and no rows, if there is none: a copy of one that this process has migrated
 * once. All migrations cost 40 ms of CPU and a flush of the disk, a copy costs 1 ms. The tests of migrations do not use
 * this.
 */
export const createMigrated = (path: string): void => {
  empty ??= migratedFile()
  if (!existsSync(path)) writeFileSync(path, empty)
}

/**
 * Opens a database as `openDatabase` does, in a file of `createMigrated`. Commits of this process do not wait for the
 * disk: a flush protects from a loss of power only, which no test causes. A statement whose parameters do not all get a
 * value throws.
 */
export const openNewDatabase = (options: OpenDatabaseOptions): SqliteDatabase => {
  createMigrated(options.path)
  const db = openDatabase(options)
  db.prepare('PRAGMA synchronous = OFF').get()
  return db
}
