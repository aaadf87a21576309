import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openNewDatabase } from '../../../test/support/newDatabase.ts'
import type { SqliteDatabase } from './database.ts'
import { emailClocks } from './emailClocks.ts'
import { webhookClocks } from './webhookClocks.ts'

describe('SQLite indexes of test clocks', () => {
  let folder = ''
  let db: SqliteDatabase

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-'))
    db = openNewDatabase({
      path: join(folder, 'postrider.db'),
      onFatal: (reason) => {
        throw reason
      },
    })
  })
  afterEach(async () => {
    await db[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  /** Returns how the queries of an adapter search its table. */
  const searchesOf = (open: (db: SqliteDatabase) => unknown): string[] => {
    const queries: string[] = []
    open({
      ...db,
      prepare: (sql) => {
        if (sql.trim().startsWith('SELECT')) queries.push(sql)
        return db.prepare(sql)
      },
    })
    return queries.flatMap((sql) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => String(row['detail']))
        .filter((detail) => /^(SEARCH|SCAN) (emails|webhook_deliveries)/.test(detail)),
    )
  }

  // Each read of the clock parsed every waiting test email, and every waiting delivery of the endpoints, live ones too.
  it('find what is behind a clock without the rest', () => {
    assert.deepEqual(searchesOf(emailClocks), [
      'SEARCH emails USING INDEX emails_test_places (workspace=? AND <expr><?)',
      'SEARCH emails USING COVERING INDEX emails_test_waiting (workspace=? AND next_at<?)',
    ])
    assert.deepEqual(searchesOf(webhookClocks), [
      'SEARCH webhook_deliveries USING INDEX webhook_deliveries_test_places (endpoint=? AND <expr><?)',
      'SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_test_places (endpoint=?)',
    ])
  })
})
