import { removedBatch } from '@postrider/domain/email/batch.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { batchRows, removedBatchRows } from '../emails/batchRows.ts'
import { maxRemovedParts, partsRemoval } from '../emails/contentParts.ts'

/** Batches whose rows are ended in a call. A row has up to 100 items, and the texts of refusals. */
const maxBatches = 20

/**
 * Returns a step that removes some staged emails of the batches of a workspace, or ends batches that have none. Before
 * it removes emails, it makes their batch void, so that a request that is still running adds none, and none is moved to
 * the queue. The ids stay for a while as those of void batches.
 * @returns a function that is called inside of a write, and returns how many rows it removed or ended
 */
export const batchErasure = (db: SqliteDatabase): ((workspace: string, limit: number) => number) => {
  const rows = { ...batchRows(db), ...removedBatchRows(db) }
  const removeParts = partsRemoval(db)
  const removeSomeEmails = (batch: string): number => {
    const emails = rows.firstParts(batch)
    if (emails.length > 0) rows.voidOfRemoved(batch)
    let [removed, partsLeft] = [0, maxRemovedParts]
    for (const { number, parts } of emails) {
      const count = removeParts(parts, partsLeft)
      removed += count
      partsLeft -= count
      if (partsLeft === 0) return removed
      rows.removeEmail(batch, number)
      removed += 1
    }
    return removed
  }
  return (workspace, limit) => {
    let ended = 0
    for (const { id, at } of rows.ofWorkspace(workspace, Math.min(limit, maxBatches))) {
      const removed = removeSomeEmails(id)
      if (removed > 0) return ended + removed
      rows.endRemoved(id, removedBatch(at))
      ended += 1
    }
    return ended
  }
}
