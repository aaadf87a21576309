import type { CapturedMail, MailboxStore } from '@postrider/ports/mailbox.ts'
import type { SqliteDatabase } from '../client/database.ts'

const mailOf = (row: Record<string, unknown>): CapturedMail => JSON.parse(String(row['doc'])) as CapturedMail

/** Captured mail in SQLite. */
export const sqliteMailbox = (db: SqliteDatabase): MailboxStore => {
  const insert = db.prepare(
    'INSERT INTO captured_mail (attempt_id, workspace, doc) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const select = db.prepare('SELECT doc FROM captured_mail WHERE attempt_id = ?')
  // From the newest if `before` is null or no longer exists.
  const before = 'seq < coalesce((SELECT seq FROM captured_mail WHERE attempt_id = ?), 9e18)'
  const all = db.prepare(`SELECT doc FROM captured_mail WHERE ${before} ORDER BY seq DESC LIMIT ?`)
  const ofWorkspace = db.prepare(
    `SELECT doc FROM captured_mail WHERE workspace = ? AND ${before} ORDER BY seq DESC LIMIT ?`,
  )
  const remove = db.prepare('DELETE FROM captured_mail WHERE attempt_id = ?')
  return {
    put: async (mail) => {
      db.writeOne(() => insert.run(mail.attemptId, mail.workspace, JSON.stringify(mail)))
    },
    list: async ({ workspace, before, limit }) =>
      db.read(() =>
        (workspace === null ? all.all(before, limit) : ofWorkspace.all(workspace, before, limit)).map(mailOf),
      ),
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
