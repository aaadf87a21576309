import { Fault } from '@postrider/kit/fault.ts'
import { isTracing } from '@postrider/kit/trace.ts'
import {
  type Db,
  type IndexDescription,
  MongoBulkWriteError,
  MongoClient,
  MongoCompatibilityError,
  MongoError,
  MongoInvalidArgumentError,
  MongoParseError,
  MongoServerError,
} from 'mongodb'
import { endOfBulk } from './mongoError.ts'
import { traceCommands } from './traced.ts'
import { wakeWriters } from './wakeWriters.ts'

export type Mongo = AsyncDisposable & {
  db: Db
  /** @throws Fault `unavailable`: the store doesn't answer */
  ping(): Promise<void>
}

/** Together they stay under the 5 s in which every request is answered. */
const [selectMs, answerMs] = [2_500, 4_000]

/**
 * Opens the database that the URL names (`postrider` where it names none). Every write waits until a majority of the
 * servers has it in its journal. Only what every MongoDB-compatible server has is used: see docs/architecture.md.
 * @throws Fault `unavailable`: nobody answers there
 */
export const connectMongo = async ({ url, name }: { url: string; name: string }): Promise<Mongo> => {
  wakeWriters()
  const client = new MongoClient(url, {
    appName: name,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: answerMs },
    serverSelectionTimeoutMS: selectMs,
    connectTimeoutMS: selectMs,
    waitQueueTimeoutMS: selectMs,
    socketTimeoutMS: answerMs,
    // An undefined field is a mistake of ours, never a null in the store.
    ignoreUndefined: false,
    monitorCommands: isTracing(),
  })
  traceCommands(client)
  const { dbName } = client.options
  // The driver's own default, where the URL names none.
  const db = client.db(dbName === 'test' ? 'postrider' : dbName)
  const ping = () => reach(async () => void (await db.command({ ping: 1 })))
  try {
    await ping()
  } catch (thrown) {
    await client.close()
    throw thrown
  }
  return { db, ping, [Symbol.asyncDispose]: () => client.close() }
}

/** Server errors that pass: no primary, a primary that steps down or shuts down, a majority that doesn't answer in time. */
const passingCodes = new Set([6, 7, 50, 64, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436])

/** What the driver itself refuses to ask: a mistake of ours that no waiting mends. */
const isMisuse = (thrown: MongoError): boolean =>
  thrown instanceof MongoInvalidArgumentError ||
  thrown instanceof MongoParseError ||
  thrown instanceof MongoCompatibilityError

const passes = (thrown: unknown): boolean => {
  if (thrown instanceof MongoBulkWriteError && thrown.result.getWriteConcernError()) return true
  if (thrown instanceof MongoServerError) return passingCodes.has(Number(thrown.code)) || 'writeConcernError' in thrown
  // No server was found, the way to it broke, or it didn't answer in time.
  return thrown instanceof MongoError && !isMisuse(thrown)
}

/** Asks the store. What passes is a refusal that a client can act on; all else is a bug and stays what it is.
 * @throws Fault `unavailable`: it doesn't answer, or can't keep anything just now. What was asked may have been done. */
export const reach = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (wrapped) {
    const thrown = endOfBulk(wrapped)
    if (!passes(thrown)) throw thrown
    const detail = 'The store doesn’t answer; try again in a few seconds.'
    throw new Fault('unavailable', detail, { retryAfterMs: 2_000, cause: thrown })
  }
}

type AsyncFunctions<Store> = { [Name in keyof Store]: (...given: never[]) => Promise<unknown> }

/** The same store, each of its functions asked by `reach`. */
export const reaching = <Store extends AsyncFunctions<Store>>(store: Store): Store =>
  Object.fromEntries(
    Object.entries<(...given: never[]) => Promise<unknown>>(store).map(([name, ask]) => [
      name,
      (...given: never[]) => reach(() => ask(...given)),
    ]),
  ) as Store

/** Indexes by collection. */
export type Indexes = Record<string, IndexDescription[]>

/** Makes the indexes that aren't there. Each collection has one service that does this at its start. */
export const ensureIndexes = async (db: Db, indexes: Indexes): Promise<void> => {
  for (const [collection, wanted] of Object.entries(indexes)) {
    await reach(() => db.collection(collection).createIndexes(wanted))
  }
}
