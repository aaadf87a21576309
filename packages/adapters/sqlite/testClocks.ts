import { firstCheckAt, type TestClock } from '@postrider/domain/email/testClock.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import { auditEntries } from './audit/audit.ts'
import type { SqliteDatabase } from './client/database.ts'

const clockOf = (row: Record<string, unknown>): TestClock => ({
  workspace: String(row['workspace']),
  offset: Number(row['clock_offset']),
  movedAt: Number(row['moved_at']),
  rev: Number(row['rev']),
})

/** The test clocks in SQLite. */
export const sqliteTestClocks = (db: SqliteDatabase): TestClockStore => {
  const addEntries = auditEntries(db)
  const byWorkspace = db.prepare('SELECT * FROM test_clocks WHERE workspace = ?')
  const toFollow = db.prepare('SELECT * FROM test_clocks WHERE look_at <= ? ORDER BY look_at LIMIT ?')
  const setCheckAt = db.prepare('UPDATE test_clocks SET look_at = ? WHERE workspace = ? AND rev = ?')
  // The guard of the first move is that there is no row: then nothing conflicts, and `rev` is 1.
  const insert = db.prepare(
    'INSERT INTO test_clocks VALUES (:workspace, :offset, :movedAt, :rev, :lookAt) ON CONFLICT DO NOTHING',
  )
  const update = db.prepare(`
    UPDATE test_clocks SET clock_offset = :offset, moved_at = :movedAt, rev = :rev, look_at = :lookAt
    WHERE workspace = :workspace AND rev = :rev - 1`)
  return {
    get: async (workspace) => {
      const row = db.read(() => byWorkspace.get(workspace))
      return row ? clockOf(row) : null
    },
    move: async (clock, audit) =>
      db.write(() => {
        const write = clock.rev === 1 ? insert : update
        const isMoved = write.run({ ...clock, lookAt: firstCheckAt(clock.movedAt) }).changes === 1
        if (isMoved) addEntries(audit)
        return isMoved
      }),
    toFollow: async (now, limit) => db.read(() => toFollow.all(now, limit)).map(clockOf),
    followed: async ({ workspace, rev }, checkAt) => {
      db.writeOne(() => setCheckAt.run(checkAt === null ? null : Math.ceil(checkAt), workspace, rev))
    },
  }
}
