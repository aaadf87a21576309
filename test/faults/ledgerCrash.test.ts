import assert from 'node:assert/strict'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { CountedLedger } from '@postrider/ports/ledger.conformance.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { type Db, MongoNetworkError } from 'mongodb'
import { mongoForTests } from '../contract/mongo.ts'
import { countedMongoLedger, rebuild } from '../support/countedLedgers.ts'
import { atEveryWrite, type Lost, losingDb, type Point } from './everyWrite.ts'
import { printedSeed, seeded, shortOrLong } from './random.ts'

const at = Date.UTC(2026, 10, 21, 12)
const dailyLimit = 9

type Step = { kind: 'reserve' | 'commit'; emails: number[] } | { kind: 'release'; email: number; recipients: number[] }

/** `released`: the recipients whose sends must be released. `abandoned`: a failed step was not repeated. */
type Email = { id: string; count: number; token: string; inserted: boolean; released: Set<number>; abandoned: boolean }

const losses = ['before', 'after', 'during'] as const

/** Returns a database whose connection is lost permanently. */
const failing = (db: Db, point: Point) =>
  losingDb(db, { point, failure: () => new MongoNetworkError('the connection was lost'), losesReads: false })

/** Returns the sends of some emails in a random order, several at a time, with partial releases after the commits. */
const randomSteps = (random: () => number, emails: number): Step[] => {
  const pick = (max: number): number => Math.floor(random() * max)
  const steps: Step[] = []
  for (let from = 0; from < emails; ) {
    const group = Array.from({ length: Math.min(1 + pick(3), emails - from) }, (_, index) => from + index)
    from += group.length
    steps.push({ kind: 'reserve', emails: group }, { kind: 'commit', emails: group })
    for (const email of group) {
      const recipients = [0, 1, 2].filter(() => random() < 0.4)
      if (recipients.length > 0) steps.push({ kind: 'release', email, recipients })
    }
  }
  return steps
}

const isUnavailable = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code === 'unavailable'

/** Performs a step for one email, as intake does. A refused email is not inserted. */
const perform = async (ledger: Ledger, workspace: string, step: Step['kind'], email: Email, recipients: number[]) => {
  const { id, count, token, inserted } = email
  if (step === 'reserve') {
    const outcome = await ledger.reserve({ workspace, id, count, at })
    if (outcome.kind === 'refused') return
    email.token = outcome.token
    email.inserted = true
  } else if (!inserted) return
  else if (step === 'commit') await ledger.commit({ workspace, id, count, at, token })
  else {
    for (const number of recipients) if (email.released.size < count) email.released.add(number)
    await ledger.release({ workspace, id, recipients, at })
  }
}

type Play = { db: Db; workspace: string; steps: Step[]; emails: Email[] }

/** Performs the steps. After a failure, a new connection repeats releases, and other steps only if `repeats` is set. */
const play = async ({ db, workspace, steps, emails }: Play, first: ReturnType<typeof failing>, repeats: boolean) => {
  let ledger = mongoLedger(first.db)
  for (const step of steps) {
    const numbers = step.kind === 'release' ? [step.email] : step.emails
    const recipients = step.kind === 'release' ? step.recipients : []
    const doing = emails.filter((email, number) => numbers.includes(number) && !email.abandoned)
    const results = await Promise.allSettled(
      doing.map((email) => perform(ledger, workspace, step.kind, email, recipients)),
    )
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') continue
      assert(isUnavailable(result.reason), String(result.reason))
      const email = doing[index] ?? assert.fail()
      ledger = mongoLedger(db)
      await assertExact(countedMongoLedger(db), workspace)
      if (repeats || step.kind === 'release') await perform(ledger, workspace, step.kind, email, recipients)
      else email.abandoned = true
    }
  }
}

/** Asserts that the counters equal the sum of ledger lines and pending entries. @returns that number of sends */
const assertExact = async (ledger: CountedLedger, workspace: string): Promise<number> => {
  const { monthly, daily, history } = await ledger.usage(workspace, at)
  const recount = await ledger.recount(workspace, '2026-11')
  assert.deepEqual([monthly.used, daily.used], [recount.used, recount.used])
  assert.deepEqual(Object.fromEntries(history.map(({ date, sends }) => [date, sends])), recount.days)
  assert(monthly.used >= 0 && monthly.used <= dailyLimit)
  return monthly.used
}

const settleAll = async (db: Db, workspace: string, emails: readonly Email[]): Promise<void> => {
  const ledger = mongoLedger(db)
  const pending = (await ledger.pending(at + 1, 1_000)).filter((entry) => entry.workspace === workspace)
  for (const entry of pending) {
    await ledger.settle(entry, emails.find(({ id }) => id === entry.id)?.inserted ?? false)
  }
}

describe('ledger after a lost connection', () => {
  const open = mongoForTests(ledgerIndexes)

  it('has correct counters after a loss at any write, and counts every send once after retries and settlement', async () => {
    const db = await open()
    const random = seeded(printedSeed())
    for (let round = 0; round < shortOrLong(1, 30); round += 1) {
      const steps = randomSteps(random, 5)
      const playLoss = async (repeats: boolean, point: Point): Promise<Lost> => {
        const workspace = `ws_${round}_${point.loss}_${repeats}_${point.n}`
        const emails = Array.from({ length: 5 }, (_, number): Email => {
          const id = `em_${workspace}_${number}`
          return { id, count: 1 + (number % 3), token: '', inserted: false, released: new Set(), abandoned: false }
        })
        await mongoLedger(db).setAllowance(workspace, { daily: dailyLimit })
        const first = failing(db, point)
        await play({ db, workspace, steps, emails }, first, repeats)
        await settleAll(db, workspace, emails)
        const expected = emails.reduce(
          (sum, { count, released, inserted }) => sum + (inserted ? count - released.size : 0),
          0,
        )
        assert.equal(
          await assertExact(countedMongoLedger(db), workspace),
          expected,
          `${workspace}: ${JSON.stringify(steps)}`,
        )
        assert.equal((await db.collection('ledger_months').findOne({ workspace }))?.['pending'].length ?? 0, 0)
        assert(await rebuild(db, { workspace, month: '2026-11' }))
        assert.equal(await assertExact(countedMongoLedger(db), workspace), expected)
        return first
      }
      for (const repeats of [true, false]) await atEveryWrite(losses, (point) => playLoss(repeats, point))
    }
  }).timeout(shortOrLong(300_000, 1_800_000))
})
