import assert from 'node:assert/strict'
import { sqliteBilling } from '@postrider/adapters/sqlite/billing/billing.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { newId } from '@postrider/kit/ids.ts'
import { billingRig } from '../support/billingRig.ts'
import { sqliteForTests } from './sqlite.ts'

describe('billing of a deleted workspace', () => {
  const openFile = sqliteForTests()
  const open = () => {
    const { db } = openFile()
    const allowances = sqliteAllowances(db)
    const stores = { billing: sqliteBilling(db, allowances), ledger: sqliteLedger(db, allowances) }
    return { ...stores, rig: billingRig(stores, { start: Date.UTC(2028, 0, 1) }) }
  }

  it('ends with the month of the deletion, whose overage is on the last invoice', async () => {
    const { billing, ledger, rig } = open()
    const [gone, kept] = [newId('ws'), newId('ws')]
    for (const workspace of [gone, kept]) await rig.choose(workspace, 'pro')
    for (const workspace of [gone, kept]) {
      await ledger.adjust({ workspace, id: newId('adj'), sends: 52_500, at: rig.clock.at })
    }
    rig.deleted.add(gone)
    for (const month of [1, 2, 3, 4, 5, 6]) {
      rig.clock.at = Date.UTC(2028, month, 2)
      assert.equal(await rig.close(), true)
    }
    const totals = async (workspace: string) =>
      (await rig.invoices(workspace)).map(({ total_cents }) => usdText(total_cents))
    assert.deepEqual(await totals(gone), ['20.00', '3.00'])
    assert.deepEqual(await totals(kept), ['20.00', '23.00', '20.00', '20.00', '20.00', '20.00', '20.00'])
    assert.deepEqual(rig.errors, [])
    assert.deepEqual(await billing.due(Date.UTC(2030, 0), 10), [kept], 'nothing is due for the deleted one')
  })

  // Regression: a credit that nothing used up kept the workspace due at the end of each month.
  it('ends with a credit left, which is dropped when no charge can follow', async () => {
    const { billing, rig } = open()
    const gone = newId('ws')
    await rig.choose(gone, 'pro')
    const credit = {
      amount_cents: -500,
      reason: 'Outage',
      client_address: '',
      idempotency_key: '',
      fingerprint: Buffer.alloc(0),
    }
    await rig.quota.Adjust({ workspace: gone, ...credit })
    rig.deleted.add(gone)
    for (const month of [1, 2, 3, 4, 5, 6]) {
      rig.clock.at = Date.UTC(2028, month, 2)
      await rig.close()
    }
    assert.deepEqual(
      (await rig.invoices(gone)).map(({ total_cents }) => usdText(total_cents)),
      ['20.00'],
    )
    assert.deepEqual(await billing.due(Date.UTC(2030, 0), 10), [])
  })

  it('has no invoices for a workspace on Free', async () => {
    const { rig } = open()
    const gone = newId('ws')
    await rig.choose(gone, 'free')
    rig.deleted.add(gone)
    rig.clock.at = Date.UTC(2028, 3, 2)
    await rig.close()
    assert.deepEqual(await rig.invoices(gone), [])
  })

  it('never begins for a sign-up that failed: its plan is removed after a day, without an invoice', async () => {
    const { billing, ledger, rig } = open()
    const [failed, running] = [newId('ws'), newId('ws')]
    const hourMs = 3_600_000
    await ledger.setAllowance(failed, { plan: 'pro', since: rig.clock.at })
    await ledger.setAllowance(running, { plan: 'pro', since: rig.clock.at + 2 * hourMs })
    for (const workspace of [failed, running]) rig.deleted.add(workspace)
    rig.clock.at += 25 * hourMs
    assert.equal(await rig.close(), true)
    const plans = async () => [(await ledger.allowance(failed)).plan, (await ledger.allowance(running)).plan]
    assert.deepEqual(await plans(), ['free', 'pro'])
    rig.clock.at += 2 * hourMs
    await rig.close()
    assert.deepEqual(await plans(), ['free', 'free'])
    assert.deepEqual([await rig.invoices(failed), await rig.invoices(running)], [[], []])
    assert.deepEqual(await billing.due(Date.UTC(2030, 0), 10), [])
    assert.deepEqual(rig.errors, [])
  })
})
