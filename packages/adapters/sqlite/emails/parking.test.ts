import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { mail } from '../migrations/0001_mail.ts'
import { parkedMail } from '../migrations/0029_parked_mail.ts'

describe('SQLite parked mail', () => {
  it('lists mail of an earlier release after the migration, and no other mail', () => {
    using file = new DatabaseSync(':memory:')
    file.exec(mail)
    const insert = file.prepare(`
      INSERT INTO emails (id, workspace, mode, lane, created_at, status, next_at, deaths, owing, doc)
      VALUES (?, 'ws_1', 'live', 'transactional', 0, ?, ?, ?, 0, '{}')`)
    insert.run('em_parked', 'queued', null, 20)
    insert.run('em_canceled', 'canceled', null, 20)
    insert.run('em_moved', 'queued', 5_000, 20)
    insert.run('em_due', 'queued', 1_000, 3)
    insert.run('em_delivered', 'delivered', null, 0)
    file.exec(parkedMail)
    const found = file.prepare('SELECT id FROM emails INDEXED BY emails_parked WHERE parked_at IS NOT NULL').all()
    assert.deepEqual(
      found.map(({ id }) => id),
      ['em_parked'],
    )
  })
})
