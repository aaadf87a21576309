import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { durableConformance } from '@postrider/ports/durable.conformance.ts'
import { sqliteForTests } from './sqlite.ts'

describe('durable stores', () => {
  const open = sqliteForTests()
  durableConformance('SQLite', async () => {
    const { db, path } = open()
    const insert = db.prepare(
      "INSERT INTO audit_log (workspace, at, actor, action, target, detail) VALUES (?, 0, '', '', '', '')",
    )
    return {
      durable: db,
      write: async (text) => {
        db.writeOne(() => insert.run(text))
      },
      onDisk: async () => {
        using reader = new DatabaseSync(path, { readOnly: true })
        return reader
          .prepare('SELECT workspace FROM audit_log ORDER BY seq')
          .all()
          .map((row) => String(row['workspace']))
      },
      full: async (isFull) => {
        const pages = isFull ? Number(db.prepare('PRAGMA page_count').get()?.['page_count']) : 1_000_000
        db.prepare(`PRAGMA max_page_count = ${pages}`).get()
        // A failed turn refuses all writes until it ends.
        await nextIteration()
      },
    }
  })
})
