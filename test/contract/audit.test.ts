import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { audit as auditMigration } from '@postrider/adapters/sqlite/migrations/0009_audit.ts'
import { auditConformance } from '@postrider/ports/audit.conformance.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

/** An entry of release 0.1, and how it is read. */
const formerEntry = (entry: Pick<AuditEntry, 'workspace' | 'at' | 'actor'>) => {
  const stored = { ...entry, action: 'former.act', target: 'key_1', detail: { name: true, network: '203.0.113.0/24' } }
  const { detail: after, ...rest } = stored
  return { stored, read: { ...rest, clientAddress: '', before: null, after } }
}

describe('audit logs', () => {
  const open = sqliteForTests()
  auditConformance('SQLite', () => {
    const { db } = open()
    // As the migration leaves it: no process of release 0.1 writes to a file of this one.
    const insert = db.prepare(`
      INSERT INTO audit_log (workspace, at, actor, action, target, detail, id, state_after)
      VALUES (?, ?, ?, ?, ?, ?, 'aud_' || printf('%026d', (SELECT count(*) + 1 FROM audit_log)), ?)`)
    return {
      audit: sqliteAudit(db),
      storeFormer: async (entry) => {
        const { stored, read } = formerEntry(entry)
        const { workspace, at, actor, action, target } = stored
        const detail = JSON.stringify(stored.detail)
        db.write(() => insert.run(workspace, at, actor, action, target, detail, detail))
        return read
      },
    }
  })

  it('refuse to change or remove an entry in SQLite, except of a workspace that is gone', async () => {
    const { db } = open()
    const log = sqliteAudit(db)
    const kept = anEntry({ workspace: 'ws_1' })
    const without = anEntry({ workspace: '' })
    db.prepare(`
      INSERT INTO workspaces (id, name, plan, sender_name, postal_address, on_unknown, retention, suspended, note, created_at)
      VALUES ('ws_1', 'Acme', 'free', '', '', 'retry', '', 0, '', 0)`).run()
    for (const entry of [kept, without, anEntry({ workspace: 'ws_gone' })]) await log.record(entry)
    for (const sql of [
      "UPDATE audit_log SET actor = 'usr_2'",
      "DELETE FROM audit_log WHERE workspace = 'ws_1'",
      "DELETE FROM audit_log WHERE workspace = ''",
    ])
      assert.throws(() => db.write(() => db.prepare(sql).run()), /never/, sql)
    db.write(() => db.prepare("DELETE FROM audit_log WHERE workspace = 'ws_gone'").run())
    assert.equal(db.prepare('SELECT count(*) AS n FROM audit_log').get()?.['n'], 2)
  })

  it('give each entry of release 0.1 an id and its change in SQLite', () => {
    const db = new DatabaseSync(':memory:')
    const former = `
      CREATE TABLE audit_log (seq INTEGER PRIMARY KEY, workspace TEXT NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL,
        action TEXT NOT NULL, target TEXT NOT NULL, detail TEXT NOT NULL) STRICT;
      CREATE INDEX audit_log_by_workspace ON audit_log (workspace);
      INSERT INTO audit_log VALUES (1, 'ws_1', 5, 'usr_1', 'key.revoke', 'key_1', '{}');
      INSERT INTO audit_log VALUES (2, 'ws_1', 6, 'usr_1', 'key.update', 'key_1', '{"name":true}');`
    db.exec(`${former}${auditMigration}`)
    const rows = db.prepare('SELECT id, state_before, state_after FROM audit_log ORDER BY seq').all()
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { id: `aud_${'1'.padStart(26, '0')}`, state_before: null, state_after: null },
        { id: `aud_${'2'.padStart(26, '0')}`, state_before: null, state_after: '{"name":true}' },
      ],
    )
  })

  describe('cluster', () => {
    const openMongo = mongoForTests(auditIndexes)
    const openLog = async (chunkEntries?: number) => {
      const db = await openMongo()
      return {
        audit: mongoAudit(db, chunkEntries),
        storeFormer: async (entry: Parameters<typeof formerEntry>[0]) => {
          const { stored, read } = formerEntry(entry)
          await db.collection('audit_log').insertOne({ ...stored })
          return read
        },
      }
    }
    auditConformance('MongoDB', () => openLog())
    auditConformance('MongoDB, read in chunks of two entries', () => openLog(2))
  })
})
