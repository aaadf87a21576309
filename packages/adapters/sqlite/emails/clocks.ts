import type { EmailClocks } from '@postrider/ports/testClocks.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { firstRows } from '../client/recordScheduler.ts'
import { storedColumns, storedOf } from './rows.ts'

/** Test mail for a move of its clock. Its indexes have no live mail. */
export const emailClocks = (db: SqliteDatabase): EmailClocks => {
  const waiting = (index: string): string =>
    `FROM emails INDEXED BY ${index} WHERE workspace = :workspace AND mode = 'test'`
  const behind = db.prepare(`
    SELECT ${storedColumns} ${waiting('emails_test_places')} AND next_at IS NOT NULL AND (lease_until IS NULL OR lease_until <= :now)
      AND coalesce(json_extract(doc, '$.clock.offset'), 0) < :offset
    LIMIT :limit`)
  const due = db.prepare(
    `SELECT count(*) AS count FROM (SELECT 1 ${waiting('emails_test_waiting')} AND next_at <= :now LIMIT :max)`,
  )
  return {
    behindClock: async (query) => db.read(() => firstRows(behind.iterate(query))).map(storedOf),
    dueTestMail: async (query) => Number(db.read(() => due.get(query))?.['count']),
  }
}
