import { Fault } from '@postrider/kit/fault.ts'
import { isTracing } from '@postrider/kit/trace.ts'
import {
  type Db,
  type IndexDescription,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
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

/**
 * How long each step may take; who asks over the wire waits for less than all of them. A majority has less time than the
 * answer, so that its absence is told by the server, and costs no connection and no repeat.
 */
const [selectMs, majorityMs, answerMs] = [2_500, 3_000, 4_000]

/**
 * What holds whatever the URL says. Concern and preference are each given by itself: as a whole the URL's parts would
 * replace theirs, and `journal=false` in it make a 202 that a power failure takes back.
 */
export const clientOptions = (name: string): MongoClientOptions => ({
  appName: name,
  w: 'majority',
  journal: true,
  wtimeoutMS: majorityMs,
  readPreference: 'primary',
  serverSelectionTimeoutMS: selectMs,
  connectTimeoutMS: selectMs,
  waitQueueTimeoutMS: selectMs,
  socketTimeoutMS: answerMs,
  // Left out of a filter, what is undefined by a mistake would let it find everything; null finds nothing.
  ignoreUndefined: false,
  monitorCommands: isTracing(),
})

/**
 * Opens the database that the URL names (`postrider` where it names none). Every write waits until a majority of the
 * servers has it in its journal. Only what every MongoDB-compatible server has is used: see docs/architecture.md.
 * @throws Fault `unavailable`: nobody answers there; `forbidden`: the login is refused
 */
export const connectMongo = async ({ url, name }: { url: string; name: string }): Promise<Mongo> => {
  wakeWriters()
  const client = new MongoClient(url, clientOptions(name))
  traceCommands(client)
  const { dbName } = client.options
  // The driver's own default, where the URL names none.
  const db = client.db(dbName === 'test' ? 'postrider' : dbName)
  const ping = () => reach(async () => void (await db.command({ ping: 1 })))
  try {
    await ping()
  } catch (thrown) {
    await client.close()
    throw refused(thrown)
  }
  return { db, ping, [Symbol.asyncDispose]: () => client.close() }
}

/**
 * Server errors that pass, by what they tell of: the way between servers; time that ran out; no majority; no primary, or
 * one that steps down or shuts down, and what it broke off; too many writers at once; a full disk.
 */
const passingCodes = new Set(
  [
    [6, 7, 89, 202, 9001],
    [24, 50, 262],
    [64, 100, 133, 134],
    [91, 189, 10107, 11600, 11602, 13435, 13436],
    [43, 175, 237, 11601],
    [112, 365, 16500],
    [14031],
  ].flat(),
)

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

/** Wrong login, in MongoDB's own words and those of a hosted one; missing right. */
const refusingCodes = new Set([18, 8000, 13])

/** What an operator has to mend is told in plain words; all else stays what it is. */
const refused = (thrown: unknown): unknown =>
  thrown instanceof MongoServerError && refusingCodes.has(Number(thrown.code))
    ? new Fault('forbidden', 'MongoDB refuses our login or a right to its database.', { cause: thrown })
    : thrown

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

/**
 * Makes the indexes that aren't there. Each collection has one service that does this at its start.
 * @throws Fault `unavailable`: nobody answers, or it takes longer than an answer may; `forbidden`: a right is missing
 */
export const ensureIndexes = async (db: Db, indexes: Indexes): Promise<void> => {
  for (const [collection, wanted] of Object.entries(indexes)) {
    await reach(() => db.collection(collection).createIndexes(wanted)).catch((thrown: unknown) => {
      throw refused(thrown)
    })
  }
}
