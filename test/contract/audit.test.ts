import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/accounts/audit.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit.ts'
import { auditConformance } from '@postrider/ports/audit.conformance.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('audit logs', () => {
  const open = sqliteForTests()
  auditConformance('SQLite', () => {
    const { db } = open()
    const select = db.prepare('SELECT workspace, at, actor, action, target, detail FROM audit_log ORDER BY seq')
    const written = async () =>
      select.all().map((row) => ({ ...row, detail: JSON.parse(String(row['detail'])) }) as AuditEntry)
    return { audit: sqliteAudit(db), written }
  })
  describe('cluster', () => {
    const openMongo = mongoForTests(auditIndexes)
    auditConformance('MongoDB', async () => {
      const db = await openMongo()
      const written = () =>
        db
          .collection<AuditEntry>('audit_log')
          .find({}, { projection: { _id: 0 } })
          .sort({ _id: 1 })
          .toArray()
      return { audit: mongoAudit(db), written }
    })
  })
})
