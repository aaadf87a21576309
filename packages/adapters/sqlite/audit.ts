import type { Audit } from '@postrider/ports/audit.ts'
import type { SqliteDatabase } from './database.ts'

/** The audit log in SQLite. */
export const sqliteAudit = (db: SqliteDatabase): Audit => {
  const insert = db.prepare(
    'INSERT INTO audit_log (workspace, at, actor, action, target, detail) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return {
    record: async ({ workspace, at, actor, action, target, detail }) => {
      db.writeOne(() => insert.run(workspace, at, actor, action, target, JSON.stringify(detail)))
    },
  }
}
