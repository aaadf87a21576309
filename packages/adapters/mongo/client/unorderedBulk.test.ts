import assert from 'node:assert/strict'
import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError, type WriteError } from 'mongodb'
import { insertedOf, unorderedBulk } from './unorderedBulk.ts'

const writeError = (index: number, code: number) => ({ index, code, errmsg: `refused ${index}` }) as WriteError

const failed = (errors: WriteError[], concern?: { code: number; errmsg: string }) => {
  const result = { matchedCount: 1, getWriteConcernError: () => concern } as unknown as BulkWriteResult
  return async (): Promise<object> => {
    throw new MongoBulkWriteError({ message: 'refused', code: errors[0]?.code ?? 0, writeErrors: errors }, result)
  }
}

describe('an unordered bulk write', () => {
  it('tells how many documents its updates matched', async () => {
    assert.deepEqual(await unorderedBulk(async () => ({ matchedCount: 3 })), { matched: 3, refused: new Map() })
  })

  it('what is refused of it fails nothing else', async () => {
    const outcome = await unorderedBulk(failed([writeError(0, 11_000), writeError(2, 10_334)]))
    assert.equal(outcome.matched, 1)
    const [first, second, third] = insertedOf(outcome, 3)
    assert.deepEqual([first, second], [false, true])
    assert.ok(third instanceof Error)
    assert.equal(third.message, 'refused 2')
  })

  it('what a majority may not keep fails all of it, whatever else was refused', async () => {
    const notKept = { code: 64, errmsg: 'waiting for replication timed out' }
    await assert.rejects(unorderedBulk(failed([writeError(0, 11_000)], notKept)), MongoBulkWriteError)
  })

  // The driver's error for this names no document, and all of them counted as written: mail was accepted and lost.
  it('a connection lost under way fails all of it', async () => {
    const lost = new MongoNetworkError('read ECONNRESET')
    const result = { matchedCount: 0, getWriteConcernError: () => undefined } as unknown as BulkWriteResult
    await assert.rejects(
      unorderedBulk(() => Promise.reject(new MongoBulkWriteError(lost as never, result))),
      lost,
    )
  })

  it('where nobody answers all of it fails', async () => {
    const away = new Error('connection closed')
    await assert.rejects(
      unorderedBulk(() => Promise.reject(away)),
      away,
    )
  })
})
