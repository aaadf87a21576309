import type { Reservation } from '@postrider/domain/quota/quota.ts'
import type { SqliteDatabase } from '../client/database.ts'

/**
 * The reservations that are not committed yet, in the table `ledger_pending`. Most are committed in the transaction
 * that made them, so a row is written at its end and only for the others.
 */
export const pendingReservations = (db: SqliteDatabase) => {
  const insert = db.prepare('INSERT INTO ledger_pending (id, at) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM ledger_pending WHERE id = ?')
  /** Times of those of the open transaction, by id. */
  const fresh = new Map<string, number>()
  db.beforeCommit(() => {
    for (const [id, at] of fresh) insert.run(id, at)
    fresh.clear()
  })
  db.onFailedCommit(() => fresh.clear())
  return {
    /** Adds a reservation. Call it in a write when none of its statements can fail any more: memory has no undo. */
    add: ({ id, at }: Reservation): void => void fresh.set(id, at),
    /** Removes a reservation. @returns whether there was one */
    removeOne: (id: string): boolean => fresh.delete(id) || db.writeOne(() => remove.run(id)).changes === 1,
    /** Does what `removeOne` does, inside of a write. Call `db.complete` before that write. */
    remove: (id: string): boolean => remove.run(id).changes === 1,
  }
}
