import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { until } from '../../../../test/support/until.ts'
import { type Checkpoints, type CheckpointsOptions, openCheckpoints } from './checkpoints.ts'
import { startCheckpointThread } from './checkpointThread.ts'
import { busyTimeoutMs, openFile } from './openFile.ts'

/** Text that occupies about 270 pages. */
const large = 'x'.repeat(1_100_000)

/** Pages in the log from which commits are delayed (`maxPages`). */
const delayedFromPages = 7_000

/** A clock that does not run: the thread is never late. */
const never = () => ({ [Symbol.dispose]: () => {} })

/** A thread that runs `source`. */
const threadOf = (source: string) => () => new Worker(source, { eval: true })

const failing = (errcode: number) =>
  threadOf(`const { parentPort } = require('node:worker_threads')
    parentPort.on('message', (request) => request === 'close' ? parentPort.close() :
      parentPort.postMessage({ error: { message: 'disk', errcode: ${errcode} } }))`)

describe('checkpoints', () => {
  let folder = ''
  let path = ''
  let file: DatabaseSync
  let checkpoints: Checkpoints | null = null
  let fatal: unknown[] = []
  let copies = 0
  let waits: unknown[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-checkpoints-'))
    path = join(folder, 'a.db')
    file = openFile(path)
    file.exec('CREATE TABLE a (b TEXT)')
    fatal = []
    copies = 0
    waits = []
  })
  afterEach(async () => {
    await checkpoints?.[Symbol.asyncDispose]()
    file.close()
    rmSync(folder, { recursive: true })
  })

  const waitMs = () => file.prepare('PRAGMA busy_timeout').get()?.['timeout']
  /** Counts the checkpoints of this thread, and notes how long those that empty the log would wait. */
  const prepare = (sql: string): StatementSync => {
    const statement = file.prepare(sql)
    const get = statement.get.bind(statement)
    const counted = () => {
      if (sql.includes('PASSIVE')) copies += 1
      if (sql.includes('TRUNCATE')) waits.push(waitMs())
      return get()
    }
    return Object.assign(statement, { get: counted })
  }
  const open = (
    startThread: CheckpointsOptions['startThread'],
    options: Pick<CheckpointsOptions, 'after'> = {},
  ): Checkpoints => {
    const die = (reason: unknown) => fatal.push(reason)
    checkpoints = openCheckpoints({ path, file, prepare, die, startThread, onRoom: () => {}, ...options })
    return checkpoints
  }
  const write = (text: string): void => {
    file.prepare('INSERT INTO a VALUES (?)').run(text)
    checkpoints?.afterCommit()
  }
  const logPages = (): number => Number(file.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.['log'])

  // A hold ends after a second, so on a busy machine, with a slow thread, each second added a commit to the log.
  it('keep the log short while every event loop iteration with room writes', async () => {
    const { hasRoom } = open(startCheckpointThread, { after: never })
    write(large)
    const commit = logPages()
    // A commit may begin below the length at which commits are delayed, and one more follows the last copy.
    const limit = delayedFromPages + 2 * commit
    let longest = 0
    for (let round = 1; round < 150; await nextIteration()) {
      if (!hasRoom()) continue
      round += 1
      write(large)
      longest = Math.max(longest, logPages())
    }
    assert.ok(longest < limit, `${longest} pages, the limit is ${limit}`)
    assert.deepEqual(fatal, [])
    assert.equal(Number(file.prepare('SELECT count(*) AS count FROM a').get()?.['count']), 150)
  })

  it('run in the worker thread, and the main thread copies only the remainder, so that the log restarts', async () => {
    open(startCheckpointThread)
    while (logPages() < 4_100) write(large)
    assert.equal(copies, 0)
    const restarts = () => {
      write('short')
      return logPages() < 100 ? true : undefined
    }
    await until('the log restarts', restarts)
    assert.equal(copies, 1)
  })

  it('wait for the end of an open transaction', async () => {
    open(startCheckpointThread)
    while (logPages() < 4_100) write(large)
    file.exec('BEGIN IMMEDIATE')
    using reader = new DatabaseSync(path)
    const isCopied = () => {
      const row = reader.prepare('PRAGMA wal_checkpoint(NOOP)').get()
      return row?.['checkpointed'] === row?.['log'] ? true : undefined
    }
    await until('the thread has copied the log', isCopied)
    for (let count = 0; count < 50; count++) await nextIteration()
    file.exec('COMMIT')
    const restarts = () => {
      write('short')
      return logPages() < 100 ? true : undefined
    }
    await until('the log restarts', restarts)
    assert.deepEqual(fatal, [])
  })

  it('run in the main thread if no other connection can open the file', () => {
    open(null)
    for (let round = 0; round < 20; round++) write(large)
    assert.ok(copies > 0)
    assert.ok(logPages() < 4_400)
  })

  const logBytes = (): number => statSync(`${path}-wal`).size
  /** Ends when the file of the log is empty, with what `work` does in each iteration. */
  const emptied = (work = () => {}) =>
    until(
      'the file of the log is empty',
      () => {
        work()
        return logBytes() === 0 ? true : undefined
      },
      60_000,
    )

  it('empty the file of a short log immediately, also the one of an earlier process', () => {
    write('short')
    open(startCheckpointThread).empty(false)
    assert.equal(logBytes(), 0)
    write('short')
    checkpoints?.empty(false)
    assert.ok(logBytes() > 0, 'nothing was written')
    checkpoints?.empty(true)
    assert.equal(logBytes(), 0)
    assert.equal(copies, 0)
  })

  // The request was dropped while the thread copied the log, and removed mail stayed in it.
  it('empty the file of a log that the thread is copying', async () => {
    open(startCheckpointThread)
    while (logPages() < 4_100) write(large)
    checkpoints?.empty(true)
    assert.ok(logBytes() > 0)
    await emptied()
    assert.deepEqual(fatal, [])
  })

  it('empty the file of a log during a transaction when it ends', async () => {
    open(startCheckpointThread)
    file.exec('BEGIN IMMEDIATE')
    checkpoints?.empty(true)
    file.prepare('INSERT INTO a VALUES (?)').run(large)
    file.exec('COMMIT')
    checkpoints?.afterCommit()
    await emptied()
  })

  // SQLite waited for the reader for two seconds, and every request with it.
  it('do not wait for a reader of the log, and empty its file at a call after it has ended', async () => {
    open(startCheckpointThread)
    write('short')
    const reader = new DatabaseSync(path)
    reader.exec('BEGIN')
    reader.prepare('SELECT * FROM a').all()
    write('after the reader began')
    checkpoints?.empty(true)
    assert.ok(logBytes() > 0)
    assert.deepEqual([waits, waitMs()], [[0], busyTimeoutMs])
    reader.close()
    write('no attempt before the next call')
    assert.ok(logBytes() > 0)
    checkpoints?.empty(false)
    assert.equal(logBytes(), 0)
  })

  for (const [name, source] of [
    ['ends immediately', 'process.exit(1)'],
    ['throws', "throw new Error('no')"],
    ['ends at the first request', "require('node:worker_threads').parentPort.once('message', () => process.exit(1))"],
  ] as const) {
    it(`run in the main thread when the worker thread ${name}`, async () => {
      open(threadOf(source))
      const copied = () => {
        if (logPages() < 5_000) write(large)
        else checkpoints?.afterCommit()
        return copies > 0 ? true : undefined
      }
      await until('this thread copies the log', copied)
      assert.deepEqual(fatal, [])
    })
  }

  // Regression: this thread copied the log of up to 7,000 pages: 70 ms.
  it('run in another thread when one or two have ended, and this thread copies only the remainder', async () => {
    const ending = threadOf("require('node:worker_threads').parentPort.once('message', () => process.exit(1))")
    let started = 0
    open((data) => (++started < 3 ? ending() : startCheckpointThread(data)), { after: never })
    while (logPages() < 4_100) write(large)
    const restarts = () => {
      // A commit after each end of a thread starts the next one.
      write('short')
      return logPages() < 100 ? true : undefined
    }
    await until('the log restarts', restarts)
    assert.deepEqual([started, copies, fatal], [3, 1, []])
  })

  it('report a failed fsync of the thread, and no full disk', async () => {
    const [failedSync, full] = [1034, 13]
    open(failing(full))
    while (logPages() < 4_100) write(large)
    for (let count = 0; count < 50; count++) await nextIteration()
    await checkpoints?.[Symbol.asyncDispose]()
    assert.deepEqual(fatal, [])
    open(failing(failedSync))
    checkpoints?.afterCommit()
    await until('the failure is reported', () => (fatal.length > 0 ? true : undefined))
    const [reason] = fatal as { errcode?: number }[]
    assert.equal(reason?.errcode, failedSync)
  })
})
