import {
  type Collection,
  type Document,
  type Filter,
  MongoBulkWriteError,
  type OptionalUnlessRequiredId,
  type UpdateFilter,
} from 'mongodb'
import { duplicateKey, isTaken } from './mongoError.ts'

/**
 * Inserts documents in one command, each by itself. A lone one goes the driver's shorter way, at half the cost.
 * @returns for each whether it was inserted; false: a unique index has its value already
 */
export const insertSome = async <Doc extends Document>(
  collection: Collection<Doc>,
  docs: readonly OptionalUnlessRequiredId<Doc>[],
): Promise<boolean[]> => {
  const [first, ...rest] = docs
  try {
    if (first && rest.length === 0) await collection.insertOne(first)
    else await collection.insertMany(docs, { ordered: false })
    return docs.map(() => true)
  } catch (thrown) {
    if (rest.length === 0 && isTaken(thrown)) return [false]
    const taken = takenOf(thrown)
    if (taken === null) throw thrown
    return docs.map((_, index) => !taken.has(index))
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
