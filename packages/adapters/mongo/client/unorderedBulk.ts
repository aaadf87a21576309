import { MongoBulkWriteError, MongoServerError } from 'mongodb'
import { endOfBulk, isTaken } from './mongoError.ts'

/** What became of a bulk write: how many documents its updates matched, and by their place what the server refused. */
export type BulkOutcome = { matched: number; refused: ReadonlyMap<number, MongoServerError> }

/**
 * Runs an unordered bulk write, in which one refused document keeps no other from being written.
 * @throws what concerns all of it: nobody answered, or what was written may not stay
 */
export const unorderedBulk = async (work: () => Promise<object>): Promise<BulkOutcome> => {
  try {
    const done = await work()
    return { matched: 'matchedCount' in done ? Number(done.matchedCount) : 0, refused: new Map() }
  } catch (wrapped) {
    const thrown = endOfBulk(wrapped)
    if (!(thrown instanceof MongoBulkWriteError) || thrown.result.getWriteConcernError()) throw thrown
    const errors = [thrown.writeErrors].flat()
    const refused = errors.map(
      ({ index, code, errmsg }) => [index, new MongoServerError({ code, message: errmsg ?? 'refused' })] as const,
    )
    return { matched: thrown.matchedCount, refused: new Map(refused) }
  }
}

/** For each of a batch of inserts: whether it is in now; an Error where the server wanted none like it. */
export const insertedOf = ({ refused }: BulkOutcome, count: number): (boolean | Error)[] =>
  Array.from({ length: count }, (_, index) => {
    const error = refused.get(index)
    return error === undefined || (isTaken(error) ? false : error)
  })
