import assert from 'node:assert/strict'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { sweepPending } from '@postrider/adapters/mongo/events/pending.ts'
import { mongoWorkspaceEvents, workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import type { Ledger, ReserveOutcome } from '@postrider/ports/ledger.ts'
import { quotaEventsOf } from '@postrider/ports/quotaEvents.conformance.ts'
import { type Db, MongoNetworkError } from 'mongodb'
import { mongoForTests } from '../contract/mongo.ts'
import { atEveryWrite, losingDb } from './everyWrite.ts'
import { printedSeed, seeded, shortOrLong } from './random.ts'

const at = Date.UTC(2026, 10, 21, 12)
const limit = 10

describe('events of a quota', () => {
  const open = mongoForTests(ledgerIndexes, workspaceEventIndexes)

  const expectOneOfEach = async (db: Db, workspace: string): Promise<void> => {
    const events = await quotaEventsOf({ feed: mongoEventFeed(db) }, workspace)
    assert.deepEqual(events.map(({ type }) => type).toSorted(), ['quota.exhausted', 'quota.warning'])
  }

  it('are in the feed once each, at any write that a process dies at', async () => {
    const db = await open()
    const random = seeded(printedSeed())
    await atEveryWrite(['before', 'after', 'during'], async (point) => {
      const workspace = `ws_${point.loss}_${point.n}`
      const healthy = mongoLedger(db, () => at)
      await healthy.setAllowance(workspace, { monthly: limit, daily: null })
      const failure = () => new MongoNetworkError('the connection was lost')
      const dying = losingDb(db, { point, failure, losesReads: false })
      const first = mongoLedger(dying.db, () => at)
      for (let from = 0; from < limit; ) {
        const size = Math.min(1 + Math.floor(random() * 4), limit - from)
        const ids = Array.from({ length: size }, (_, index) => `em_${workspace}_${from + index}`)
        from += size
        await Promise.all(ids.map((id) => reserveAgain(first, healthy, { workspace, id, count: 1, at })))
      }
      await sweepPending(
        db,
        'ledger_months',
        mongoWorkspaceEvents(db, () => at),
      )
      await expectOneOfEach(db, workspace)
      return dying
    })
  }).timeout(shortOrLong(300_000, 600_000))

  it('are in the feed once each when several processes reach a threshold together', async () => {
    const db = await open()
    const random = seeded(printedSeed())
    for (let round = 0; round < shortOrLong(10, 200); round += 1) {
      const workspace = `ws_${round}`
      const ledgers = Array.from({ length: 4 }, () => mongoLedger(db, () => at))
      await ledgers[0]?.setAllowance(workspace, { monthly: limit, daily: null })
      const sends = Array.from({ length: limit }, (_, number) => {
        const ledger = ledgers[Math.floor(random() * ledgers.length)] ?? assert.fail()
        return reserveAgain(ledger, ledger, { workspace, id: `em_${workspace}_${number}`, count: 1, at })
      })
      const outcomes = await Promise.all(sends)
      assert.ok(outcomes.every(({ kind }) => kind === 'reserved'))
      await expectOneOfEach(db, workspace)
    }
  }).timeout(shortOrLong(300_000, 600_000))
})

/** Reserves as intake does: a request that failed is repeated by a process that works. */
const reserveAgain = async (
  first: Ledger,
  second: Ledger,
  entry: Parameters<Ledger['reserve']>[0],
): Promise<ReserveOutcome> => {
  for (let ledger = first; ; ledger = second) {
    try {
      return await ledger.reserve(entry)
    } catch (thrown) {
      if (!isUnavailable(thrown)) throw thrown
    }
  }
}
