import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import {
  type AnyBulkWriteOperation,
  type Collection,
  type Document,
  type Filter,
  MongoBulkWriteError,
  MongoServerError,
  type OptionalUnlessRequiredId,
  type UpdateFilter,
} from 'mongodb'
import { isDuplicateKey, unwrapBulkError } from './errors.ts'

/*
 * Several writes in one unordered command: a refused item does not stop the others. Each function returns a result per
 * item, in order; an Error is the server's refusal of that item alone. An error that concerns the whole command is
 * thrown: no response, refused as a whole, or no majority. A single item is sent by the driver's shorter path, at half
 * the cost.
 */

/**
 * Limits for gathered calls. With a second batch in flight one slow command does not delay every call. Few calls per
 * batch: each may carry an email or a response.
 */
export const batchLimits = { max: 200, maxInFlight: 2 } as const

export type Update<Doc> = { filter: Filter<Doc>; update: UpdateFilter<Doc> }

/** Inserts each document. @returns for each: true, inserted; false, a unique index already contains its value */
export const insertEach = async <Doc extends Document>(
  collection: Collection<Doc>,
  docs: readonly OptionalUnlessRequiredId<Doc>[],
): Promise<(boolean | Error)[]> => {
  const [first, ...rest] = docs
  if (!first) return []
  const { refused } = await run(() =>
    rest.length === 0 ? collection.insertOne(first) : collection.insertMany(docs, { ordered: false }),
  )
  return docs.map((_, index) => unlessRefused(refused.get(index)))
}

/**
 * Updates one document by each, or inserts it if its `_id` does not exist.
 * @returns for each: true, done; false, the document exists and the rest of the filter does not match
 */
export const upsertEach = async <Doc extends Document>(
  collection: Collection<Doc>,
  updates: readonly Update<Doc>[],
): Promise<(boolean | Error)[]> => {
  const { refused } = await update(collection, updates, { upsert: true })
  return updates.map((_, index) => unlessRefused(refused.get(index)))
}

/**
 * Updates one document by each, or inserts it. Filters are an `_id` alone. Repeats an update after another process
 * inserted the document.
 */
export const upsertAll = async <Doc extends Document>(
  collection: Collection<Doc>,
  updates: readonly Update<Doc>[],
): Promise<void> => {
  let left = updates
  const attempt = async (): Promise<true | undefined> => {
    const done = withoutRefusals(await upsertEach(collection, left))
    left = left.filter((_, index) => !done[index])
    return left.length === 0 || undefined
  }
  await retryOnConflict(attempt, {
    rounds: 'upsert',
    onBusy: () => new Error('a document cannot be inserted'),
  })
}

/**
 * Updates at most one document by each.
 * @returns for each: whether a document matched; null, unknown: the server counts matches but does not name them, so
 *   the caller has to read where some matched and some did not
 */
export const updateEach = async <Doc extends Document>(
  collection: Collection<Doc>,
  updates: readonly Update<Doc>[],
): Promise<(boolean | null | Error)[]> => {
  const { refused, matched } = await update(collection, updates, {})
  const didMatch = matched === 0 ? false : matched + refused.size === updates.length ? true : null
  return updates.map((_, index) => refused.get(index) ?? didMatch)
}

/** Counts of documents that operations matched, changed or deleted. */
type Written = { matchedCount: number; modifiedCount: number; deletedCount: number }

/**
 * Runs operations of which the server refuses none; without any, nothing.
 * @throws the driver's error, also for a single refusal
 */
export const writeAll = async <Doc extends Document>(
  collection: Collection<Doc>,
  operations: readonly AnyBulkWriteOperation<Doc>[],
): Promise<Written> => {
  if (operations.length === 0) return { matchedCount: 0, modifiedCount: 0, deletedCount: 0 }
  return collection.bulkWrite(operations, { ordered: false })
}

/** Returns the results where no item may be refused. @throws the first refusal */
export const withoutRefusals = <Result>(results: readonly (Result | Error)[]): Result[] =>
  results.map((result) => {
    if (result instanceof Error) throw result
    return result
  })

const unlessRefused = (error: MongoServerError | undefined): boolean | Error =>
  error === undefined || (isDuplicateKey(error) ? false : error)

const update = async <Doc extends Document>(
  collection: Collection<Doc>,
  updates: readonly Update<Doc>[],
  options: { upsert?: true },
): Promise<BulkOutcome> => {
  const [first, ...rest] = updates
  if (!first) return { matched: 0, refused: new Map() }
  const operations = updates.map((one) => ({ updateOne: { ...one, ...options } }))
  return run(() =>
    rest.length === 0
      ? collection.updateOne(first.filter, first.update, options)
      : collection.bulkWrite(operations, { ordered: false }),
  )
}

/** How many documents the updates matched, and which items the server refused, by their index. */
type BulkOutcome = { matched: number; refused: ReadonlyMap<number, MongoServerError> }

/** @throws what concerns the whole command: no response, refused by the server, or no majority for what was written */
const run = async (work: () => Promise<object>): Promise<BulkOutcome> => {
  try {
    const done = await work()
    return { matched: 'matchedCount' in done ? Number(done.matchedCount) : 0, refused: new Map() }
  } catch (wrapped) {
    const thrown = unwrapBulkError(wrapped)
    // The single item of the shorter path.
    if (isDuplicateKey(thrown) && !(thrown instanceof MongoBulkWriteError)) {
      return { matched: 0, refused: new Map([[0, thrown as MongoServerError]]) }
    }
    if (!(thrown instanceof MongoBulkWriteError) || thrown.result.getWriteConcernError()) throw thrown
    const writeErrors = [thrown.writeErrors].flat()
    // The server refused the whole command, for example because it is no longer primary.
    if (writeErrors.length === 0) throw thrown
    const refused = writeErrors.map(
      ({ index, code, errmsg }) => [index, new MongoServerError({ code, message: errmsg ?? 'refused' })] as const,
    )
    return { matched: thrown.matchedCount, refused: new Map(refused) }
  }
}
