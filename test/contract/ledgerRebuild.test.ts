import assert from 'node:assert/strict'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { reserveFitting } from '@postrider/ports/ledger.conformance.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { countedMongoLedger, rebuild } from '../support/countedLedgers.ts'
import { inParallel } from '../support/inParallel.ts'
import { until } from '../support/until.ts'
import { mongoForTests } from './mongo.ts'

const at = Date.UTC(2026, 10, 21, 12)
const month = { workspace: 'ws_1', month: '2026-11' }

const send = async (ledger: Ledger, number: number): Promise<void> => {
  const entry = { workspace: 'ws_1', id: `em_${number}`, count: 1, at }
  const { token } = await reserveFitting(ledger, entry)
  await ledger.commit({ ...entry, token })
}

describe('ledger month with wrong numbers', () => {
  const open = mongoForTests(ledgerIndexes)

  it('is recounted when a number is smaller than the sends to take off it', async () => {
    const db = await open()
    const ledger = countedMongoLedger(db)
    for (const number of [1, 2, 3]) await send(ledger, number)
    await ledger.reserve({ workspace: 'ws_1', id: 'em_4', count: 4, at })
    await db.collection('ledger_months').updateOne({}, { $set: { used: 1 } })
    for (const entry of await ledger.pending(at + 1, 10)) assert(await ledger.settle(entry, false))
    const { monthly, daily } = await ledger.usage('ws_1', at)
    assert.deepEqual([monthly.used, daily.used], [3, 3])
  })

  it('is recounted while mail is sent', async () => {
    const db = await open()
    const ledger = countedMongoLedger(db)
    await ledger.setAllowance('ws_1', { daily: null })
    await send(ledger, 0)
    const spoil = () => db.collection('ledger_months').updateOne({}, { $inc: { used: 9, 'days.21': 9, rev: 1 } })
    const sends = inParallel(5, { from: 1, to: 51 }, (number) => send(ledger, number))
    await spoil()
    await Promise.all([sends, until('the month is recounted', async () => (await rebuild(db, month)) || undefined)])
    assert.equal((await ledger.usage('ws_1', at)).monthly.used, 51)
  })

  it('is recounted when its document was lost', async () => {
    const db = await open()
    const ledger = countedMongoLedger(db)
    for (const number of [1, 2, 3]) await send(ledger, number)
    const lose = () => db.collection('ledger_months').deleteMany({})
    await lose()
    await ledger.setAllowance('ws_1', { daily: 4 })
    await send(ledger, 4)
    assert.equal((await ledger.reserve({ workspace: 'ws_1', id: 'em_5', count: 1, at })).kind, 'refused')
    await lose()
    await ledger.release({ workspace: 'ws_1', id: 'em_1', recipients: [0], at })
    assert.equal((await ledger.usage('ws_1', at)).monthly.used, 3)
    assert.deepEqual(await ledger.recount('ws_1', '2026-11'), { used: 3, days: { '2026-11-21': 3 } })
  })
})
