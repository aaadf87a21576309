import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Email } from '@postrider/domain/email/email.ts'
import { iterationsOf } from '../../../../test/support/cost.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { sqliteEmails } from './emails.ts'

const waiting = { name: '', address: 'a@example.com', kind: 'to', status: 'queued', nextAt: 0 }
const email = (id: string): Email =>
  ({
    id,
    workspace: 'ws_1',
    mode: 'live',
    category: 'transactional',
    createdAt: 0,
    scheduledAt: null,
    recipients: [waiting],
    owed: [],
    attempts: [],
    events: [],
  }) as unknown as Email
const content = { html: null, text: 'Hi', headers: {}, attachments: [] }
const query = { lane: 'transactional', now: 1_000, limit: 10, leaseMs: 30_000 } as const

describe('SQLite email queue', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
  })

  it('never gives out a fence again that was lost with a failed commit', async () => {
    const emails = sqliteEmails(db)
    await emails.insert(email('em_1'), content)
    await db.synced()
    const [lost] = await emails.claim(query)
    db.prepare('PRAGMA max_page_count = 1').get()
    await assert.rejects(emails.insert({ ...email('em_2'), subject: 'x'.repeat(1_000_000) }, content), {
      code: 'unavailable',
    })
    await nextIteration()
    db.prepare('PRAGMA max_page_count = 1000000').get()
    const [again] = await emails.claim(query)
    assert.ok(lost && again)
    assert.ok(again.fence > lost.fence)
    const late = { email: lost.email, nextAt: null, done: true }
    assert.equal(await emails.write('em_1', lost.fence, late), false)
  })

  // A million emails that were scheduled for one time were counted in one statement.
  it('counts mail that is due in several event loop iterations, even if all of it is due at one time', async () => {
    const emails = sqliteEmails(db)
    await emails.insert(email('em_1'), content)
    const columns = db.prepare("SELECT name FROM pragma_table_info('emails') WHERE name NOT IN ('seq', 'due_at')").all()
    const names = columns.map(({ name }) => String(name))
    const copied = names.map((name) => (name === 'id' ? "'em_' || (1 + n)" : name === 'next_at' ? 'n / 30000' : name))
    db.writeOne(() =>
      db
        .prepare(`
          WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 44999)
          INSERT INTO emails (${names}) SELECT ${copied} FROM emails, numbers WHERE id = 'em_1'`)
        .run(),
    )
    assert.equal((await emails.claim(query)).length, 10)
    const due = async (now: number): Promise<number | undefined> => (await emails.backlog(now))[0]?.due
    assert.deepEqual([await due(-1), await due(0), await due(1_000), await due(40_000)], [0, 29_990, 44_990, 45_000])
    const iterations = await iterationsOf(() => due(1_000))
    assert.ok(iterations >= 4, `${iterations} iterations`)
  })

  it('reports mail that it parks', async () => {
    const parked: string[] = []
    const emails = sqliteEmails(db, (id) => parked.push(id))
    await emails.insert(email('em_1'), content)
    for (let deaths = 0; deaths < 20; deaths++) {
      assert.equal((await emails.claim(query)).length, 1)
      await emails.clearLeases()
    }
    assert.deepEqual(await emails.claim(query), [])
    assert.deepEqual(parked, ['em_1'])
  })

  it('finds claims, due times and dead leases by index only', () => {
    const plan = (sql: string): string =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => String(row['detail']))
        .join('; ')
    const due = "SELECT seq FROM emails WHERE lane = 'marketing' AND due_at <= 9 ORDER BY due_at LIMIT 5"
    assert.match(plan(due), /^SEARCH emails USING INDEX emails_due \(lane=\? AND due_at<\?\)$/)
    const oldestOf = `SELECT seq FROM emails WHERE workspace = 'w' AND ${due.slice(due.indexOf('lane'))}`
    const byWorkspace = /^SEARCH emails USING (COVERING )?INDEX emails_due_by_workspace/
    assert.match(plan(oldestOf), byWorkspace)
    assert.match(plan(oldestOf), /\(lane=\? AND workspace=\? AND due_at<\?\)$/)
    const turn =
      "SELECT workspace, due_at FROM emails WHERE lane = 'marketing' AND workspace > 'w' AND due_at IS NOT NULL"
    assert.match(plan(`${turn} ORDER BY workspace, due_at LIMIT 1`), byWorkspace)
    assert.match(plan(`${turn} ORDER BY workspace, due_at LIMIT 1`), /\(lane=\? AND workspace>\?\)$/)
    const claim = `UPDATE emails SET fence = 1 WHERE seq IN (SELECT value FROM json_each('[1]')) AND due_at <= 9`
    assert.match(plan(claim), /^SEARCH emails USING INTEGER PRIMARY KEY/)
    const among = `SELECT seq FROM emails WHERE id IN (SELECT value FROM json_each('[""]')) AND +lane = 'marketing' AND +due_at <= 9`
    assert.match(plan(among), /^SEARCH emails USING INDEX sqlite_autoindex_emails_1 \(id=\?\)/)
    const next = "SELECT min(due_at) FROM emails WHERE lane = 'marketing' AND due_at IS NOT NULL"
    assert.match(plan(next), /^SEARCH emails USING INDEX emails_due/)
    const count = "SELECT count(*) FROM emails WHERE lane = 'marketing' AND due_at IS NOT NULL"
    assert.match(plan(count), /^SEARCH emails USING INDEX emails_due/)
    const page = "SELECT doc FROM emails WHERE workspace = 'w' ORDER BY created_at DESC, seq DESC LIMIT 5"
    assert.match(plan(page), /^SEARCH emails USING INDEX emails_by_workspace \(workspace=\?\)$/)
    const dead = 'SELECT seq FROM emails INDEXED BY emails_due WHERE due_at IS NOT NULL AND lease_until IS NOT NULL'
    assert.match(plan(dead), /^SCAN emails USING INDEX emails_due$/)
  })
})
