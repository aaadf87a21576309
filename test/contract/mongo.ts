import { randomBytes } from 'node:crypto'
import { connectMongo, ensureIndexes, type Indexes, type Mongo } from '@postrider/adapters/mongo/client/connect.ts'
import type { Db } from 'mongodb'
import { useBackend } from '../backends/backends.ts'

/**
 * Returns a function that opens a new database with these indexes; it is dropped after the test. Call this inside of
 * `describe`. The tests are skipped if no MongoDB is available.
 */
export const mongoForTests = (...indexes: Indexes[]): (() => Promise<Db>) => {
  const address = useBackend('mongodb')
  let mongo: Mongo | undefined
  let opened: Db[] = []
  before(async () => {
    mongo = await connectMongo({ url: address(), name: 'contract' })
  })
  afterEach(async () => {
    for (const db of opened) await db.dropDatabase()
    opened = []
  })
  after(() => mongo?.[Symbol.asyncDispose]())
  return async () => {
    if (!mongo) throw new Error('databases are available inside of tests only')
    const db = mongo.db.client.db(`postrider_${randomBytes(6).toString('hex')}`)
    opened.push(db)
    for (const wanted of indexes) await ensureIndexes(db, wanted)
    return db
  }
}
