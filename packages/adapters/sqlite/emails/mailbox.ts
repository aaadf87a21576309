import { afterAllIds } from '@postrider/domain/ids.ts'
import type { CapturedMail, MailboxStore } from '@postrider/ports/mailbox.ts'
import type { SqliteDatabase } from '../client/database.ts'

const mailOf = (row: Record<string, unknown>): CapturedMail => JSON.parse(String(row['doc'])) as CapturedMail

/** Captured mail in SQLite. */
export const sqliteMailbox = (db: SqliteDatabase): MailboxStore => {
  const insert = db.prepare(
    'INSERT INTO captured_mail (attempt_id, workspace, doc) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const select = db.prepare('SELECT doc FROM captured_mail WHERE attempt_id = ?')
  const page = 'attempt_id < ? ORDER BY attempt_id DESC LIMIT ?'
  const all = db.prepare(`SELECT doc FROM captured_mail WHERE ${page}`)
  const ofWorkspace = db.prepare(`SELECT doc FROM captured_mail WHERE workspace = ? AND ${page}`)
  const remove = db.prepare('DELETE FROM captured_mail WHERE attempt_id = ?')
  return {
    put: async (mail) => {
      db.writeOne(() => insert.run(mail.attemptId, mail.workspace, JSON.stringify(mail)))
    },
    list: async ({ workspace, before, limit }) => {
      const from = before ?? afterAllIds
      return db.read(() =>
        (workspace === null ? all.all(from, limit) : ofWorkspace.all(workspace, from, limit)).map(mailOf),
      )
    },
    get: async (attemptId) => {
      const row = db.read(() => select.get(attemptId))
      return row ? mailOf(row) : null
    },
    remove: async (attemptIds) => {
      if (attemptIds.length === 0) return
      db.write(() => {
        for (const id of attemptIds) remove.run(id)
      })
    },
  }
}
