import { MongoBulkWriteError, MongoServerError } from 'mongodb'

export const duplicateKey = 11_000

/** Whether a write was refused because a unique index has its value already. */
export const isTaken = (thrown: unknown): boolean => thrown instanceof MongoServerError && thrown.code === duplicateKey

/**
 * What ended a bulk write. The driver hands out a lost connection, or a server that is none any more, as the error of a
 * bulk write that refused no document, as if all had been written; here it is what it was.
 */
export const endOfBulk = (thrown: unknown): unknown =>
  thrown instanceof MongoBulkWriteError && thrown.errorResponse instanceof Error ? thrown.errorResponse : thrown
