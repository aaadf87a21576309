import assert from 'node:assert/strict'
import { useDatabase } from '../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from './client/database.ts'
import { emailClocks } from './emails/clocks.ts'
import { webhookClocks } from './webhooks/clocks.ts'

describe('SQLite indexes of test clocks', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
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
  it('find mail behind a clock without reading other mail', () => {
    assert.deepEqual(searchesOf(emailClocks), [
      'SEARCH emails USING INDEX emails_test_places (workspace=? AND <expr><?)',
      'SEARCH emails USING COVERING INDEX emails_test_waiting (workspace=? AND next_at<?)',
    ])
    assert.deepEqual(searchesOf(webhookClocks), [
      'SEARCH webhook_deliveries USING INDEX webhook_deliveries_test_places (endpoint=? AND <expr><?)',
      'SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_test_places (endpoint=? AND <expr>>?)',
      'SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_test_places (endpoint=? AND <expr>=? AND due_at>? AND due_at<?)',
      'SEARCH webhook_deliveries USING INDEX webhook_deliveries_leased (lease_until>?)',
    ])
  })
})
