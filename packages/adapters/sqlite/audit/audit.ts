import { type AuditEntry, auditStateText } from '@postrider/domain/audit/entry.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { listAuditEntries } from './list.ts'

/**
 * Adds entries to the audit log. Call it inside of the write that makes the change, so that both are stored or neither.
 */
export const auditEntries = (db: SqliteDatabase): ((...entries: readonly AuditEntry[]) => void) => {
  const insert = db.prepare(`
    INSERT INTO audit_log (id, workspace, at, actor, operator, client_address, action, target, state_before, state_after, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}') ON CONFLICT (id) DO NOTHING`)
  return (...entries) => {
    for (const entry of entries) {
      const { id, workspace, at, actor, operator = null, clientAddress, action, target, before, after } = entry
      insert.run(
        id,
        workspace,
        at,
        actor,
        operator,
        clientAddress,
        action,
        target,
        auditStateText(before),
        auditStateText(after),
      )
    }
  }
}

/** The audit log in SQLite. @param slices runs the search of a list */
export const sqliteAudit = (db: SqliteDatabase, slices: Slices = makeSlices()): Audit => {
  const addEntries = auditEntries(db)
  const users = db.prepare('SELECT id, email AS name FROM users WHERE id IN (SELECT value FROM json_each(?))')
  const keys = db.prepare('SELECT id, name FROM api_keys WHERE id IN (SELECT value FROM json_each(?))')
  // Entries of earlier releases have their change in `detail` too. A trigger refuses everything else.
  const redact = db.prepare(
    "UPDATE audit_log SET state_before = ?, state_after = ?, detail = '{}', redactions = ? WHERE id = ?",
  )
  return {
    record: async (entry) => db.write(() => addEntries(entry)),
    redact: async ({ id, before, after, redactions }) => {
      db.writeOne(() => redact.run(auditStateText(before), auditStateText(after), JSON.stringify(redactions), id))
    },
    // A change and its entry are one transaction.
    complete: async () => {},
    list: (query, signal) => listAuditEntries(db, query, slices, signal),
    actorNames: async (ids) => {
      const wanted = JSON.stringify(ids)
      const rows = db.read(() => [...users.all(wanted), ...keys.all(wanted)])
      return new Map(rows.map(({ id, name }) => [String(id), String(name)]))
    },
  }
}
