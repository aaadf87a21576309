import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { fakeCheckpointThread } from '../../../../test/support/fakeCheckpointThread.ts'
import { type Checkpoints, type CheckpointsOptions, openCheckpoints } from './checkpoints.ts'
import { startCheckpointThread } from './checkpointThread.ts'
import { type GroupCommit, groupCommit } from './groupCommit.ts'
import { openFile } from './openFile.ts'

/** Text that occupies about 250 pages. */
const large = 'x'.repeat(1_000_000)

describe('commits while the write-ahead log is too long', () => {
  let folder = ''
  let path = ''
  let file: DatabaseSync
  let reader: DatabaseSync
  let group: GroupCommit
  let checkpoints: Checkpoints
  let fatal: unknown[] = []
  /** Pages that this thread copied, in each of its copies. */
  let ownCopies: number[] = []

  const logState = () => {
    const row = reader.prepare('PRAGMA wal_checkpoint(NOOP)').get()
    return { pages: Number(row?.['log']), rest: Number(row?.['log']) - Number(row?.['checkpointed']) }
  }
  const prepare = (sql: string): StatementSync => {
    const statement = file.prepare(sql)
    if (!sql.includes('PASSIVE')) return statement
    const get = statement.get.bind(statement)
    return Object.assign(statement, { get: () => [ownCopies.push(logState().rest), get()][1] })
  }
  const open = (startThread: CheckpointsOptions['startThread'], after?: CheckpointsOptions['after']): void => {
    const die = (reason: unknown): void => void fatal.push(reason)
    group = groupCommit({
      file,
      prepare,
      onFatal: die,
      onFailure: () => {},
      isDiskFull: () => false,
      afterCommit: () => checkpoints.afterCommit(),
      hasRoom: () => checkpoints.hasRoom(),
    })
    const onRoom = group.commitSoon
    checkpoints = openCheckpoints({ path, file, prepare, die, startThread, onRoom, ...(after && { after }) })
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-delayed-'))
    path = join(folder, 'a.db')
    file = openFile(path)
    file.exec('PRAGMA synchronous = OFF; CREATE TABLE a (b TEXT)')
    reader = new DatabaseSync(path)
    fatal = []
    ownCopies = []
  })
  afterEach(async () => {
    group.flush()
    await checkpoints[Symbol.asyncDispose]()
    for (const one of [reader, file]) one.close()
    rmSync(folder, { recursive: true })
    assert.deepEqual(fatal, [])
  })

  const write = (text: string): Promise<void> => {
    group.join()
    file.prepare('INSERT INTO a VALUES (?)').run(text)
    return group.synced()
  }
  const shortTexts = (from: DatabaseSync): string[] =>
    from
      .prepare('SELECT b FROM a WHERE length(b) < 10')
      .all()
      .map(({ b }) => String(b))
  const iterations = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number++) await nextIteration()
  }

  const fillLog = async (): Promise<void> => {
    while (checkpoints.hasRoom()) await write(large)
  }
  /** Writes `text`, which is not committed. @returns `synced` of the write, and whether it has ended */
  const writeDelayed = async (text: string) => {
    const delayed = { isSettled: false, synced: write(text) }
    const end = (): void => {
      delayed.isSettled = true
    }
    delayed.synced.then(end, end)
    await iterations(20)
    assert.equal(delayed.isSettled, false)
    return delayed
  }

  // The process waited for the thread, and then copied the log itself.
  it('wait until the thread has copied the log; iterations, reads and writes continue', async () => {
    const thread = fakeCheckpointThread(reader)
    open(thread.start)
    await fillLog()
    const first = await writeDelayed('first')
    const second = await writeDelayed('second')
    assert.deepEqual(shortTexts(file), ['first', 'second'])
    assert.deepEqual(shortTexts(reader), [])
    thread.copy()
    thread.report()
    await Promise.all([first.synced, second.synced])
    assert.deepEqual(shortTexts(reader), ['first', 'second'])
    assert.equal(ownCopies.length, 1)
    assert.ok(Number(ownCopies[0]) < 20, `${ownCopies[0]} pages`)
    await write('third')
    assert.ok(logState().pages < 20, 'the log has restarted')
    assert.deepEqual(thread.requests, ['checkpoint'])
  })

  it('wait for another copy if most of the log was written after the copy began', async () => {
    const thread = fakeCheckpointThread(reader)
    open(thread.start)
    while (thread.requests.length === 0) await write(large)
    thread.copy()
    await fillLog()
    const { synced } = await writeDelayed('delayed')
    thread.report()
    await iterations(20)
    assert.deepEqual([shortTexts(reader), thread.requests], [[], ['checkpoint', 'checkpoint']])
    thread.copy()
    thread.report()
    await synced
    assert.ok(Number(ownCopies[0]) < 20, `${ownCopies[0]} pages`)
  })

  const ends: Record<string, (thread: ReturnType<typeof fakeCheckpointThread>) => void> = {
    'the thread ends': (thread) => thread.end(),
    'the thread finds a full disk': (thread) =>
      thread.report({ error: { message: 'full', errcode: 13 }, isComplete: false }),
    'a reader prevents two copies': (thread) => {
      thread.report({ isComplete: false })
      thread.report({ isComplete: false })
    },
    'the database closes': () => group.flush(),
  }
  for (const [name, end] of Object.entries(ends))
    it(`no longer wait when ${name}`, async () => {
      const thread = fakeCheckpointThread(reader)
      open(thread.start)
      await fillLog()
      const { synced } = await writeDelayed('delayed')
      end(thread)
      await synced
      assert.deepEqual(shortTexts(reader), ['delayed'])
    })

  it('do not wait for a thread that is late', async () => {
    const thread = fakeCheckpointThread(reader)
    const late: (() => void)[] = []
    open(thread.start, (_ms, fire) => {
      late.push(fire)
      return { [Symbol.dispose]: () => {} }
    })
    await fillLog()
    for (const text of ['first', 'second']) {
      const { synced } = await writeDelayed(text)
      late.at(-1)?.()
      await synced
    }
    assert.deepEqual(shortTexts(reader), ['first', 'second'])
    assert.deepEqual(ownCopies, [])
  })

  it('do not wait while a reader prevents copies, and wait again after it has ended', async () => {
    const thread = fakeCheckpointThread(reader)
    open(thread.start)
    await fillLog()
    thread.report({ isComplete: false })
    for (let copies = 2; copies < 5; ) {
      await write('short')
      if (thread.requests.length < copies) continue
      thread.report({ isComplete: false })
      copies += 1
    }
    while (thread.requests.length < 5) await write('short')
    thread.copy()
    thread.report()
    await write('restarts')
    await write('restarted')
    assert.ok(logState().pages < 20)
    await fillLog()
  })

  it('reject all writes of a delayed transaction that fails', async () => {
    const thread = fakeCheckpointThread(reader)
    open(thread.start)
    await fillLog()
    let isFailing = true
    group.beforeCommit(() => {
      if (isFailing) throw new Error('no')
    })
    const lost = [await writeDelayed('first'), await writeDelayed('second')]
    thread.copy()
    thread.report()
    for (const { synced } of lost) await assert.rejects(synced, { code: 'unavailable' })
    assert.deepEqual(shortTexts(file), [])
    isFailing = false
    await write('third')
    assert.deepEqual(shortTexts(reader), ['third'])
  })

  it('end the delayed transaction in the iteration in which a write fails', async () => {
    const thread = fakeCheckpointThread(reader)
    open(thread.start)
    await fillLog()
    const { synced } = await writeDelayed('first')
    const refused = group.fail(new Error('no'))
    assert.throws(() => group.join(), { code: refused.code })
    await assert.rejects(synced, { code: 'unavailable' })
    await nextIteration()
    const next = await writeDelayed('next')
    thread.end()
    await next.synced
    assert.deepEqual(shortTexts(reader), ['next'])
  })

  it('do not wait when the writes of several iterations have become long', async () => {
    const thread = fakeCheckpointThread(reader)
    open(thread.start)
    await fillLog()
    const { pages } = logState()
    for (let count = 0; count < 8; count++) {
      write(large)
      await nextIteration()
    }
    const grown = logState().pages - pages
    assert.ok(grown >= 1_000 && grown < 2_500, `${grown} pages`)
    while (checkpoints.hasRoom() || logState().pages < 28_000) await Promise.race([write(large), nextIteration()])
    const { pages: maximum } = logState()
    for (let count = 0; count < 8; count++) {
      write(large)
      await nextIteration()
    }
    assert.equal(logState().pages, maximum)
  })

  // Copying thousands of pages blocked the event loop for up to 300 ms.
  it('leave at most what two commits wrote to this thread during a burst of long writes', async () => {
    open(startCheckpointThread)
    let longest = 0
    const writer = async (): Promise<void> => {
      for (let count = 0; count < 300; count++) {
        await write(large.slice(0, 200_000))
        longest = Math.max(longest, logState().pages)
      }
    }
    await Promise.all([writer(), writer(), writer(), writer()])
    assert.ok(ownCopies.length > 0)
    assert.ok(Math.max(...ownCopies) < 1_300, `${Math.max(...ownCopies)} pages`)
    assert.ok(longest < 28_800, `${longest} pages`)
  })
})
