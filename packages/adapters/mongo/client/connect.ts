import { Fault } from '@postrider/kit/fault.ts'
import { beginSpan, isTracing, type OpenSpan, serverOf } from '@postrider/kit/trace.ts'
import { type CommandStartedEvent, type Db, type IndexDescription, MongoClient, type MongoClientOptions } from 'mongodb'
import { mapAccessError, mapStoreErrors } from './errors.ts'
import { wakeWriters } from './wakeWriters.ts'

/*
 * How the adapters reach MongoDB:
 *
 * openMongo.ts    opens the store for a process: waits for it, creates indexes, follows its clock
 * connect.ts      one connection pool with our write concern and timeouts; index creation
 * installation.ts the installation to which the database belongs
 * wakeWriters.ts  a patch for the driver: a write on a closed connection must not hang
 * errors.ts       which errors of the driver are transient, duplicates, or missing permissions
 * allOf.ts        joins the conditions of a filter so that every server uses its indexes
 * claimChosen.ts  leases the chosen documents that are still due, and reads them
 * bulkWrite.ts    inserts, upserts and updates in one command, with a result for each
 * clock.ts        the store's clock, which all processes follow
 * durable.ts      durability, without the driver: the gateway needs nothing else of MongoDB
 * scalar.ts       keeps query operators out of filters
 * slots.ts        the maximum number of documents of a workspace in a collection
 * secretIds.ts    the ids of the master keys that the secrets in a collection need
 */

export type Mongo = AsyncDisposable & {
  db: Db
  /** @throws Fault `unavailable`: the store does not respond */
  ping(): Promise<void>
  /** Why the driver runs without the patch of wakeWriters.ts; null: it is patched. */
  unpatched: string | null
}

/**
 * Limits of each step. gRPC callers wait for less than the sum. The majority limit is shorter than the response limit,
 * so that the server reports a missing majority and the driver neither closes the connection nor repeats the command.
 */
const [selectMs, majorityMs, responseMs] = [2_500, 3_000, 4_000]

/**
 * Returns options that override those of the URL. Write concern and read preference are set member by member: members
 * in the URL would replace those of a whole object, and with `journal=false` a power failure would lose accepted mail.
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
  socketTimeoutMS: responseMs,
  // A filter must not lose a member that is undefined by mistake: it would match everything. Null matches nothing.
  ignoreUndefined: false,
  monitorCommands: isTracing(),
})

/**
 * Opens the database that the URL names (`postrider` where it names none). Every write waits until a majority of the
 * servers has it in its journal. Only features of every MongoDB-compatible server are used
 * (docs/internals/stores.md).
 * @throws Fault `unavailable`: no server responds; `forbidden`: the login or an option of the URL
 *   is refused
 */
export const connectMongo = async ({ url, name }: { url: string; name: string }): Promise<Mongo> => {
  const unpatched = wakeWriters()
  const client = clientFor(url, name)
  traceCommands(client)
  const { dbName } = client.options
  // `test` is the driver's default for a URL without a database.
  const db = client.db(dbName === 'test' ? 'postrider' : dbName)
  const ping = () => mapStoreErrors(async () => void (await db.command({ ping: 1 })))
  try {
    await ping()
  } catch (thrown) {
    await client.close()
    throw mapAccessError(thrown)
  }
  return { db, ping, unpatched, [Symbol.asyncDispose]: () => client.close() }
}

/** Its errors contain parts of the URL, so only names of options in it are repeated. */
const clientFor = (url: string, name: string): MongoClient => {
  try {
    return new MongoClient(url, clientOptions(name))
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message.toLowerCase() : ''
    const options = [...new URLSearchParams(url.split('?')[1]).keys()].filter((option) =>
      text.includes(option.toLowerCase()),
    )
    const which = options.length === 0 ? "the options after '?'" : `the option ${options.join(', ')}`
    throw new Fault('forbidden', `MONGODB_URL: the MongoDB driver refuses it; check ${which}.`)
  }
}

/** Indexes by collection. */
export type Indexes = Record<string, IndexDescription[]>

/**
 * Creates missing indexes. One service for each collection does this when it starts.
 * @throws Fault `unavailable`: no response within the limit, which a long index build exceeds; `forbidden`: a
 *   permission is missing
 */
export const ensureIndexes = async (db: Db, indexes: Indexes): Promise<void> => {
  for (const [collection, wanted] of Object.entries(indexes)) {
    await mapStoreErrors(() => db.collection(collection).createIndexes(wanted)).catch((thrown: unknown) => {
      throw mapAccessError(thrown)
    })
  }
}

/** Records a client span for every command that belongs to a trace. The client must monitor its commands. */
const traceCommands = (client: MongoClient): void => {
  const open = new Map<number, OpenSpan>()
  const end = (requestId: number, failure?: unknown): void => {
    open.get(requestId)?.end(failure)
    open.delete(requestId)
  }
  client.on('commandStarted', (event) => {
    const { databaseName, commandName, address, requestId } = event
    const collection = collectionOf(event)
    const begun = beginSpan({
      name: collection === undefined ? commandName : `${commandName} ${collection}`,
      kind: 'client',
      attributes: {
        'db.system.name': 'mongodb',
        'db.namespace': databaseName,
        'db.operation.name': commandName,
        ...(collection !== undefined && { 'db.collection.name': collection }),
        ...serverOf(address),
      },
    })
    if (begun !== null) open.set(requestId, begun)
  })
  client.on('commandSucceeded', ({ requestId }) => end(requestId))
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure))
}

/** Returns the collection's name only: the rest of a command may contain addresses. */
const collectionOf = ({ commandName, command }: CommandStartedEvent): string | undefined => {
  const named = command[commandName === 'getMore' ? 'collection' : commandName]
  return typeof named === 'string' ? named : undefined
}
