import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { openNewDatabase } from '../../../../test/support/newDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { removeUnusedParts } from './contentParts.ts'
import { sqliteEmails } from './emails.ts'

const email = (id: string): Email =>
  ({
    id,
    workspace: 'ws_1',
    mode: 'live',
    category: 'transactional',
    createdAt: 0,
    scheduledAt: null,
    recipients: [{ name: '', address: 'a@example.com', kind: 'to', status: 'queued', nextAt: 0 }],
    owed: [],
    events: [],
  }) as unknown as Email

const mebibyte = 2 ** 20
const partBytes = 256 * 1_024
const file = (filename: string, bytes: number, value = 7) => ({
  filename,
  contentType: 'application/octet-stream',
  contentId: null,
  content: new Uint8Array(Buffer.alloc(bytes, value)),
})
const plain: Content = { html: null, text: 'Hi', headers: { 'X-A': 'b' }, attachments: [] }

const contents: [name: string, content: Content, parts: number][] = [
  ['short', plain, 0],
  ['as long as one row stores', { ...plain, text: null, attachments: [file('a', partBytes)] }, 0],
  ['one byte longer', { ...plain, text: '', attachments: [file('a', partBytes + 1)] }, 2],
  ['of exactly two parts', { ...plain, text: null, attachments: [file('a', 2 * partBytes)] }, 2],
  ['of one large file', { ...plain, attachments: [file('a', 7 * mebibyte)] }, 29],
  ['of many files', { ...plain, attachments: Array.from({ length: 50 }, (_, n) => file(`${n}`, n * 999, n)) }, 5],
  ['of empty files', { ...plain, text: 'x'.repeat(mebibyte), attachments: [file('a', 0), file('b', 0)] }, 4],
  ['of long texts', { ...plain, html: '<p>é€😀</p>'.repeat(99_000), text: 'é\n'.repeat(200_000) }, 9],
]

