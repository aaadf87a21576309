import { clearedBatch, doneBatch, isBatchIncomplete, voidedBatch } from '@postrider/domain/email/batch.ts'
import { withFreshEvents } from '@postrider/domain/email/changes.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { BatchHead } from '@postrider/ports/emailBatches.ts'
import type { SqliteDatabase } from '../client/database.ts'
import type { batchRows } from './batchRows.ts'
import { type ContentParts, maxRemovedParts, type PartsRow, partsRemoval } from './contentParts.ts'

/* The last step of a batch: its staged emails are moved to the queue, or removed. Each moves some in an iteration. */

type Insert = (email: Email, content: Content, stored: PartsRow | null) => 'inserted' | 'exists' | 'void'

/**
 * `insertRow` inserts an email with its content; it is called inside of a write. `slices` runs what a long batch needs.
 */
export type BatchParts = { parts: ContentParts; insertRow: Insert; slices: Slices }

export type Deps = BatchParts & {
  db: SqliteDatabase
  rows: ReturnType<typeof batchRows>
  removeStaged: ReturnType<typeof stagedRemoval>
}

type Found = Pick<BatchHead, 'id' | 'workspace'>

/** Moves the staged emails of an accepted batch to the queue. Repeatable. */
export const complete = async (
  { db, rows, insertRow, slices }: Deps,
  { id, workspace }: Found,
  now: number,
): Promise<void> => {
  const since = performance.now()
  const moveSome = (): void => {
    if (!isBatchIncomplete(rows.stateOf(id))) return
    // Many batches may be moved at the same time, and events must not be stored late.
    const at = now + Math.floor(performance.now() - since)
    for (const { number, email, content, parts, layout } of rows.firstEmails(id)) {
      insertRow(withFreshEvents(email, 0, at), content, { parts, layout })
      rows.removeEmail(id, number)
    }
    if (!rows.hasEmails(id)) rows.change(id, doneBatch(now))
  }
  while (isBatchIncomplete(db.read(() => rows.stateOf(id)))) {
    await nextSlice(slices.of(workspace))
    db.write(moveSome)
  }
}

/** Makes a batch void and removes its staged emails, with their parts. A refused client waits for it. Repeatable. */
export const clear = async (
  { db, rows, removeStaged, slices }: Deps,
  { id, workspace }: Found,
  now: number,
): Promise<void> => {
  const removeSome = (): boolean => {
    if (!rows.startClearing(id, voidedBatch(now), now)) return false
    removeStaged(id)
    const isLeft = rows.hasEmails(id)
    if (!isLeft) rows.change(id, clearedBatch(now))
    return isLeft
  }
  do await nextSlice(slices.of(workspace))
  while (db.write(removeSome))
}

/**
 * Returns a function that removes some staged emails of a batch with their parts, inside of a write. It returns how
 * many rows it removed.
 */
export const stagedRemoval = (
  db: SqliteDatabase,
  rows: Pick<ReturnType<typeof batchRows>, 'firstParts' | 'removeEmail'>,
): ((batch: string) => number) => {
  const removeParts = partsRemoval(db)
  return (batch) => {
    let [removed, partsLeft] = [0, maxRemovedParts]
    for (const { number, parts } of rows.firstParts(batch)) {
      const count = removeParts(parts, partsLeft)
      removed += count
      partsLeft -= count
      if (partsLeft === 0) return removed
      rows.removeEmail(batch, number)
      removed += 1
    }
    return removed
  }
}
