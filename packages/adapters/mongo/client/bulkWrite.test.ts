import assert from 'node:assert/strict'
import {
  type BulkWriteResult,
  type Collection,
  MongoBulkWriteError,
  MongoNetworkError,
  type WriteConcernError,
  type WriteError,
} from 'mongodb'
import { insertSome } from './bulkWrite.ts'
import { reach } from './connect.ts'

/** A collection whose inserts end like this: the second document with this error, and perhaps no majority. */
const answering = (code: number, concern?: Partial<WriteConcernError>): Collection => {
  const result = { getWriteConcernError: () => concern } as BulkWriteResult
  const writeErrors = [{ index: 1, code, errmsg: 'refused' }] as WriteError[]
  const insertMany = async () => {
    throw new MongoBulkWriteError({ message: 'refused', code, writeErrors }, result)
  }
  return { insertMany } as unknown as Collection
}

const docs = [{ _id: 1 }, { _id: 2 }, { _id: 3 }] as never[]

describe('inserting some', () => {
  it('tells which were there already', async () =>
    assert.deepEqual(await insertSome(answering(11_000), docs), [true, false, true]))

  it('is refused as unavailable where the majority didn’t answer, whatever was there already', () =>
    assert.rejects(
      reach(() => insertSome(answering(11_000, { code: 64 }), docs)),
      { code: 'unavailable' },
    ))

  // The driver's error for this names no document, and all of them counted as written.
  it('is refused as unavailable where the connection was lost under way', () => {
    const result = { getWriteConcernError: () => undefined } as BulkWriteResult
    const insertMany = () => Promise.reject(new MongoBulkWriteError(new MongoNetworkError('reset') as never, result))
    const lost = { insertMany } as unknown as Collection
    return assert.rejects(
      reach(() => insertSome(lost, docs)),
      { code: 'unavailable' },
    )
  })

  it('leaves any other error what it is', () => assert.rejects(insertSome(answering(121), docs), MongoBulkWriteError))
})