describe('content in parts', () => {
  let folder = ''
  let path = ''
  let db: SqliteDatabase

  const open = (): void => {
    const onFatal = (reason: unknown) => {
      throw reason
    }
    db = openNewDatabase({ path, onFatal })
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-parts-'))
    path = join(folder, 'postrider.db')
    open()
  })
  afterEach(async () => {
    await db[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const parts = (): number => Number(db.prepare('SELECT count(*) AS count FROM content_parts').get()?.['count'])

  for (const [name, content, count] of contents) {
    it(`is read as it was written: ${name}`, async () => {
      assert.equal(await sqliteEmails(db).insert(email('em_1'), content), 'inserted')
      await db.synced()
      assert.equal(parts(), count)
      const read = await sqliteEmails(db).content('em_1')
      assert.deepEqual(
        { ...read, attachments: read?.attachments.map((one) => ({ ...one, content: Buffer.from(one.content) })) },
        { ...content, attachments: content.attachments.map((one) => ({ ...one, content: Buffer.from(one.content) })) },
      )
    })
  }

  it('is durable before its email exists, and no commit writes more than one part', async () => {
    using reader = new DatabaseSync(path, { readOnly: true })
    const count = (table: string): number =>
      Number(reader.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
    const seen: string[] = []
    let isRunning = true
    const check = (): void => {
      const now = `${count('content_parts')} ${count('emails')}`
      if (now !== seen.at(-1)) seen.push(now)
      if (isRunning) setImmediate(check)
    }
    check()
    const emails = sqliteEmails(db)
    await Promise.all(
      ['em_1', 'em_2'].map((id) => emails.insert(email(id), { ...plain, attachments: [file('a', 5 * partBytes - 2)] })),
    )
    await db.synced()
    isRunning = false
    await nextIteration()
    assert.deepEqual(
      seen.map((one) => Number(one.split(' ')[0])),
      seen[0] === '0 0' ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...seen.slice(10).map(() => 10)] : [],
    )
    assert.equal(seen.at(-1), '10 2')
    assert.ok(!seen.some((one) => /^[0-8] [12]$/.test(one)), seen.join(', '))
  })

  // The parts of all workspaces waited in one queue, behind those of a workspace that sends many long messages.
  it('is written and read in the turns of its workspace', async () => {
    const emails = sqliteEmails(db)
    const long = { ...plain, attachments: [file('a', 2 * mebibyte)] }
    const short = { ...plain, attachments: [file('a', 2 * partBytes - 2)] }
    const others = Array.from({ length: 20 }, (_, number) => emails.insert(email(`em_${number}`), long))
    await emails.insert({ ...email('em_b'), workspace: 'ws_2' }, short)
    assert.ok(parts() <= 8, `${parts()} parts were written before two of another workspace`)
    await Promise.all(others)
    let read = 0
    const reads = others.map(async (_, number) => {
      await emails.content(`em_${number}`)
      read += 1
    })
    await emails.content('em_b')
    assert.ok(read <= 2, `${read} contents were read before one of another workspace`)
    await Promise.all(reads)
  })

  it('leaves no parts when the id is used already, or void', async () => {
    const emails = sqliteEmails(db)
    const long = { ...plain, attachments: [file('a', mebibyte)] }
    await emails.insert(email('em_1'), plain)
    await emails.tombstone('em_2')
    assert.equal(await emails.insert(email('em_1'), long), 'exists')
    assert.equal(await emails.insert(email('em_2'), long), 'void')
    assert.equal(parts(), 0)
    assert.equal((await emails.content('em_1'))?.attachments.length, 0)
  })

  it('stores nothing when a part cannot be written, and the next content removes the parts that were written', async () => {
    const emails = sqliteEmails(db)
    const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count'])
    db.prepare(`PRAGMA max_page_count = ${pages + 300}`).get()
    const long = { ...plain, attachments: [file('a', 3 * mebibyte)] }
    await assert.rejects(emails.insert(email('em_1'), long), { code: 'unavailable' })
    assert.ok(parts() > 0)
    assert.equal(await emails.get('em_1'), null)
    await nextIteration()
    db.prepare('PRAGMA max_page_count = 1000000').get()
    assert.equal(await emails.insert(email('em_1'), long), 'inserted')
    assert.equal(parts(), 13)
  })

  it('loses the parts of an email whose commit failed with the next content', async () => {
    const emails = sqliteEmails(db)
    const long = { ...plain, attachments: [file('a', mebibyte)] }
    assert.equal(await emails.insert(email('em_1'), long), 'inserted')
    const answer = assert.rejects(db.synced(), { code: 'unavailable' })
    db.prepare('PRAGMA max_page_count = 1').get()
    const tooLong = { ...email('em_2'), subject: 'x'.repeat(mebibyte) } as Email
    await assert.rejects(emails.insert(tooLong, plain), { code: 'unavailable' })
    await answer
    await nextIteration()
    db.prepare('PRAGMA max_page_count = 1000000').get()
    assert.equal(await emails.get('em_1'), null)
    assert.equal(await emails.insert(email('em_1'), long), 'inserted')
    assert.equal(parts(), 5)
    assert.equal((await emails.content('em_1'))?.attachments[0]?.content.length, mebibyte)
  })

  it('removes at the next start only the parts of an email that was never stored', async () => {
    const long = { ...plain, attachments: [file('a', mebibyte)] }
    await sqliteEmails(db).insert(email('em_1'), long)
    // A crash after two parts.
    for (const number of [0, 1]) {
      db.writeOne(() => db.prepare('INSERT INTO content_parts VALUES (1, ?, ?)').run(number, new Uint8Array(9)))
    }
    await db.synced()
    const all = parts()
    await db[Symbol.asyncDispose]()
    open()
    removeUnusedParts(db)
    await db.synced()
    assert.equal(parts(), all - 2)
    assert.equal((await sqliteEmails(db).content('em_1'))?.attachments[0]?.content.length, mebibyte)
  })

  it('is removed with its email', async () => {
    await sqliteEmails(db).insert(email('em_1'), { ...plain, attachments: [file('a', mebibyte)] })
    db.writeOne(() => db.prepare("DELETE FROM emails WHERE id = 'em_1'").run())
    assert.equal(parts(), 0)
  })
})
