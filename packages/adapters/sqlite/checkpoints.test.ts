import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { until } from '../../../test/support/until.ts'
import { type Checkpoints, type CheckpointsOptions, openCheckpoints, startCheckpointThread } from './checkpoints.ts'
import { openFile } from './openFile.ts'

/** About 270 pages. */
const large = 'x'.repeat(1_100_000)

/** A thread that behaves as `source` says. */
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

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-checkpoints-'))
    path = join(folder, 'a.db')
    file = openFile(path)
    file.exec('CREATE TABLE a (b TEXT)')
    fatal = []
    copies = 0
  })
  afterEach(async () => {
    await checkpoints?.[Symbol.asyncDispose]()
    file.close()
    rmSync(folder, { recursive: true })
  })

  /** Counts the checkpoints of this thread. */
  const prepare = (sql: string): StatementSync => {
    const statement = file.prepare(sql)
    if (!sql.includes('PASSIVE')) return statement
    const get = statement.get.bind(statement)
    const counted = () => {
      copies += 1
      return get()
    }
    return Object.assign(statement, { get: counted })
  }
  const open = (startThread: CheckpointsOptions['startThread']): Checkpoints => {
    checkpoints = openCheckpoints({ path, file, prepare, die: (reason) => fatal.push(reason), startThread })
    return checkpoints
  }
  const write = (text: string): void => {
    file.prepare('INSERT INTO a VALUES (?)').run(text)
    checkpoints?.afterCommit()
  }
  const logPages = (): number => Number(file.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.['log'])

  it('keep the log short while every turn writes', async function () {
    this.timeout(120_000)
    open(startCheckpointThread)
    let longest = 0
    for (let round = 0; round < 150; round++) {
      write(large)
      longest = Math.max(longest, logPages())
      await nextTurn()
    }
    assert.ok(longest < 7_600, `${longest} pages`)
    assert.deepEqual(fatal, [])
    assert.equal(Number(file.prepare('SELECT count(*) AS count FROM a').get()?.['count']), 150)
  })

  it('run in the thread, and this thread copies only the rest, so that the log restarts', async () => {
    open(startCheckpointThread)
    while (logPages() < 4_100) write(large)
    assert.equal(copies, 0)
    const restarts = () => {
      write('short')
      return logPages() < 100 ? true : undefined
    }
    await until('the log restarts', restarts, 60_000)
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
    await until('the thread has copied the log', isCopied, 60_000)
    for (let turn = 0; turn < 50; turn++) await nextTurn()
    file.exec('COMMIT')
    const restarts = () => {
      write('short')
      return logPages() < 100 ? true : undefined
    }
    await until('the log restarts', restarts, 60_000)
    assert.deepEqual(fatal, [])
  })

  it('run in this thread where no other connection can open the file', () => {
    open(null)
    for (let round = 0; round < 20; round++) write(large)
    assert.ok(copies > 0)
    assert.ok(logPages() < 4_400)
  })

  for (const [name, source] of [
    ['ends at once', 'process.exit(1)'],
    ['throws', "throw new Error('no')"],
    ['ends at the first request', "require('node:worker_threads').parentPort.once('message', () => process.exit(1))"],
  ] as const) {
    it(`run in this thread when the other one ${name}`, async () => {
      open(threadOf(source))
      const copied = () => {
        if (logPages() < 5_000) write(large)
        else checkpoints?.afterCommit()
        return copies > 0 ? true : undefined
      }
      await until('this thread copies the log', copied, 60_000)
      assert.deepEqual(fatal, [])
    })
  }

  it('report a failed fsync of the thread, and no full disk', async () => {
    const [failedSync, full] = [1034, 13]
    open(failing(full))
    while (logPages() < 4_100) write(large)
    for (let turn = 0; turn < 50; turn++) await nextTurn()
    await checkpoints?.[Symbol.asyncDispose]()
    assert.deepEqual(fatal, [])
    open(failing(failedSync))
    checkpoints?.afterCommit()
    await until('the failure is reported', () => (fatal.length > 0 ? true : undefined), 60_000)
    const [reason] = fatal as { errcode?: number }[]
    assert.equal(reason?.errcode, failedSync)
  })
})
