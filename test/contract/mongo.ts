import { randomBytes } from 'node:crypto'
import { clientOptions, ensureIndexes, type Indexes } from '@postrider/adapters/mongo/client/connect.ts'
import { type Db, MongoClient } from 'mongodb'
import { useBackend } from '../backends/backends.ts'

/** Longer than a busy machine makes a command wait: suites of stores test what is stored, not how long it takes. */
const patientMs = 120_000
const patient = {
  serverSelectionTimeoutMS: patientMs,
  connectTimeoutMS: patientMs,
  waitQueueTimeoutMS: patientMs,
  socketTimeoutMS: patientMs,
  wtimeoutMS: patientMs,
}

/**
 * Returns a function that opens a new database with these indexes; it is dropped after the test. Call this inside of
 * `describe`. The tests are skipped if no MongoDB is available.
 */
export const mongoForTests = (...indexes: Indexes[]): (() => Promise<Db>) => newDatabases(indexes, false)

/** Does the same with a client that emits an event for each command, which lengthens the steps that a reply takes. */
export const watchedMongoForTests = (...indexes: Indexes[]): (() => Promise<Db>) => newDatabases(indexes, true)

const connectForTests = (address: string, monitorCommands: boolean): Promise<MongoClient> =>
  new MongoClient(address, { ...clientOptions('contract'), ...patient, monitorCommands }).connect()

const newDatabases = (indexes: readonly Indexes[], isWatched: boolean): (() => Promise<Db>) => {
  const address = useBackend('mongodb')
  let client: MongoClient | undefined
  let opened: Db[] = []
  before(async () => {
    client = await connectForTests(address(), isWatched)
  })
  afterEach(async () => {
    for (const db of opened) await db.dropDatabase()
    opened = []
  })
  after(() => client?.close())
  return async () => {
    if (!client) throw new Error('databases are available inside of tests only')
    const db = newDb(client)
    opened.push(db)
    for (const wanted of indexes) await ensureIndexes(db, wanted)
    return db
  }
}

const newDb = (client: MongoClient): Db => client.db(`postrider_${randomBytes(6).toString('hex')}`)

const reads = new Set(['find', 'getMore', 'aggregate', 'count', 'distinct', 'killCursors'])
const writes = new Set(['insert', 'update', 'delete', 'findAndModify'])

/** A database, the collections in which a test wrote, and whether it only read and wrote documents. */
type Reused = { db: Db; written: Set<string>; isEmptied: boolean }

/**
 * Returns a function that opens an empty database with these indexes and returns it with the collections in which the
 * test has written so far. After a test these are emptied and the database is used again, because dozens of collections
 * with their indexes cost more than most tests. If a test used another command, such as one for an index, its database
 * is dropped. No other client may write to it, and nothing may write after the test.
 */
export const reusedMongoForTests = (
  ...indexes: Indexes[]
): (() => Promise<{ db: Db; written: ReadonlySet<string> }>) => {
  const address = useBackend('mongodb')
  const all = new Map<string, Reused>()
  let client: MongoClient | undefined
  let free: Reused[] = []
  let opened: Reused[] = []
  before(async () => {
    client = await connectForTests(address(), true)
    client.on('commandStarted', ({ databaseName, commandName, command }) => {
      const reused = all.get(databaseName)
      if (writes.has(commandName)) reused?.written.add(command[commandName])
      else if (reused && !reads.has(commandName)) reused.isEmptied = false
    })
  })
  afterEach(async () => {
    for (const reused of opened) {
      const { db, written, isEmptied } = reused
      if (!isEmptied) {
        await db.dropDatabase()
        continue
      }
      for (const name of written) await db.collection(name).deleteMany({})
      written.clear()
      free.push(reused)
    }
    opened = []
  })
  after(async () => {
    for (const { db } of free) await db.dropDatabase()
    free = []
    await client?.close()
  })
  return async () => {
    if (!client) throw new Error('databases are available inside of tests only')
    const known = free.pop()
    const reused = known ?? { db: newDb(client), written: new Set(), isEmptied: true }
    opened.push(reused)
    if (known) return known
    for (const wanted of indexes) await ensureIndexes(reused.db, wanted)
    // Indexes that are made from here on belong to a test.
    all.set(reused.db.databaseName, reused)
    return reused
  }
}
