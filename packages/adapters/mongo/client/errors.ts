import { Fault } from '@postrider/kit/fault.ts'
import {
  MongoBulkWriteError,
  MongoCompatibilityError,
  MongoError,
  MongoInvalidArgumentError,
  MongoParseError,
  MongoServerError,
} from 'mongodb'

const duplicateKeyCode = 11_000

/** Tests whether a write was refused because a unique index already contains its value. */
export const isDuplicateKey = (thrown: unknown): boolean =>
  thrown instanceof MongoServerError && thrown.code === duplicateKeyCode

/**
 * Runs a write that a unique index decides.
 * @returns false: the index already contains its value, so nothing was written
 */
export const ignoreDuplicateKey = async (write: () => Promise<unknown>): Promise<boolean> => {
  try {
    await write()
    return true
  } catch (thrown) {
    if (isDuplicateKey(thrown)) return false
    throw thrown
  }
}

/**
 * Returns the error that ended a bulk write. The driver wraps a lost connection in a `MongoBulkWriteError` without
 * write errors, as if every document had been written. It does the same with a command that the server refused; that
 * error has the server's code, and stays as it is.
 */
export const unwrapBulkError = (thrown: unknown): unknown =>
  thrown instanceof MongoBulkWriteError && thrown.errorResponse instanceof Error ? thrown.errorResponse : thrown

/** Codes of transient server errors. */
const transientCodes = new Set(
  [
    // Network between the servers.
    [6, 7, 89, 202, 9001],
    // Timeouts.
    [24, 50, 262],
    // No majority for a write.
    [64, 100, 133, 134],
    // No primary, or a primary that steps down or shuts down.
    [91, 189, 10107, 11600, 11602, 13435, 13436],
    // Operations which that interrupted.
    [43, 175, 237, 11601],
    // Write conflicts and throttling.
    [112, 365, 16500],
    // Disk full.
    [14031],
  ].flat(),
)

/** Tests for calls that the driver rejects before it sends anything: these are bugs, and a retry does not help. */
const isMisuse = (thrown: MongoError): boolean =>
  thrown instanceof MongoInvalidArgumentError ||
  thrown instanceof MongoParseError ||
  thrown instanceof MongoCompatibilityError

const isTransient = (thrown: unknown): boolean => {
  if (thrown instanceof MongoBulkWriteError && thrown.result.getWriteConcernError()) return true
  if (thrown instanceof MongoServerError) {
    return transientCodes.has(Number(thrown.code)) || 'writeConcernError' in thrown
  }
  // No server found, connection lost, or no response in time.
  return thrown instanceof MongoError && !isMisuse(thrown)
}

/**
 * Runs a store call and maps transient errors to a fault that clients may retry. Other errors are bugs and stay
 * unchanged.
 * @throws Fault `unavailable`: the store does not respond or cannot write; the call may have taken effect
 */
export const mapStoreErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (wrapped) {
    const thrown = unwrapBulkError(wrapped)
    if (!isTransient(thrown)) throw thrown
    const detail = 'The store does not respond; try again in a few seconds.'
    throw new Fault('unavailable', detail, { retryAfterMs: 2_000, cause: thrown })
  }
}

type AsyncFunctions<Store> = { [Name in keyof Store]: (...args: never[]) => Promise<unknown> }

/** Returns the store with each of its functions run by `mapStoreErrors`. */
export const withMappedErrors = <Store extends AsyncFunctions<Store>>(store: Store): Store =>
  Object.fromEntries(
    Object.entries<(...args: never[]) => Promise<unknown>>(store).map(([name, call]) => [
      name,
      (...args: never[]) => mapStoreErrors(() => call(...args)),
    ]),
  ) as Store

/** Authentication failed (MongoDB, and Atlas); permission missing. */
const accessCodes = new Set([18, 8000, 13])

/** Maps a refused login or permission to a fault that an operator can act on. Returns other errors as they are. */
export const mapAccessError = (thrown: unknown): unknown =>
  thrown instanceof MongoServerError && accessCodes.has(Number(thrown.code))
    ? new Fault('forbidden', 'MongoDB rejects the login, or the user lacks a privilege on the database.', {
        cause: thrown,
      })
    : thrown
