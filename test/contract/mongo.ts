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
export const mongoForTests = (...indexes: Indexes[]): (() => Promise<Db>) => {
  const address = useBackend('mongodb')
  let client: MongoClient | undefined
  let opened: Db[] = []
  before(async () => {
    client = await new MongoClient(address(), {
      ...clientOptions('contract'),
      ...patient,
      monitorCommands: true,
    }).connect()
  })
  afterEach(async () => {
    for (const db of opened) await db.dropDatabase()
    opened = []
  })
  after(() => client?.close())
  return async () => {
    if (!client) throw new Error('databases are available inside of tests only')
    const db = client.db(`postrider_${randomBytes(6).toString('hex')}`)
    opened.push(db)
    for (const wanted of indexes) await ensureIndexes(db, wanted)
    return db
  }
}
