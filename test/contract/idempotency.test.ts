import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { idempotencyConformance } from '@postrider/ports/idempotency.conformance.ts'
import { sqliteForTests } from './sqlite.ts'

describe('idempotency stores', () => {
  const open = sqliteForTests()
  idempotencyConformance('SQLite', () => sqliteIdempotency(open().db))
})
