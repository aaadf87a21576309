import {
  type Collection,
  type Document,
  type Filter,
  MongoBulkWriteError,
  type OptionalUnlessRequiredId,
  type UpdateFilter,
} from 'mongodb'
import { duplicateKey, endOfBulk, isTaken } from './mongoError.ts'

/**
 * Inserts documents in one command, each by itself. A lone one goes the driver's shorter way, at half the cost.
 * @returns for each whether it was inserted; false: a unique index has its value already
 */
export const insertSome = async <Doc extends Document>(
  collection: Collection<Doc>,
  docs: readonly OptionalUnlessRequiredId<Doc>[],
): Promise<boolean[]> => {
  const [first, ...rest] = docs
  return unlessTaken(docs, () =>
    first && rest.length === 0 ? collection.insertOne(first) : collection.insertMany(docs, { ordered: false }),
  )
}

/**
 * Updates a document by each of these in one command, or makes it where there is none of its `_id`.
 * @returns for each whether it was done; false: the document is there, and isn't as the rest of the filter asks
 */
export const upsertSome = async <Doc extends Document>(
  collection: Collection<Doc>,
  updates: readonly Update<Doc>[],
): Promise<boolean[]> => {
  const [first, ...rest] = updates
  if (!first) return []
  return unlessTaken(updates, () =>
    rest.length === 0
      ? collection.updateOne(first.filter, first.update, { upsert: true })
      : collection.bulkWrite(
          updates.map((update) => ({ updateOne: { ...update, upsert: true } })),
          { ordered: false },
        ),
  )
}

/** For each of these whether it was written, or a unique index had its value already. */
const unlessTaken = async (all: readonly unknown[], write: () => Promise<unknown>): Promise<boolean[]> => {
  try {
    await write()
    return all.map(() => true)
  } catch (wrapped) {
    const thrown = endOfBulk(wrapped)
    if (all.length === 1 && isTaken(thrown)) return [false]
    const taken = takenOf(thrown)
    if (taken === null) throw thrown
    return all.map((_, index) => !taken.has(index))
  }
}

/** Places of the documents that were there already; null: something else went wrong too. */
const takenOf = (thrown: unknown): Set<number> | null => {
  if (!(thrown instanceof MongoBulkWriteError) || thrown.result.getWriteConcernError()) return null
  const errors = [thrown.writeErrors].flat()
  return errors.every(({ code }) => code === duplicateKey) ? new Set(errors.map(({ index }) => index)) : null
}

export type Update<Doc> = { filter: Filter<Doc>; update: UpdateFilter<Doc> }

/** Updates at most one document by each of these, in one command.
 * @returns nothing for each: where it matters which of them matched, ask one by one */
export const updateSome = async <Doc extends Document>(
  collection: Collection<Doc>,
  updates: readonly Update<Doc>[],
): Promise<undefined[]> => {
  const [first, ...rest] = updates
  if (first && rest.length === 0) await collection.updateOne(first.filter, first.update)
  else
    await collection.bulkWrite(
      updates.map((updateOne) => ({ updateOne })),
      { ordered: false },
    )
  return updates.map(() => undefined)
}
