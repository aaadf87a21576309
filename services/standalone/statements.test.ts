import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from './store.ts'

/**
 * Statements that read a whole table or sort what they find, and why each is short or runs at the start only. A
 * statement cannot pause, so any other must find its rows by an index and read a bounded number of them.
 */
const readsAll: readonly (readonly [text: RegExp, reason: string])[] = [
  [/queue_counts/, 'one row for each workspace with waiting mail; empty ones are removed'],
  [/email_terms_range|billing_lease|domain_counts/, 'one row, or one for each status'],
  [/UPDATE email_terms SET terms = \? WHERE rowid = /, 'one row of a virtual table'],
  [/UPDATE emails SET deaths = deaths \+ \(lease_until IS NOT NULL\), lease_until = NULL WHERE seq IN/, 'at the start'],
  [/UPDATE batches SET state = .* WHERE state IN/, 'at the start'],
  [/DELETE FROM content_parts WHERE parts IN/, 'at the start'],
  [/\.secretId'\)/, 'at the start'],
  [/UPDATE webhook_endpoints SET lease_until = 0 WHERE lease_until > 0/, 'at the start'],
  [
    /FROM domains INDEXED BY domains_due .* LIMIT 1\) UNION ALL .* domains_leased/,
    'the first row, and those that are checked now',
  ],
  [
    /FROM webhook_endpoints INDEXED BY webhook_endpoints_enabled WHERE enabled = 1/,
    'a partial index, read once a minute at most',
  ],
  [/count\(\*\) AS "all".* FROM webhook_endpoints;.*USING COVERING INDEX/, 'a covering index of two numbers'],
  [/FROM webhook_endpoints WHERE has_notices = 1 ORDER BY id LIMIT/, 'a partial index in its order'],
  [/ledger_pending/, 'reservations of the requests that run, and what a crash left'],
  [/payment_notices/, 'notices that wait for a read within seconds'],
  [
    /^SELECT (?:w\.id, w\.name, m\.role|workspace, role|\*) FROM (?:memberships|invitations)\b/,
    'at most as many as a workspace or a user may have',
  ],
  [/SELECT \* FROM workspaces ORDER BY id DESC LIMIT/, 'the primary key in its order'],
  [/workspace_events_unnoticed WHERE noticed = 0 ORDER BY at LIMIT/, 'a partial index in its order'],
  [/outcome_hours .* UNION SELECT workspace FROM reputations/, 'workspaces with bounces, by a partial index'],
  [/SELECT id FROM workspaces WHERE suspended = 1/, 'a partial index'],
  [/erasures INDEXED BY erasures_due WHERE next_at <= \?/, 'erasures that are due; a workspace has few'],
  [/SELECT DISTINCT email FROM events/, 'a range that was chosen by its number of rows'],
  [/UPDATE emails .* json_each\(:ids\)|json_each\(:ids\)/, 'ids that are given'],
]

/** Reads of values and of lists that are parameters. */
const isOfParameters = (step: string): boolean =>
  /^SCAN (?:\(subquery-\d+\)|\d+-ROW VALUES CLAUSE|CONSTANT ROW|(?:json_each|requested|text EXISTS) VIRTUAL TABLE INDEX \d+:)/.test(
    step,
  )

describe('statements of a store', () => {
  let folder = ''
  const texts = new Set<string>()
  let planOf: (sql: string) => string[] = () => []
  let close = async (): Promise<void> => {}

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-'))
    const { prepare } = DatabaseSync.prototype
    DatabaseSync.prototype.prepare = function (sql, ...options) {
      texts.add(sql.replace(/\s+/g, ' ').trim())
      return prepare.call(this, sql, ...options)
    }
    const onFatal = (reason: unknown) => {
      throw reason
    }
    try {
      const store = await openStore(folder, { onFatal, onParked: () => {}, onDiskFull: () => {} })
      const file = new DatabaseSync(join(folder, 'postrider.db'), { readOnly: true })
      planOf = (sql) =>
        prepare
          .call(file, `EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => String(detail))
      close = async () => {
        file.close()
        await store[Symbol.asyncDispose]()
      }
    } finally {
      DatabaseSync.prototype.prepare = prepare
    }
  })
  after(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })

  const statements = (): string[] => [...texts].filter((sql) => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(sql))

  it('find their rows by an index and in its order, except for those that are listed with a reason', () => {
    assert.ok(statements().length > 300)
    const reading = statements()
      .map((sql) => ({ sql, steps: planOf(sql).filter((step) => !isOfParameters(step)) }))
      .filter(({ steps }) => steps.some((step) => /^SCAN|TEMP B-TREE/.test(step)))
      .map(({ sql, steps }) => `${sql}; ${steps.join('; ')}`)
    const isListed = (found: string): boolean => readsAll.some(([text]) => text.test(found))
    assert.deepEqual(
      reading.filter((found) => !isListed(found)),
      [],
    )
    const unused = readsAll.filter(([text]) => !reading.some((found) => text.test(found)))
    assert.deepEqual(unused, [])
  })

  it('remove old rows with a limit', () => {
    const removals = statements().filter((sql) => /^DELETE .*<=? [?:]/.test(sql) && !/ LIMIT /.test(sql))
    const bounded = [
      // One row, which is old enough.
      'DELETE FROM batches WHERE id = ? AND due_at <= ?',
      // Marks of earlier months; a workspace has only a few.
      'DELETE FROM quota_marks WHERE workspace = ? AND month < ?',
    ]
    assert.deepEqual(removals, bounded)
  })
})
