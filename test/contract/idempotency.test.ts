import assert from 'node:assert/strict'
import { idempotencyIndexes, mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { idempotencyConformance } from '@postrider/ports/idempotency.conformance.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { assertIterationsBelow } from '../support/cost.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

/** Characters of the response to a batch at its limits: 10 MB. */
const longest = 6_666_666

/** The change itself runs in slices: it has one step, so that the reads and writes of the store are measured. */
const longResponses = (name: string, open: () => IdempotencyStore | Promise<IdempotencyStore>) => {
  // Ten responses were read and changed in one step, and one of a batch was parsed and written for each of its emails.
  // MongoDB compared the former response, and no command can have two of 9 MB: the erasure failed each time.
  it(`change long responses one by one in ${name}`, async () => {
    const keys = await open()
    const scope = 'ws_1 live POST /emails/batch'
    const body = 'aé'.repeat(longest / 2)
    for (let number = 0; number < 5; number++) {
      const claim = { scope, key: `k${number}`, emailId: `bat_${number}` }
      await keys.claim({ ...claim, fingerprint: Uint8Array.of(1), at: 1, leaseMs: 1_000, requestId: 'req_1' })
      await keys.finish({ ...claim, status: 202, body, expiresAt: 1_000 })
    }
    const changes = Array.from({ length: 5 }, (_, number) => ({ emailId: `bat_${number}`, change: rotated }))
    await assertIterationsBelow(50, () => keys.replaceResponses('ws_1', changes))
    await assertIterationsBelow(50, () => keys.changeResponses(scope, { after: '', limit: 5 }, rotated))
  })
}

function* rotated(stored: string): Generator<undefined, string, undefined> {
  yield
  return stored.slice(1) + stored.slice(0, 1)
}

describe('idempotency stores', () => {
  const open = sqliteForTests()
  idempotencyConformance('SQLite', () => sqliteIdempotency(open().db))
  longResponses('SQLite', () => sqliteIdempotency(open().db))

  describe('cluster', () => {
    const openMongo = mongoForTests(idempotencyIndexes)
    idempotencyConformance('MongoDB', async () => mongoIdempotency(await openMongo()))
    longResponses('MongoDB', async () => mongoIdempotency(await openMongo()))

    // Regression: each of the 50 emails of a step read all keys of the workspace.
    it('read the keys of a workspace once for the changes of many emails', async () => {
      const db = await openMongo()
      let reads = 0
      const counted = wrappedDb(db, {
        write: ({ run }) => run(),
        read: (run) => {
          reads += 1
          return run()
        },
      })
      const changes = Array.from({ length: 50 }, (_, number) => ({ emailId: `em_${number}`, change: rotated }))
      await mongoIdempotency(counted).replaceResponses('ws_1', changes)
      assert.equal(reads, 1)
    })

    // Regression: release 0.1 changes a response without its revision, so its change was lost.
    it('keep the change of a short response that a process of release 0.1 makes at the same time', async () => {
      const db = await openMongo()
      const one = { scope: 'ws_1 live POST /emails', key: 'k', emailId: 'em_1' }
      const claim = { ...one, fingerprint: Uint8Array.of(1), at: 1, leaseMs: 1_000, requestId: 'req_1' }
      let former = 0
      const slices = makeSlices()
      const of = (owner: string): Slices => {
        const run: Slices['run'] = async (...steps) => {
          const result = await slices.of(owner).run(...steps)
          // After the read, before the write.
          if (former++ === 0) await db.collection('idempotency_keys').updateOne({}, { $set: { body: 'a-' } })
          return result
        }
        return { ...slices.of(owner), run }
      }
      const keys = mongoIdempotency(db, { ...slices, of })
      await keys.claim(claim)
      await keys.finish({ ...one, status: 202, body: 'ab', expiresAt: 1_000 })
      const change = function* (stored: string) {
        yield
        return stored.replace('a', '-')
      }
      await keys.changeResponses(one.scope, { after: '', limit: 1 }, change)
      const found = await keys.claim({ ...claim, at: 2 })
      assert.equal(found.kind === 'replay' && found.body, '--')
    })
  })
})
