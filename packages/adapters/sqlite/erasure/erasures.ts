import type { ErasureStore, StoredErasure } from '@postrider/ports/erasures.ts'
import { auditEntries } from '../audit/audit.ts'
import type { SqliteDatabase } from '../client/database.ts'

const erasureOf = (row: Record<string, unknown>): StoredErasure => JSON.parse(String(row['doc'])) as StoredErasure

const nextOf = ({ completedAt, nextAt }: StoredErasure): number | null => (completedAt === null ? nextAt : null)

/** Requests to erase a recipient in SQLite. */
export const sqliteErasures = (db: SqliteDatabase): ErasureStore => {
  const addEntries = auditEntries(db)
  const insert = db.prepare('INSERT INTO erasures (id, workspace, next_at, doc) VALUES (?, ?, ?, ?)')
  const select = db.prepare('SELECT doc FROM erasures WHERE workspace = ? AND id = ?')
  // The index by workspace has those that are done too; they stay.
  const open = db.prepare(`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM erasures INDEXED BY erasures_due WHERE next_at IS NOT NULL AND workspace = ? LIMIT ?)`)
  const due = db.prepare(`
    SELECT doc FROM (
      SELECT doc, next_at, row_number() OVER (PARTITION BY workspace ORDER BY next_at) AS turn
      FROM erasures INDEXED BY erasures_due WHERE next_at <= ?)
    ORDER BY turn > 1, next_at LIMIT ?`)
  const change = db.prepare('UPDATE erasures SET next_at = ?, doc = ? WHERE id = ? AND next_at = ?')
  return {
    insert: async (erasure, audit) =>
      db.write(() => {
        insert.run(erasure.id, erasure.workspace, nextOf(erasure), JSON.stringify(erasure))
        addEntries(audit)
      }),
    get: async (workspace, id) => {
      const row = db.read(() => select.get(workspace, id))
      return row ? erasureOf(row) : null
    },
    countOpen: async (workspace, max) => Number(db.read(() => open.get(workspace, max))?.['count']),
    due: async (now, limit) => db.read(() => due.all(now, limit)).map(erasureOf),
    claim: async (erasure, until) => {
      const claimed = JSON.stringify({ ...erasure, nextAt: until })
      return db.write(() => change.run(until, claimed, erasure.id, erasure.nextAt)).changes === 1
    },
    update: async (erasure, claimedUntil) => {
      const done = db.writeOne(() => change.run(nextOf(erasure), JSON.stringify(erasure), erasure.id, claimedUntil))
      return done.changes === 1
    },
  }
}
