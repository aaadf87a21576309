import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { openNewDatabase } from '../../../test/support/newDatabase.ts'
import type { SqliteDatabase } from './client/database.ts'
import { templateRemoval } from './templateRemoval.ts'
import { sqliteTemplates } from './templates.ts'

describe('removal of templates in SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-templates-'))
  let files = 0
  let db: SqliteDatabase
  beforeEach(() => {
    db = openNewDatabase({ path: join(folder, `${files++}.db`), onFatal: (reason) => assert.fail(String(reason)) })
  })
  afterEach(() => db[Symbol.asyncDispose]())
  after(() => rmSync(folder, { recursive: true }))

  const rows = (): number => Number(db.prepare('SELECT count(*) AS count FROM template_versions').get()?.['count'])

  /** Stores a template with this many versions. */
  const stored = async (id: string, versions: number): Promise<void> => {
    const templates = sqliteTemplates(db)
    const texts = { subject: 's', htmlBody: null, textBody: 'x', variables: [] }
    const first = { id, workspace: 'ws_1', name: id, ...texts, version: 1, createdAt: 1, updatedAt: 1 }
    await templates.insert(first, 10, anEntry())
    for (let version = 2; version <= versions; version++) await templates.update({ ...first, version }, anEntry())
  }

  // Regression: one statement removed 1,000 versions of up to 2 MiB.
  it('deletes few rows in an event loop iteration', async () => {
    await stored('tpl_1', 20)
    const all = rows()
    let isOver = false
    const removing = sqliteTemplates(db)
      .remove('ws_1', 'tpl_1', 20, anEntry())
      .finally(() => {
        isOver = true
      })
    const seen = [all]
    while (!isOver) {
      await nextIteration()
      seen.push(rows())
    }
    assert.equal(await removing, true)
    const removed = seen.slice(1).map((count, index) => (seen[index] ?? 0) - count)
    assert.deepEqual([Math.max(...removed), rows()], [2, 0])
  })

  it('takes the template out of its workspace immediately, and frees its name', async () => {
    await stored('tpl_1', 20)
    const templates = sqliteTemplates(db)
    const removing = templates.remove('ws_1', 'tpl_1', 20, anEntry())
    assert.equal(await templates.get('ws_1', 'tpl_1', 0), null)
    assert.deepEqual((await templates.list('ws_1', null, 10)).templates, [])
    await removing
    await stored('tpl_1', 1)
  })

  it('is completed after a crash, and leaves other templates', async () => {
    await stored('tpl_1', 3)
    await stored('tpl_2', 3)
    const { hide, forget } = templateRemoval(db)
    assert.equal(
      db.write(() => hide('ws_1', 'tpl_1', 2)),
      false,
      'another version is the newest',
    )
    assert.equal(
      db.write(() => hide('ws_1', 'tpl_1', 3)),
      true,
    )
    await forget()
    assert.equal((await sqliteTemplates(db).get('ws_1', 'tpl_2', 0))?.version, 3)
    assert.equal(rows(), 7)
    assert.equal(db.prepare('SELECT count(*) AS count FROM templates').get()?.['count'], 1)
  })
})
