import type { LinkStore } from '@postrider/ports/links.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { linkTable } from './rows.ts'

/** Expired links that a new link removes. */
const maxExpired = 100

/** One-time links in SQLite. */
export const sqliteLinks = (db: SqliteDatabase): LinkStore => {
  const usable = 'WHERE hash = ? AND purpose = ? AND expires_at > ?'
  const insert = db.prepare('INSERT INTO links VALUES (:hash, :purpose, :subject, :address, :created_at, :expires_at)')
  const find = db.prepare(`SELECT * FROM links ${usable}`)
  const take = db.prepare(`DELETE FROM links ${usable} RETURNING *`)
  const remove = db.prepare('DELETE FROM links WHERE purpose = ? AND subject = ?')
  const removeExpired = db.prepare(`
    DELETE FROM links WHERE hash IN (SELECT hash FROM links WHERE expires_at <= ? LIMIT ${maxExpired})`)
  const linkOf = (row: unknown) => (row === undefined ? null : linkTable.read(row as Row))
  return {
    insertLink: async (link) => {
      db.writeOne(() => insert.run(linkTable.write(link)))
    },
    link: async (hash, purpose, now) => linkOf(db.read(() => find.get(hash, purpose, now))),
    takeLink: async (hash, purpose, now) => linkOf(db.writeOne(() => take.get(hash, purpose, now))),
    deleteLinks: async (purpose, subject) => {
      db.writeOne(() => remove.run(purpose, subject))
    },
    deleteExpiredLinks: async (now) => Number(db.writeOne(() => removeExpired.run(now)).changes),
  }
}
