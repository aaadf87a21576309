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
    await db.settled()
    await ledger.setAllowance(workspace, { monthly: 7 })
    assert.equal((await ledger.allowance(workspace)).monthly, 7)
    db.prepare('PRAGMA max_page_count = 1').get()
    const insert = db.prepare('INSERT INTO content_parts (parts, number, bytes) VALUES (1, 0, ?)')
    assert.throws(() => db.write(() => insert.run(Buffer.alloc(4_000_000))), { code: 'unavailable' })
    await nextIteration()
    assert.equal((await ledger.allowance(workspace)).monthly, 5)
  })
})
