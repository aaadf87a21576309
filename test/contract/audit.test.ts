import { sqliteAudit } from '@postrider/adapters/sqlite/audit.ts'
import { auditConformance } from '@postrider/ports/audit.conformance.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
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
})
