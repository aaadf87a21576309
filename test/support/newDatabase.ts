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
 * Opens a database as `openDatabase` does. A new file is a copy of one that this process has migrated once: all
 * migrations cost 40 ms of CPU and a flush of the disk, a copy costs 1 ms. The tests of migrations do not use this.
 * Commits of this process do not wait for the disk: a flush protects from a loss of power only, which no test causes. A
 * statement whose parameters do not all get a value throws.
 */
export const openNewDatabase = (options: OpenDatabaseOptions): SqliteDatabase => {
  empty ??= migratedFile()
  if (!existsSync(options.path)) writeFileSync(options.path, empty)
  const db = openDatabase(options)
  db.prepare('PRAGMA synchronous = OFF').get()
  return db
}
