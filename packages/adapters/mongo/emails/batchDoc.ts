import { type BatchChange, type BatchState, shownBatchState } from '@postrider/domain/email/batch.ts'
import type { BatchItem, StoredBatch } from '@postrider/ports/emailBatches.ts'
import type { Collection } from 'mongodb'
import type { Contents } from './contents.ts'
import type { EmailDoc } from './document.ts'

/** A batch as it is stored. Its emails are documents of their own. */
export type BatchDoc = BatchChange & {
  _id: string
  workspace: string
  at: number
  items: BatchItem[]
  results: string
}

/** Collections of batches and of their emails, and the store of contents. */
export type Stores = { batches: Collection<BatchDoc>; emails: Collection<EmailDoc>; contents: Contents }

/** Matches a batch in one of these states. */
export const inState = (states: readonly BatchState[]) => ({ state: { $in: [...states] } })

/** Returns the batch of a document. */
export const batchOf = ({ _id: id, workspace, at, state, items, results }: BatchDoc): StoredBatch => ({
  id,
  workspace,
  at,
  state: shownBatchState(state),
  items,
  results,
})
