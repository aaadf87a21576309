import assert from 'node:assert/strict'
import { MongoInvalidArgumentError, MongoServerError, MongoServerSelectionError, MongoWriteConcernError } from 'mongodb'
import { mapStoreErrors } from './errors.ts'

const failWith = (thrown: Error): Promise<unknown> =>
  mapStoreErrors(async () => {
    throw thrown
  })

describe('store errors', () => {
  const transient: [what: string, thrown: Error][] = [
    ['no primary', new MongoServerError({ message: 'not primary', code: 10_107 })],
    // The driver's failed server selection is not a network error: requests failed with 500.
    ['no server', new MongoServerSelectionError('none', { type: 'Unknown' } as never)],
    [
      'no majority in time',
      new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64, errmsg: 'timeout' } } as never),
    ],
    ['a write conflict', new MongoServerError({ message: 'WriteConflict', code: 112 })],
  ]
  for (const [what, thrown] of transient) {
    it(`are unavailable for ${what}`, () => assert.rejects(failWith(thrown), { code: 'unavailable', cause: thrown }))
  }

  it('stay as they are for bugs', async () => {
    const duplicate = new MongoServerError({ message: 'E11000', code: 11_000 })
    const misuse = new MongoInvalidArgumentError('a document larger than the server accepts')
    for (const bug of [duplicate, misuse, new TypeError('x')]) await assert.rejects(failWith(bug), bug)
  })
})
