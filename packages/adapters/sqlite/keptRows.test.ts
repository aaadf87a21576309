import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../../test/support/cost.ts'
import { useDatabase } from '../../../test/support/useDatabase.ts'
import { sqliteAccounts } from './accounts/accounts.ts'
import { sqliteKeyNotices } from './accounts/keyNotices.ts'
import type { SqliteDatabase } from './client/database.ts'
import { sqliteIdempotency } from './idempotency.ts'
import { sqliteWebhookReplays } from './webhooks/replays.ts'

/*
 * A workspace with 200,000 such rows, which a day of requests makes, blocked the process: for 0.2 s with each email of
 * an erasure, for 0.3 s with each list of keys, for 0.1 s with each new key, and for 0.2 s every ten minutes with the
 * removal of old replays. A member with as many sessions blocked it for 0.1 s with each list of members.
 */
describe('rows that are kept in SQLite', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
  })

  /** Returns the plans of the statements that a store prepares and whose text matches. */
  const plansOf = (open: (db: SqliteDatabase) => unknown, wanted: RegExp): string[] => {
    const texts = new Set<string>()
    const prepare = (sql: string) => {
      texts.add(sql)
      return db.prepare(sql)
    }
    open({ ...db, prepare })
    const planOf = (sql: string): string =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => String(row['detail']))
        .join('; ')
    return [...texts].filter((sql) => wanted.test(sql)).map(planOf)
  }

  it('are found by their email, or in flight, under idempotency keys', () => {
    const plans = plansOf(sqliteIdempotency, /scope >= \?/)
    // Keys in flight have no `expires_at`. They are as many as the requests that run.
    const inFlight = 'SEARCH idempotency_keys USING INDEX idempotency_keys_expiry (expires_at=?)'
    const byEmail = 'SEARCH idempotency_keys USING INDEX idempotency_keys_by_email (email_id=?)'
    assert.deepEqual(plans, [inFlight, byEmail])
  })

  it('are counted and listed among keys without reading revoked and replaced keys', () => {
    const plans = plansOf(sqliteAccounts, /FROM api_keys.*\n?.*WHERE workspace = /)
    const listed = 'SEARCH api_keys USING INDEX api_keys_by_workspace (workspace=? AND <expr>=?)'
    assert.deepEqual(plans, ['SEARCH api_keys USING INDEX api_keys_valid (workspace=?)', listed, listed])
  })

  it('are searched for unused keys in a range of ids', () => {
    const [plan = ''] = plansOf(sqliteKeyNotices, /notice_at <= /)
    assert.equal(plan, 'SEARCH api_keys USING PRIMARY KEY (id>? AND id<?)')
  })

  it('are found among sessions by their user, without reading other sessions of that user', async () => {
    const sessions = db.prepare(`
      WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 50000)
      INSERT INTO sessions (hash, user, workspace, created_at, seen_at)
      SELECT CAST(n AS BLOB), 'usr_1', 'ws_' || (n % 2), n, n FROM numbers`)
    db.writeOne(() => sessions.run())
    const { lastSeen } = sqliteAccounts(db)
    assert.deepEqual(await lastSeen('ws_1', ['usr_1', 'usr_2']), new Map([['usr_1', 49_999]]))
    await assertCpuBelow(2, () => void lastSeen('ws_1', ['usr_1']))
  })

  it('are found among replays by their end', () => {
    const [plan = ''] = plansOf(sqliteWebhookReplays, /endedAt/)
    assert.match(plan, /^SEARCH webhook_replays USING INTEGER PRIMARY KEY/)
    assert.match(
      plan,
      /SEARCH webhook_replays USING (COVERING )?INDEX webhook_replays_ended \(<expr>[<>?A-Z a-z]*<\?\)/,
    )
    assert.doesNotMatch(plan, /SCAN/)
  })

  it('are removed in several event loop iterations', async () => {
    db.writeOne(() =>
      db
        .prepare(`
          WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
          INSERT INTO webhook_replays (id, endpoint, workspace, doc)
          SELECT 'rpl_' || n, 'whk_' || (n % 2), 'ws_1', json_object('endedAt', n) FROM numbers`)
        .run(),
    )
    const replays = sqliteWebhookReplays(db)
    assert.equal(await replays.removeBefore(1_101), 1_100)
    assert.deepEqual([await replays.removeOf('whk_0'), await replays.removeOf('whk_1')], [50, 50])
  })
})
