import type { Audit, AuditEntry } from '@postrider/ports/audit.ts'
import type { Db } from 'mongodb'
import { type Indexes, reaching } from '../client/connect.ts'

/** A workspace's entries in their order: what reads or erases them asks for one workspace. */
export const auditIndexes: Indexes = { audit_log: [{ key: { workspace: 1, at: 1 } }] }

export const mongoAudit = (db: Db): Audit => {
  const log = db.collection<AuditEntry>('audit_log')
  return reaching({
    record: async ({ workspace, at, actor, action, target, detail }: AuditEntry) => {
      await log.insertOne({ workspace, at, actor, action, target, detail })
    },
  })
}
