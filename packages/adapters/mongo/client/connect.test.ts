import assert from 'node:assert/strict'
import { type Db, MongoClient, MongoServerError } from 'mongodb'
import { freePort } from '../../../../test/support/freePort.ts'
import { clientOptions, connectMongo, ensureIndexes } from './connect.ts'

describe('MongoDB connection', () => {
  // The driver's own limit is 30 s, more than a test may take.
  it('throws unavailable after a short wait where no server responds', async () => {
    assert.ok((clientOptions('test').serverSelectionTimeoutMS ?? Number.POSITIVE_INFINITY) <= 3_000)
    const url = `mongodb://127.0.0.1:${await freePort()}`
    await assert.rejects(connectMongo({ url, name: 'test' }), { code: 'unavailable', retryAfterMs: 2_000 })
  })

  // `journal=false` in the URL made a 202 that was not durable, and `readPreference` made claims read stale data.
  it('ignores parameters of the URL that weaken writes or reads', () => {
    const query = 'w=1&journal=false&wtimeoutMS=9&readPreference=secondaryPreferred&socketTimeoutMS=0'
    const { options } = new MongoClient(`mongodb://localhost/db?${query}`, clientOptions('test'))
    const { w, journal, wtimeoutMS } = options.writeConcern
    assert.deepEqual([w, journal, wtimeoutMS], ['majority', true, 3_000])
    assert.deepEqual([options.readPreference.mode, options.socketTimeoutMS], ['primary', 4_000])
  })

  // A wrong password once ended a process with the driver's error and its stack.
  it('throws forbidden with a plain message where a permission is missing', async () => {
    const createIndexes = async () => {
      throw new MongoServerError({ message: 'not authorized on postrider', code: 13 })
    }
    const db = { collection: () => ({ createIndexes }) } as unknown as Db
    await assert.rejects(ensureIndexes(db, { emails: [] }), {
      code: 'forbidden',
      message: /rejects the login, or the user lacks/,
    })
  })
})
