import assert from 'node:assert/strict'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { rebuildLedger } from '@postrider/adapters/mongo/ledger/rebuild.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { type Db, MongoNetworkError } from 'mongodb'
import { mongoForTests } from '../contract/mongo.ts'
import { announcedSeed, numbers, seeded } from './random.ts'
import { type Write, wrappedDb } from './wrappedDb.ts'

const at = Date.UTC(2026, 10, 21, 12)
const dailyLimit = 9

type Step = { kind: 'reserve' | 'commit'; emails: number[] } | { kind: 'release'; email: number; recipients: number[] }

/** An email: whether it was inserted, and for which recipients sends are owed back. */
type Email = { id: string; count: number; token: string; there: boolean; owed: Set<number>; abandoned: boolean }

/** How the store goes away at a write: before it, after it, or amid those that it makes at once. */
const faults = {
  before: async () => {},
  after: async ({ run }: Write) => void (await run()),
  amid: async ({ all, run, runOnly }: Write) => {
    if (all.length === 0) await run()
    else if (all.length > 1) await runOnly(all.slice(0, all.length / 2))
  },
}

/** A database that goes away for good at its n-th write. */
const dying = (db: Db, n: number, fault: (write: Write) => Promise<void>) => {
  let count = 0
  const wrapped = wrappedDb(db, {
    write: async (write) => {
      count += 1
      if (count < n) return write.run()
      if (count === n) await fault(write)
      throw new MongoNetworkError('the connection was lost')
    },
  })
  return { db: wrapped, hasDied: () => count >= n }
}

/** Some emails' sends in a random order, several at a time; each is released in part after it was committed. */
const someSteps = (random: () => number, emails: number): Step[] => {
  const pick = (most: number): number => Math.floor(random() * most)
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

const isGone = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code === 'unavailable'

/** One email's part of a step, as intake does it: what is refused isn't inserted, what is released is owed till then. */
const perform = async (ledger: Ledger, workspace: string, step: Step['kind'], email: Email, recipients: number[]) => {
  const { id, count, token, there } = email
  if (step === 'reserve') {
    const outcome = await ledger.reserve({ workspace, id, count, at })
    if (outcome.kind === 'refused') return
    email.token = outcome.token
    email.there = true
  } else if (!there) return
  else if (step === 'commit') await ledger.commit({ workspace, id, count, at, token })
  else {
    for (const number of recipients) if (email.owed.size < count) email.owed.add(number)
    await ledger.release({ workspace, id, recipients, at })
  }
}

type Play = { db: Db; workspace: string; steps: Step[]; emails: Email[] }

/** Does the steps; where the store goes away, what failed is done again with another, or, unless it is owed, never. */
const play = async ({ db, workspace, steps, emails }: Play, first: ReturnType<typeof dying>, again: boolean) => {
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
      assert(isGone(result.reason), String(result.reason))
      const email = doing[index] ?? assert.fail()
      ledger = mongoLedger(db)
      await assertExact(ledger, workspace)
      if (again || step.kind === 'release') await perform(ledger, workspace, step.kind, email, recipients)
      else email.abandoned = true
    }
  }
}

/** The numbers that refuse are at every moment what lines and entries come to. */
const assertExact = async (ledger: Ledger, workspace: string): Promise<number> => {
  const { monthly, daily, history } = await ledger.usage(workspace, at)
  const recount = await ledger.recount(workspace, '2026-11')
  assert.deepEqual([monthly.used, daily.used], [recount.used, recount.used])
  assert.deepEqual(Object.fromEntries(history.map(({ date, sends }) => [date, sends])), recount.days)
  assert(monthly.used >= 0 && monthly.used <= dailyLimit)
  return monthly.used
}

const settleAll = async (db: Db, workspace: string, emails: readonly Email[]): Promise<void> => {
  const ledger = mongoLedger(db)
  const theirs = (await ledger.pending(at + 1, 1_000)).filter((entry) => entry.workspace === workspace)
  for (const entry of theirs) {
    await ledger.settle(entry, emails.find(({ id }) => id === entry.id)?.there ?? false)
  }
}

describe('a ledger that loses its store', () => {
  const open = mongoForTests(ledgerIndexes)

  it('at any write has its numbers right at once, and every send right when all was repeated and settled', async () => {
    const db = await open()
    const random = seeded(announcedSeed())
    for (let round = 0; round < numbers(1, 30); round += 1) {
      const steps = someSteps(random, 5)
      for (const [name, fault] of Object.entries(faults)) {
        for (const again of [true, false]) {
          let n = 0
          let more = true
          while (more) {
            n += 1
            const workspace = `ws_${round}_${name}_${again}_${n}`
            const emails = Array.from({ length: 5 }, (_, number): Email => {
              const id = `em_${workspace}_${number}`
              return { id, count: 1 + (number % 3), token: '', there: false, owed: new Set(), abandoned: false }
            })
            await mongoLedger(db).setAllowance(workspace, { daily: dailyLimit })
            const first = dying(db, n, fault)
            await play({ db, workspace, steps, emails }, first, again)
            await settleAll(db, workspace, emails)
            const left = emails.reduce((sum, { count, owed, there }) => sum + (there ? count - owed.size : 0), 0)
            assert.equal(await assertExact(mongoLedger(db), workspace), left, `${workspace}: ${JSON.stringify(steps)}`)
            assert.equal((await db.collection('ledger_months').findOne({ workspace }))?.['pending'].length ?? 0, 0)
            assert(await rebuildLedger(db, { workspace, month: '2026-11' }))
            assert.equal(await assertExact(mongoLedger(db), workspace), left)
            more = first.hasDied()
          }
        }
      }
    }
  }).timeout(numbers(60_000, 1_800_000))
})
