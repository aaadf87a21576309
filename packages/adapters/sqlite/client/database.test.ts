import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { openDatabase, type SqliteDatabase } from './database.ts'

const unavailable = { code: 'unavailable', retryAfterMs: 1_000 }

/** Text that is too long for a database without free pages. */
const large = 'x'.repeat(1_000_000)

describe('SQLite database', () => {
  let folder = ''
  let path = ''
  let db: SqliteDatabase
  let fatal: unknown[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-'))
    path = join(folder, 'postrider.db')
    fatal = []
    db = openDatabase({ path, onFatal: (reason) => fatal.push(reason) })
  })
  afterEach(async () => {
    await db[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const insert = (text: string): void => {
    db.prepare(
      "INSERT INTO audit_log (id, workspace, at, actor, action, target, detail) VALUES (?, ?, 0, '', '', '', '')",
    ).run(newId('aud'), text)
  }
  const textsOf = (file: Pick<DatabaseSync, 'prepare'>): string[] =>
    file
      .prepare('SELECT workspace FROM audit_log ORDER BY seq')
      .all()
      .map((row) => String(row['workspace']))
  const onDisk = (): string[] => {
    using reader = new DatabaseSync(path, { readOnly: true })
    return textsOf(reader)
  }
  const maxPages = (pages: number): void => void db.prepare(`PRAGMA max_page_count = ${pages}`).get()
  const fillDisk = (): void => maxPages(Number(db.prepare('PRAGMA page_count').get()?.['page_count']))

  it('shows the writes of an event loop iteration immediately and commits them together', async () => {
    db.writeOne(() => insert('a'))
    db.write(() => insert('b'))
    assert.deepEqual(textsOf(db), ['a', 'b'])
    assert.deepEqual(onDisk(), [])
    await db.synced()
    assert.deepEqual(onDisk(), ['a', 'b'])
  })

  it('undoes only the write that throws', async () => {
    db.write(() => insert('a'))
    assert.throws(
      () =>
        db.write(() => {
          insert('b')
          throw new Fault('conflict', 'No.')
        }),
      { code: 'conflict' },
    )
    assert.throws(() => db.writeOne(() => db.prepare('INSERT INTO audit_log (seq) VALUES (1)').run()), /constraint/)
    db.write(() => {
      insert('c')
      assert.throws(() =>
        db.write(() => {
          insert('d')
          throw new Error('inner')
        }),
      )
    })
    await db.synced()
    assert.deepEqual(onDisk(), ['a', 'c'])
  })

  it('refuses all callers that wrote in an event loop iteration whose commit failed, before and after it ended', async () => {
    fillDisk()
    db.writeOne(() => insert('early'))
    const waiting = db.synced()
    assert.throws(() => {
      db.write(() => insert(large))
      db.prepare('PRAGMA cache_spill = 1').get()
    }, unavailable)
    await assert.rejects(waiting, unavailable)
    await assert.rejects(db.synced(), unavailable)
    assert.throws(() => db.writeOne(() => insert('late')), unavailable)
    assert.deepEqual(textsOf(db), [], 'reads work')
    await nextIteration()
    maxPages(1_000_000)
    db.writeOne(() => insert('after'))
    await db.synced()
    assert.deepEqual(onDisk(), ['after'])
    assert.deepEqual(fatal, [])
  })

  it('calls listeners after a failed commit and throws nothing when no caller awaits it', async () => {
    let calls = 0
    const stop = db.onFailedCommit(() => {
      calls += 1
    })
    fillDisk()
    assert.throws(() => db.write(() => insert(large)), unavailable)
    await nextIteration()
    stop()
    assert.throws(() => db.write(() => insert(large)), unavailable)
    await nextIteration()
    assert.equal(calls, 1)
  })

  it('reports a corrupt file once and refuses everything from then on', async () => {
    for (let count = 0; count < 50; count++) db.writeOne(() => insert(large.slice(0, 50_000)))
    await db[Symbol.asyncDispose]()
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(400_000, 7), 0, 400_000, 1_000_000)
    closeSync(file)
    db = openDatabase({ path, onFatal: (reason) => fatal.push(reason) })
    const readAll = () => db.read(() => textsOf(db))
    assert.throws(readAll, unavailable)
    assert.equal(fatal.length, 1)
    assert.match(String(fatal[0]), /malformed|corrupt/)
    assert.throws(() => db.write(() => insert('a')), unavailable)
    await assert.rejects(db.synced(), unavailable)
    assert.throws(readAll, unavailable)
    assert.equal(fatal.length, 1)
  })

  it('refuses a write while another process writes, and loses none', async () => {
    db.prepare('PRAGMA busy_timeout = 0').get()
    using other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    assert.throws(() => db.writeOne(() => insert('a')), unavailable)
    other.exec('ROLLBACK')
    db.writeOne(() => insert('b'))
    await db.synced()
    assert.deepEqual(onDisk(), ['b'])
  })

  // The thread of checkpoints started for them, which cost each first start 0.1 s of CPU.
  it('copies what migrations wrote when it opens the file, so a write right after it starts no thread', () => {
    const log = () => db.prepare('PRAGMA wal_checkpoint(NOOP)').get()
    assert.ok(Number(log()?.['log']) > 100)
    assert.equal(log()?.['checkpointed'], log()?.['log'])
    insert('short')
    db.emptyLog(false)
    assert.equal(log()?.['log'], 0)
  })

  it('copies the write-ahead log to the file before it grows past its limit', async () => {
    for (let round = 0; round < 30; round++) {
      db.writeOne(() => insert(large))
      await db.synced()
      await nextIteration()
    }
    const size = Number(db.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.['log'])
    assert.ok(size < 8_000, `${size} pages`)
  })

  it('refuses writes after close and keeps those before', async () => {
    db.writeOne(() => insert('a'))
    await db[Symbol.asyncDispose]()
    assert.throws(() => db.writeOne(() => insert('b')), unavailable)
    assert.deepEqual(onDisk(), ['a'])
    db = openDatabase({ path, onFatal: (reason) => fatal.push(reason) })
  })

  it('refuses a schema of a newer version and names both versions', async () => {
    await db[Symbol.asyncDispose]()
    const file = new DatabaseSync(path)
    const known = Number(file.prepare('PRAGMA user_version').get()?.['user_version'])
    file.exec('PRAGMA user_version = 999')
    const open = () => openDatabase({ path, onFatal: () => {} })
    assert.throws(open, new RegExp(`schema 999, and this Postrider supports schemas up to ${known}`))
    file.exec(`PRAGMA user_version = ${known}`)
    file.close()
    db = open()
  })
})
