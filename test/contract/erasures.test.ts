import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { erasureIndexes, mongoErasures } from '@postrider/adapters/mongo/erasure/erasures.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteErasures } from '@postrider/adapters/sqlite/erasure/erasures.ts'
import { erasuresConformance } from '@postrider/ports/erasures.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('stores of erasures', () => {
  const openFile = sqliteForTests()
  erasuresConformance('SQLite', () => {
    const { db } = openFile()
    return { erasures: sqliteErasures(db), audit: sqliteAudit(db) }
  })

  describe('cluster', () => {
    const openDb = mongoForTests(auditIndexes, erasureIndexes)
    erasuresConformance('MongoDB', async () => {
      const db = await openDb()
      return { erasures: mongoErasures(db), audit: mongoAudit(db) }
    })
  })
})
