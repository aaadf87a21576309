import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { newAllowance } from '@postrider/domain/quota/plans.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { sqliteLedger } from './ledger.ts'

const workspace = 'ws_01m7yr6cabfzvahf8pz72f0kb4'

describe('allowances in memory', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
  })

  it('allowances in memory change with each write', async () => {
    const ledger = sqliteLedger(db)
    assert.deepEqual(await ledger.allowance(workspace), newAllowance)
    await ledger.setAllowance(workspace, { monthly: 5 })
    assert.equal((await ledger.allowance(workspace)).monthly, 5)
    await ledger.setAllowance(workspace, { daily: null })
    assert.deepEqual(await ledger.allowance(workspace), { ...newAllowance, monthly: 5, daily: null })
    await ledger.deleteAllowance(workspace)
    assert.deepEqual(await ledger.allowance(workspace), newAllowance)
  })

  it('are read again after a commit that failed', async () => {
    const ledger = sqliteLedger(db)
    await ledger.setAllowance(workspace, { monthly: 5 })
    await db.synced()
    await ledger.setAllowance(workspace, { monthly: 7 })
    assert.equal((await ledger.allowance(workspace)).monthly, 7)
    db.prepare('PRAGMA max_page_count = 1').get()
    const insert = db.prepare('INSERT INTO content_parts (parts, number, bytes) VALUES (1, 0, ?)')
    assert.throws(() => db.write(() => insert.run(Buffer.alloc(4_000_000))), { code: 'unavailable' })
    await nextIteration()
    assert.equal((await ledger.allowance(workspace)).monthly, 5)
  })
})

describe('sends of the open transaction', () => {
  const at = Date.UTC(2026, 2, 31, 23)
  const send = (id: string, count = 1) => ({ workspace, id, count, at })
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
  })
  const rows = (table: string) =>
    db
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => ({ ...row }))
  const failCommit = async (): Promise<void> => {
    db.prepare('PRAGMA max_page_count = 1').get()
    const insert = db.prepare('INSERT INTO content_parts (parts, number, bytes) VALUES (1, 0, ?)')
    assert.throws(() => db.write(() => insert.run(Buffer.alloc(4_000_000))), { code: 'unavailable' })
    await nextIteration()
    db.prepare('PRAGMA max_page_count = 1000000').get()
  }

  it('are in the totals once, with the sends of earlier transactions', async () => {
    const ledger = sqliteLedger(db)
    for (const id of ['em_1', 'em_2']) await ledger.reserve(send(id, 2))
    await db.synced()
    await ledger.reserve(send('em_3'))
    await ledger.release({ workspace, id: 'em_1', recipients: [0], at })
    const reserved = await ledger.reserve(send('em_4'))
    assert.ok(reserved.kind === 'reserved')
    assert.deepEqual([reserved.standing.monthly.used, reserved.standing.daily.used], [5, 5])
    const { monthly, history } = await ledger.usage(workspace, at)
    assert.equal(monthly.used, 5)
    assert.deepEqual(history, [{ date: '2026-03-31', sends: 5 }])
    await db.synced()
    assert.deepEqual(rows('ledger_totals'), [
      { workspace, period: '2026-03', sends: 5 },
      { workspace, period: '2026-03-31', sends: 5 },
    ])
  })

  it('are forgotten after a commit that failed', async () => {
    const ledger = sqliteLedger(db)
    await ledger.reserve(send('em_1', 2))
    await db.synced()
    await ledger.reserve(send('em_2'))
    await failCommit()
    const reserved = await ledger.reserve(send('em_3'))
    assert.equal(reserved.kind === 'reserved' && reserved.standing.monthly.used, 3)
    await db.synced()
    assert.equal((await ledger.usage(workspace, at)).monthly.used, 3)
    assert.deepEqual(
      (await ledger.pending(at + 1, 10)).map(({ id }) => id),
      ['em_1', 'em_3'],
    )
  })

  it('are pending only if they are not committed', async () => {
    const ledger = sqliteLedger(db)
    await ledger.reserve(send('em_1'))
    await ledger.commit({ ...send('em_1'), token: 'em_1' })
    await ledger.reserve(send('em_2'))
    await db.synced()
    assert.deepEqual(rows('ledger_pending'), [{ id: 'em_2', at }])
    await ledger.commit({ ...send('em_2'), token: 'em_2' })
    assert.deepEqual(rows('ledger_pending'), [])
    assert.equal((await ledger.usage(workspace, at)).monthly.used, 2)
  })
})
