import type { Audit, AuditEntry } from '@postrider/ports/audit.ts'
import type { Db } from 'mongodb'
import type { Indexes } from '../client/connect.ts'
import { withMappedErrors } from '../client/errors.ts'

/** A workspace's entries in order: reads and erasures are per workspace. */
export const auditIndexes: Indexes = { audit_log: [{ key: { workspace: 1, at: 1 } }] }

/** Creates the audit log on MongoDB. */
export const mongoAudit = (db: Db): Audit => {
  const log = db.collection<AuditEntry>('audit_log')
  return withMappedErrors({
    record: async ({ workspace, at, actor, action, target, detail }: AuditEntry) => {
      await log.insertOne({ workspace, at, actor, action, target, detail })
    },
  })
}
