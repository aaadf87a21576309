import { randomBytes } from 'node:crypto'
import { connectMongo, ensureIndexes, type Indexes, type Mongo } from '@postrider/adapters/mongo/client/connect.ts'
import type { Db } from 'mongodb'
import { useBackend } from '../backends/backends.ts'

/**
 * To be called in a `describe`: a new database for each call within a test, with these indexes; dropped after it.
 * The tests are skipped where no MongoDB can be had.
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
    if (!mongo) throw new Error('a database is there inside of tests only')
    const db = mongo.db.client.db(`postrider_${randomBytes(6).toString('hex')}`)
    opened.push(db)
    for (const some of indexes) await ensureIndexes(db, some)
    return db
  }
}
