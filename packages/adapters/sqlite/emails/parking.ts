import type { EmailParking } from '@postrider/ports/emailParking.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { storedColumns, storedOf } from './rows.ts'

/** Parked mail, and what is due first. The index of parked mail has no other mail. */
export const emailParking = (db: SqliteDatabase): EmailParking => {
  const parked = db.prepare(`
    SELECT ${storedColumns}, parked_at FROM emails INDEXED BY emails_parked
    WHERE parked_at IS NOT NULL AND (parked_at, id) < (?, ?) ORDER BY parked_at DESC, id DESC LIMIT ?`)
  const count = db.prepare(`
    SELECT count(*) AS count FROM
      (SELECT 1 FROM emails INDEXED BY emails_parked WHERE parked_at IS NOT NULL LIMIT ?)`)
  const first = db.prepare(`
    SELECT ${storedColumns} FROM emails INDEXED BY emails_due WHERE lane = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT ?`)
  return {
    parked: async ({ before, limit }) => {
      const { at, id } = before ?? { at: Number.MAX_SAFE_INTEGER, id: '' }
      const rows = db.read(() => parked.all(at, id, limit))
      return rows.map((row) => ({ stored: storedOf(row), parkedAt: Number(row['parked_at']) }))
    },
    countParked: async (max) => Number(db.read(() => count.get(max))?.['count']),
    // The migration did it, and version 0.1 does not open a file after it.
    timeParked: async () => ({ more: false }),
    firstDue: async (lane, limit) => db.read(() => first.all(lane, limit)).map(storedOf),
  }
}
