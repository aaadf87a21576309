import type { Suspensions } from '@postrider/ports/suspensions.ts'
import type { SqliteDatabase } from './database.ts'

/** Reads the suspended workspaces from an index that contains no others. */
export const sqliteSuspensions = (db: SqliteDatabase): Suspensions => {
  const select = db.prepare('SELECT id FROM workspaces WHERE suspended = 1')
  return { suspended: async () => new Set(db.read(() => select.all()).map(({ id }) => String(id))) }
}
