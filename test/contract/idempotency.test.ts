import { idempotencyIndexes, mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { idempotencyConformance } from '@postrider/ports/idempotency.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('idempotency stores', () => {
  const open = sqliteForTests()
  idempotencyConformance('SQLite', () => sqliteIdempotency(open().db))

  describe('cluster', () => {
    const openMongo = mongoForTests(idempotencyIndexes)
    idempotencyConformance('MongoDB', async () => mongoIdempotency(await openMongo()))
  })
})
