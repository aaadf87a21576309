import assert from 'node:assert/strict'
import {
  type BulkWriteResult,
  type Collection,
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  type WriteError,
} from 'mongodb'
import { insertEach, updateEach, upsertEach, withoutRefusals } from './bulkWrite.ts'
import { mapStoreErrors } from './errors.ts'

/** A collection in which every write ends like this. */
const collection = (end: () => unknown): Collection => {
  const write = async () => end()
  return { insertOne: write, insertMany: write, updateOne: write, bulkWrite: write } as unknown as Collection
}

const throwing = (thrown: Error): Collection =>
  collection(() => {
    throw thrown
  })

const writeError = (index: number, code: number) => ({ index, code, errmsg: `refused ${index}` }) as WriteError

const bulkError = (errors: WriteError[], concern?: { code: number; errmsg: string }) => {
  const result = { matchedCount: 1, getWriteConcernError: () => concern } as unknown as BulkWriteResult
  return new MongoBulkWriteError({ message: 'refused', code: errors[0]?.code ?? 0, writeErrors: errors }, result)
}

const docs = [{ _id: 1 }, { _id: 2 }, { _id: 3 }] as never[]
const updates = [1, 2, 3].map((n) => ({ filter: { n }, update: { $set: { n: 0 } } }))
const duplicate = new MongoServerError({ code: 11_000, message: 'E11000' })

describe('bulk write', () => {
  it('returns true for each inserted document, false for a duplicate and the error for any other refusal', async () => {
    assert.deepEqual(await insertEach(collection(Object), docs), [true, true, true])
    const [first, second, third] = await insertEach(
      throwing(bulkError([writeError(0, 11_000), writeError(2, 10_334)])),
      docs,
    )
    assert.deepEqual([first, second], [false, true])
    assert.ok(third instanceof MongoServerError)
    assert.equal(third.message, 'refused 2')
  })

  it('returns false for a single duplicate', async () => {
    assert.deepEqual(await insertEach(throwing(duplicate), docs.slice(0, 1)), [false])
    assert.deepEqual(await upsertEach(throwing(duplicate), updates.slice(0, 1)), [false])
  })

  it('returns false for an upsert whose document does not match', async () =>
    assert.deepEqual(await upsertEach(throwing(bulkError([writeError(1, 11_000)])), updates), [true, false, true]))

  it('returns whether each update matched, and null where only some did', async () => {
    const matched = (matchedCount: number) =>
      updateEach(
        collection(() => ({ matchedCount })),
        updates,
      )
    assert.deepEqual(await matched(3), [true, true, true])
    assert.deepEqual(await matched(2), [null, null, null])
    assert.deepEqual(await matched(0), [false, false, false])
    const [first, second] = await updateEach(throwing(bulkError([writeError(0, 10_334)])), updates.slice(0, 2))
    assert.ok(first instanceof MongoServerError)
    assert.equal(second, true)
  })

  it('sends nothing where there is nothing to write', async () => {
    const unused = throwing(new Error('called'))
    assert.deepEqual(await insertEach(unused, []), [])
    assert.deepEqual(await upsertEach(unused, []), [])
    assert.deepEqual(await updateEach(unused, []), [])
  })

  it('throws the first refusal where none may be refused', () => {
    assert.deepEqual(withoutRefusals([true, false]), [true, false])
    assert.throws(() => withoutRefusals([true, duplicate]), duplicate)
  })

  it('throws for all items where no majority confirmed the write, even if one was refused', async () => {
    const noMajority = { code: 64, errmsg: 'waiting for replication timed out' }
    const failing = throwing(bulkError([writeError(0, 11_000)], noMajority))
    await assert.rejects(insertEach(failing, docs), MongoBulkWriteError)
    await assert.rejects(
      mapStoreErrors(() => insertEach(failing, docs)),
      { code: 'unavailable' },
    )
  })

  // The driver's error for this names no document, and all of them counted as written: mail was accepted and lost.
  it('throws for all items where the connection was lost', async () => {
    const lost = new MongoNetworkError('read ECONNRESET')
    const result = { matchedCount: 0, getWriteConcernError: () => undefined } as unknown as BulkWriteResult
    const failing = throwing(new MongoBulkWriteError(lost as never, result))
    await assert.rejects(insertEach(failing, docs), lost)
    await assert.rejects(
      mapStoreErrors(() => insertEach(failing, docs)),
      { code: 'unavailable' },
    )
  })

  // The driver's error for this has no write errors either: every document counted as written.
  it('throws for all items where the server refused the whole command', async () => {
    const result = { matchedCount: 0, getWriteConcernError: () => undefined } as unknown as BulkWriteResult
    for (const [code, errmsg] of [
      [10_107, 'not primary'],
      [11_000, 'E11000'],
    ] as const) {
      const refused = new MongoBulkWriteError(new MongoServerError({ ok: 0, code, errmsg }) as never, result)
      const failing = throwing(refused)
      await assert.rejects(insertEach(failing, docs), refused)
      await assert.rejects(upsertEach(failing, updates), refused)
      await assert.rejects(updateEach(failing, updates), refused)
    }
    const notPrimary = new MongoServerError({ ok: 0, code: 10_107, errmsg: 'not primary' })
    await assert.rejects(
      mapStoreErrors(() => insertEach(throwing(new MongoBulkWriteError(notPrimary as never, result)), docs)),
      { code: 'unavailable' },
    )
  })
})
