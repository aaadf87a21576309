import { removedBatch } from '@postrider/domain/email/batch.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { stagedRemoval } from '../emails/batchCompletion.ts'
import { batchRows, removedBatchRows } from '../emails/batchRows.ts'

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
  const removeStaged = stagedRemoval(db, rows)
  const removeSomeEmails = (batch: string): number => {
    if (rows.hasEmails(batch)) rows.revoke(batch)
    return removeStaged(batch)
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
