import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { reserveFitting } from '@postrider/ports/ledger.conformance.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { useBackend } from '../backends/backends.ts'
import { mongoForTests } from '../contract/mongo.ts'
import { announcedSeed, numbers, seeded } from './random.ts'
import { wrappedDb } from './wrappedDb.ts'

const at = Date.UTC(2026, 10, 21, 12)
const workspace = 'ws_1'
const limit = 1_000
const takers = 5_000
const processes = ['one', 'two', 'three', 'four']

/** Milliseconds that a call to the store takes at most, in all. */
const slowestMs = numbers(20, 500)

describe('the quota of a workspace that many processes send for', () => {
  const open = mongoForTests(ledgerIndexes)
  const address = useBackend('mongodb')

  /** Each process's ledger, with its own connections to a store that takes its time; and one that watches at once. */
  const openLedgers = async (stack: AsyncDisposableStack, random: () => number) => {
    const db = await open()
    const late = () => pause((random() * slowestMs) / 2)
    const slow = async (run: () => Promise<unknown>): Promise<unknown> => {
      await late()
      const answer = await run()
      await late()
      return answer
    }
    const ledgers: Ledger[] = []
    for (const name of processes) {
      const { client } = stack.use(await connectMongo({ url: address(), name })).db
      ledgers.push(mongoLedger(wrappedDb(client.db(db.databaseName), { write: ({ run }) => slow(run), read: slow })))
    }
    const watching = mongoLedger(db)
    await watching.setAllowance(workspace, { monthly: limit, daily: null })
    return { ledgers, watching, late }
  }

  it('is given out to the last send and never past it, at any moment, though takers die', async () => {
    await using stack = new AsyncDisposableStack()
    const random = seeded(announcedSeed())
    const { ledgers, watching, late } = await openLedgers(stack, random)
    const [there, voided, died, refused] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()]
    /** Sends one email by one of the processes, as intake does. */
    const send = async (id: string, mayDie: boolean): Promise<void> => {
      await pause(random() * 20 * slowestMs)
      const ledger = ledgers[Math.floor(random() * ledgers.length)] ?? assert.fail()
      const entry = { workspace, id, count: 1, at }
      const outcome = await ledger.reserve(entry)
      if (outcome.kind === 'refused') return void refused.add(id)
      if (mayDie && random() < 0.1) return void died.add(id)
      await late()
      // A void record has the id, so intake tries again with a new one.
      if (voided.has(id)) return send(`${id}_new`, mayDie)
      there.add(id)
      await ledger.commit({ ...entry, token: outcome.token })
    }
    const settleAll = async (ledger: Ledger): Promise<void> => {
      for (const entry of await ledger.pending(at + 1, takers)) {
        if (!there.has(entry.id)) voided.add(entry.id)
        await ledger.settle(entry, there.has(entry.id))
      }
    }

    const sampling = { over: false, samples: 0 }
    const sample = async (): Promise<void> => {
      while (!sampling.over) {
        const { monthly } = await watching.usage(workspace, at)
        assert(monthly.used <= limit, `${monthly.used} sends are taken`)
        assert(there.size <= limit, `${there.size} emails are accepted`)
        sampling.samples += 1
        await pause(1)
      }
    }
    const sampled = sample()
    await Promise.all(Array.from({ length: takers }, (_, number) => send(`em_${number}`, true)))
    assert.equal(there.size + died.size, limit)
    assert.equal(refused.size, takers - limit)
    assert(died.size > 0)

    const again = (from: number): Promise<void>[] =>
      Array.from({ length: takers / 10 }, (_, number) => send(`em_${from + number}`, false))
    // Every process sweeps while others send.
    await Promise.all([...ledgers.map(settleAll), ...again(takers)])
    await Promise.all([...ledgers.map(settleAll), ...again(2 * takers)])
    await Promise.all(again(3 * takers))
    sampling.over = true
    await sampled
    assert.equal(there.size, limit)
    assert.equal((await watching.usage(workspace, at)).monthly.used, limit)
    assert.equal((await watching.recount(workspace, '2026-11')).used, limit)
    assert.deepEqual(await watching.pending(Infinity, 1), [])
    assert(sampling.samples > 20)
  }).timeout(numbers(60_000, 300_000))

  it('is taken from once for a request that several of them repeat at the same time', async () => {
    await using stack = new AsyncDisposableStack()
    const random = seeded(announcedSeed())
    const { ledgers, watching, late } = await openLedgers(stack, random)
    const emails = numbers(100, 1_000)
    const send = async (ledger: Ledger, id: string): Promise<void> => {
      await pause(random() * 10 * slowestMs)
      const entry = { workspace, id, count: 1, at }
      const { token } = await reserveFitting(ledger, entry)
      await late()
      if (random() < 0.8) await ledger.commit({ ...entry, token })
      if (id.endsWith('7')) await ledger.release({ ...entry, recipients: [0] })
    }
    const ids = Array.from({ length: emails }, (_, number) => `em_${number}`)
    await Promise.all(ids.flatMap((id) => ledgers.map((ledger) => send(ledger, id))))
    for (const entry of await watching.pending(at + 1, emails)) await watching.settle(entry, true)
    const { used } = await watching.recount(workspace, '2026-11')
    assert.equal(used, emails - emails / 10)
    assert.equal((await watching.usage(workspace, at)).monthly.used, used)
  }).timeout(numbers(60_000, 300_000))
})
