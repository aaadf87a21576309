import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withOwner } from '@postrider/ports/accounts.conformance.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { content, email } from '@postrider/ports/emailsFixtures.conformance.ts'
import { openNewDatabase } from '../../../../test/support/newDatabase.ts'
import { sqliteAccounts } from '../accounts/accounts.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { sqliteEmails } from '../emails/emails.ts'
import { sqliteLedger } from '../ledger/ledger.ts'
import { sqliteNotifications } from '../notifications/notifications.ts'
import { sqliteTemplates } from '../templates.ts'
import { sqliteWorkspaceErasure } from './workspaceErasure.ts'

describe('removal of a workspace from SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-erasure-'))
  let files = 0
  let db: SqliteDatabase
  beforeEach(() => {
    db = openNewDatabase({ path: join(folder, `${files++}.db`), onFatal: (reason) => assert.fail(String(reason)) })
  })
  afterEach(() => db[Symbol.asyncDispose]())
  after(() => rmSync(folder, { recursive: true }))

  const tables = ['content_parts', 'template_versions', 'sessions', 'known_devices', 'emails'] as const
  const rows = (): number[] =>
    tables.map((table) => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']))

  // Regression: one statement removed all parts of 100 emails, all versions of 100 templates, or all that belongs to
  // 100 users.
  it('deletes a few long rows in a call', async () => {
    const accounts = sqliteAccounts(db)
    const { user, workspace } = await withOwner(accounts)
    const emails = sqliteEmails(db)
    await emails.insert(email({ workspace: workspace.id }), { ...content, html: 'x'.repeat(10 * 2 ** 20) })
    for (let n = 0; n < 30; n++) await emails.insert(email({ workspace: workspace.id }), content)
    const texts = { subject: 's', htmlBody: null, textBody: 'x', variables: [], createdAt: 1, updatedAt: 1 }
    const template = { id: 'tpl_1', workspace: workspace.id, name: 'n', ...texts, version: 1 }
    await sqliteTemplates(db).insert(template, 1, anEntry())
    for (let version = 2; version < 10; version++) await sqliteTemplates(db).update({ ...template, version }, anEntry())
    const seen = { createdAt: 1, seenAt: 1, csrfSalt: '', totpEnabledAt: null, device: '', address: '' }
    for (let n = 0; n < 30; n++) {
      const hash = new Uint8Array(createHash('sha256').update(String(n)).digest())
      // As those of another workspace that he has left.
      await accounts.insertSession({ ...seen, hash, user: user.id, workspace: 'ws_other' }, anEntry())
      await sqliteNotifications(db).rememberDevice(user.id, String(n), 1)
    }
    await db.synced()
    const erasure = sqliteWorkspaceErasure(db)
    let before = rows()
    const most = before.map(() => 0)
    while ((await erasure.step(workspace.id, 10)) > 0) {
      const after = rows()
      for (const [index, count] of after.entries())
        most[index] = Math.max(most[index] ?? 0, (before[index] ?? 0) - count)
      before = after
    }
    assert.deepEqual(before, [0, 0, 0, 0, 0])
    assert.deepEqual(most, [16, 2, 10, 10, 20])
  })

  // Regression: the marks of reservations that were not committed stayed: nothing reads a mark without its line.
  it('removes reservations that are not committed with their lines, some in a call, and no other', async () => {
    const ledger = sqliteLedger(db)
    const at = Date.parse('2026-11-20T10:00:00Z')
    const reserve = (workspace: string, id: string) => ledger.reserve({ workspace, id, count: 2, at })
    for (let n = 0; n < 25; n++) await reserve('ws_1', `em_own_${n}`)
    await db.synced()
    for (const id of ['em_kept_1', 'em_kept_2']) await reserve('ws_2', id)
    await ledger.commit({ workspace: 'ws_2', id: 'em_kept_1', count: 2, at, token: 'em_kept_1' })
    const usage = await ledger.usage('ws_2', at)
    const erasure = sqliteWorkspaceErasure(db)
    const counts = () =>
      ['ledger_pending', 'ledger_lines'].map((table) =>
        Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']),
      )
    // In the transaction of the first call.
    await reserve('ws_1', 'em_own_25')
    for (let before = [27, 28]; (await erasure.step('ws_1', 10)) > 0; before = counts())
      for (const [index, count] of counts().entries()) assert.ok((before[index] ?? 0) - count <= 10)
    assert.deepEqual(counts(), [1, 2])
    assert.deepEqual(
      (await ledger.pending(at + 1, 100)).map(({ id }) => id),
      ['em_kept_2'],
    )
    assert.deepEqual(await ledger.usage('ws_2', at), usage)
    assert.equal((await ledger.usage('ws_1', at)).monthly.used, 0)
  })

  // One statement removed the staged emails of 100 batches, with all their parts.
  it('deletes a few staged emails of batches in a call, and none is added or accepted in between', async () => {
    const emails = sqliteEmails(db)
    const erasure = sqliteWorkspaceErasure(db)
    const head = { id: 'bat_1', workspace: 'ws_1', at: 1_000, until: 31_000 }
    const staged = (from: number, to: number, html: string) =>
      Array.from({ length: to - from }, (_, index) => {
        const one = email({ id: `em_${from + index}` })
        const item = { number: from + index, id: one.id, sends: 1, kind: 'due' as const, bytes: 1 }
        return { email: one, content: { ...content, html }, item }
      })
    await emails.stageBatch(head, [...staged(0, 1, 'x'.repeat(10 * 2 ** 20)), ...staged(1, 51, 'x')])
    await emails.acceptBatch({ ...head, id: 'bat_0' }, staged(51, 52, 'x'), { results: 'r', now: 1_000 })
    await db.synced()
    const counts = () =>
      ['batch_emails', 'content_parts'].map((table) =>
        Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']),
      )
    let before = counts()
    const most = before.map(() => 0)
    while ((await erasure.step('ws_1', 100)) > 0) {
      const after = counts()
      for (const [index, count] of after.entries())
        most[index] = Math.max(most[index] ?? 0, (before[index] ?? 0) - count)
      before = after
      const isBegun = (before[0] ?? 0) < 51 || (before[1] ?? 0) < 91
      if (!isBegun) continue
      assert.equal(await emails.stageBatch(head, staged(60, 61, 'x')), 'void')
      assert.equal(await emails.acceptBatch(head, [], { results: '', now: 1_000 }), 'void')
    }
    assert.deepEqual(before, [0, 0])
    assert.ok((most[0] ?? 0) <= 20 && (most[1] ?? 0) <= 16, String(most))
    const rows = db.prepare('SELECT id, workspace, state, due_at, items, results FROM batches ORDER BY id').all()
    const ended = { workspace: '', state: 'cleared', due_at: 1_000 + 3_600_000, items: '[]', results: '' }
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { id: 'bat_0', ...ended },
        { id: 'bat_1', ...ended },
      ],
    )
  })
})
