import assert from 'node:assert/strict'
import {
  type Db,
  MongoClient,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb'
import { freePort } from '../../../test/support/freePort.ts'
import { clientOptions, connectMongo, ensureIndexes, reach } from './connect.ts'

const asked = (thrown: Error): Promise<unknown> =>
  reach(async () => {
    throw thrown
  })

describe('asking MongoDB', () => {
  it('refuses as unavailable where no server listens, after 3 s at most', async () => {
    assert.ok((clientOptions('test').serverSelectionTimeoutMS ?? Number.POSITIVE_INFINITY) <= 3_000)
    const url = `mongodb://127.0.0.1:${await freePort()}`
    await assert.rejects(connectMongo({ url, name: 'test' }), { code: 'unavailable', retryAfterMs: 2_000 })
  })

  // The driver's search for a server ends with an error that is no network error: requests were answered 500.
  // `journal=false` in the URL made a 202 that wasn't durable, and `readPreference` let claims read behind their writes.
  it('no URL can make writes less durable, or reads older', () => {
    const query = 'w=1&journal=false&wtimeoutMS=9&readPreference=secondaryPreferred&socketTimeoutMS=0'
    const { options } = new MongoClient(`mongodb://localhost/db?${query}`, clientOptions('test'))
    const { w, journal, wtimeoutMS } = options.writeConcern
    assert.deepEqual([w, journal, wtimeoutMS], ['majority', true, 3_000])
    assert.deepEqual([options.readPreference.mode, options.socketTimeoutMS], ['primary', 4_000])
  })

  it('what passes is unavailable: no server found, no primary, no majority in time', async () => {
    const server = new MongoServerError({ message: 'not primary', code: 10_107 })
    const search = new MongoServerSelectionError('none', { type: 'Unknown' } as never)
    const majority = new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64, errmsg: 'timeout' } } as never)
    const crowd = new MongoServerError({ message: 'WriteConflict', code: 112 })
    for (const passing of [server, search, majority, crowd])
      await assert.rejects(asked(passing), { code: 'unavailable' })
  })

  // It came as an error with its stack, of a process that an operator had given the wrong password.
  it('a right that is missing is told in plain words', async () => {
    const createIndexes = async () => {
      throw new MongoServerError({ message: 'not authorized on postrider', code: 13 })
    }
    const db = { collection: () => ({ createIndexes }) } as unknown as Db
    await assert.rejects(ensureIndexes(db, { emails: [] }), {
      code: 'forbidden',
      message: /refuses our login or a right/,
    })
  })

  it('a mistake of ours stays one', async () => {
    const duplicate = new MongoServerError({ message: 'E11000', code: 11_000 })
    const misuse = new MongoInvalidArgumentError('a document larger than the server takes')
    for (const mistake of [duplicate, misuse, new TypeError('x')]) await assert.rejects(asked(mistake), mistake)
  })
})
