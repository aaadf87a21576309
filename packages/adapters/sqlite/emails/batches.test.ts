import assert from 'node:assert/strict'
import type { EmailBatches } from '@postrider/ports/emailBatches.ts'
import { email } from '@postrider/ports/emailsFixtures.conformance.ts'
import { sqliteForTests } from '../../../../test/contract/sqlite.ts'
import { type DyingProcess, dyingProcess, dyingSqlite } from '../../../../test/support/crashingStores.ts'
import { maxRemovedParts, removeUnusedParts } from './contentParts.ts'
import { sqliteEmails } from './emails.ts'

const count = 50
const given = { results: 'results', now: 1_000 }
const head = (number = 0) => ({ id: `bat_${number}`, workspace: 'ws_1', at: 1_000, until: 31_000 })
const content = (html: string) => ({ html, text: null, headers: { 'X-A': 'a' }, attachments: [] })

/** Returns emails of a batch. */
const someEmails = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index
    const one = email({ id: `em_${number}` })
    const item = { number, id: one.id, sends: 1, kind: 'due' as const, bytes: 1 }
    return { email: one, content: content(`<p>${number}</p>`), item }
  })

describe('batches in SQLite', () => {
  const open = sqliteForTests()

  // One transaction moved all emails, up to 10 MB, while no other request was served.
  it('moves the staged emails of an accepted batch in steps, and continues after a crash between two of them', async () => {
    let crashes = 0
    for (let write = 0, isDead = true; isDead; write++) {
      const { db } = open()
      const alive = sqliteEmails(db)
      await alive.stageBatch(head(), someEmails(0, count))
      const process: DyingProcess = dyingProcess({ write, isAfter: false })
      const dying = sqliteEmails(dyingSqlite(db, process))
      const accepted = await dying.acceptBatch(head(), someEmails(count, count + 1), given).catch(() => 'died')
      isDead = process.isDead()
      const isAccepted = (await alive.batch('bat_0'))?.state === 'accepted'
      if (isDead) crashes += 1
      else assert.equal(accepted, 'accepted')
      // What the start of a process does.
      await alive.voidOpenBatches()
      removeUnusedParts(db)
      await alive.sweepBatches(1_000, 10)
      assert.equal(await alive.voidBatch('bat_0', 2_000), !isAccepted)
      for (const { email: one, content: wanted } of someEmails(0, count + 1)) {
        assert.equal((await alive.get(one.id)) !== null, isAccepted, `${one.id} after a crash at write ${write}`)
        if (isAccepted) assert.equal((await alive.content(one.id))?.html, wanted.html)
      }
      const staged = db.prepare('SELECT count(*) AS count FROM batch_emails').get()
      assert.equal(staged?.['count'], 0)
    }
    assert.ok(crashes > 3, `${crashes} crashes`)
  })

  // Regression: each part was removed in a commit of its own, one after the other, while the refused client waited.
  it('removes the emails of a refused batch in few writes', async () => {
    const { db } = open()
    let writes = 0
    const counted = <Rest extends unknown[], Result>(write: (...rest: Rest) => Result) =>
      ((...rest: Rest) => {
        writes += 1
        return write(...rest)
      }) as typeof write
    const emails = sqliteEmails({
      ...db,
      write: counted(db.write),
      writeOne: counted(db.writeOne) as typeof db.writeOne,
    })
    await emails.stageBatch(head(), someEmails(0, count))
    writes = 0
    assert.equal(await emails.discardBatch('bat_0', 2_000), true)
    assert.ok(writes <= 6, `${writes} writes`)
    for (const table of ['batch_emails', 'content_parts'])
      assert.equal(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'], 0)
  })

  it('completes a batch whose first request ended between two steps, when its key is used again', async () => {
    const { db } = open()
    const alive = sqliteEmails(db)
    await alive.stageBatch(head(), someEmails(0, count))
    const dying = sqliteEmails(dyingSqlite(db, dyingProcess({ write: 2, isAfter: false })))
    await assert.rejects(dying.acceptBatch(head(), [], given))
    assert.equal(await alive.get(`em_${count - 1}`), null)
    await alive.changeResults('ws_1', { after: '', limit: 1 }, function* () {
      yield
      return 'changed'
    })
    const completed = await alive.completeBatch('bat_0', 2_000)
    assert.deepEqual([completed?.items.length, completed?.results], [count, 'changed'])
    for (let number = 0; number < count; number++) assert.notEqual(await alive.get(`em_${number}`), null)
  })

  it('accepts what an earlier release staged, and forgets what it accepted', async () => {
    const { db } = open()
    const alive: EmailBatches = sqliteEmails(db)
    await alive.stageBatch(head(), someEmails(0, 2))
    const rows = db.prepare('SELECT state, items FROM batches').all()
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['open'],
    )
    assert.equal(await alive.acceptBatch(head(), [], given), 'accepted')
    const ended = db.prepare('SELECT state, due_at FROM batches').get()
    assert.equal(ended?.['state'], 'accepted', 'the name of the state in which nothing is left to do')
    assert.equal(await alive.sweepBatches(Number(ended?.['due_at']), 10), 1)
    assert.equal(await alive.batch('bat_0'), null)
    assert.notEqual(await sqliteEmails(db).get('em_0'), null)
  })

  // One transaction removed all of them.
  it('removes the staged emails of an abandoned batch in steps, and continues after a crash', async () => {
    const { db } = open()
    const alive = sqliteEmails(db)
    await alive.stageBatch(head(), someEmails(0, count))
    const left = (table: string) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']
    const dying = sqliteEmails(dyingSqlite(db, dyingProcess({ write: 0, isAfter: true })))
    await assert.rejects(dying.sweepBatches(31_000, 10))
    assert.equal((await alive.batch('bat_0'))?.state, 'void')
    // Each email has one part. The row of the last one is removed when no part of it is found.
    assert.deepEqual(
      [left('batch_emails'), left('content_parts')],
      [count - maxRemovedParts + 1, count - maxRemovedParts],
    )
    await alive.sweepBatches(31_000, 10)
    assert.deepEqual([left('batch_emails'), left('content_parts')], [0, 0])
  })
})
