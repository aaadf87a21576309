import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import { retry } from '@postrider/kit/retry.ts'
import { reserveFitting } from '@postrider/ports/ledger.conformance.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { useBackend } from '../backends/backends.ts'
import { mongoForTests } from '../contract/mongo.ts'
import { countedMongoLedger } from '../support/countedLedgers.ts'
import { printedSeed, seeded, shortOrLong } from './random.ts'
import { wrappedDb } from './wrappedDb.ts'

const at = Date.UTC(2026, 10, 21, 12)
const workspace = 'ws_1'
const limit = 1_000
const senders = 5_000
const processes = ['one', 'two', 'three', 'four']

/** The largest delay that is added to a call to the store. */
const slowestMs = shortOrLong(20, 500)

/**
 * Repeats calls that are refused because too many others change the month at the same time, as that refusal requests
 * callers to do.
 */
const persistent = (ledger: Ledger): Ledger => {
  const repeated = <T>(call: () => Promise<T>): Promise<T> =>
    retry(call, {
      backoff: { delaysMs: [50], jitter: 0.5 },
      shouldRetry: (ended) => 'error' in ended && isUnavailable(ended.error),
      pause,
    })
  return {
    ...ledger,
    reserve: (entry) => repeated(() => ledger.reserve(entry)),
    release: (entry) => repeated(() => ledger.release(entry)),
    settle: (entry, there) => repeated(() => ledger.settle(entry, there)),
  }
}

describe('quota of a workspace that sends through many processes', () => {
  const open = mongoForTests(ledgerIndexes)
  const address = useBackend('mongodb')

  /**
   * Opens a ledger for each process, with its own connections to a slow store, and one without delay for observation.
   */
  const openLedgers = async (stack: AsyncDisposableStack, random: () => number) => {
    const db = await open()
    const delay = () => pause((random() * slowestMs) / 2)
    const slow = async (run: () => Promise<unknown>): Promise<unknown> => {
      await delay()
      const response = await run()
      await delay()
      return response
    }
    const ledgers: Ledger[] = []
    for (const name of processes) {
      const { client } = stack.use(await connectMongo({ url: address(), name })).db
      const slowDb = wrappedDb(client.db(db.databaseName), { write: ({ run }) => slow(run), read: slow })
      ledgers.push(persistent(mongoLedger(slowDb)))
    }
    const observer = countedMongoLedger(db)
    await observer.setAllowance(workspace, { monthly: limit, daily: null })
    return { ledgers, observer, delay }
  }

  it('is used completely and never exceeded, even if senders crash', async () => {
    await using stack = new AsyncDisposableStack()
    const random = seeded(printedSeed())
    const { ledgers, observer, delay } = await openLedgers(stack, random)
    const [accepted, voided, crashed, refused] = [
      new Set<string>(),
      new Set<string>(),
      new Set<string>(),
      new Set<string>(),
    ]
    /** Sends one email through a random process, as intake does. */
    const send = async (id: string, mayCrash: boolean): Promise<void> => {
      await pause(random() * 20 * slowestMs)
      const ledger = ledgers[Math.floor(random() * ledgers.length)] ?? assert.fail()
      const entry = { workspace, id, count: 1, at }
      const outcome = await ledger.reserve(entry)
      if (outcome.kind === 'refused') return void refused.add(id)
      // The first one crashes for every seed.
      if (mayCrash && (crashed.size === 0 || random() < 0.1)) return void crashed.add(id)
      await delay()
      // The id belongs to a tombstone, so intake retries with a new id.
      if (voided.has(id)) return send(`${id}_new`, mayCrash)
      accepted.add(id)
      await ledger.commit({ ...entry, token: outcome.token })
    }
    const settleAll = async (ledger: Ledger): Promise<void> => {
      for (const entry of await ledger.pending(at + 1, senders)) {
        if (!accepted.has(entry.id)) voided.add(entry.id)
        await ledger.settle(entry, accepted.has(entry.id))
      }
    }

    const sampling = { over: false, samples: 0 }
    const sample = async (): Promise<void> => {
      while (!sampling.over) {
        const { monthly } = await observer.usage(workspace, at)
        assert(monthly.used <= limit, `${monthly.used} sends are counted`)
        assert(accepted.size <= limit, `${accepted.size} emails are accepted`)
        sampling.samples += 1
        await pause(1)
      }
    }
    const sampled = sample()
    await Promise.all(Array.from({ length: senders }, (_, number) => send(`em_${number}`, true)))
    assert.equal(accepted.size + crashed.size, limit)
    assert.equal(refused.size, senders - limit)
    assert(crashed.size > 0)

    const sendMore = (from: number): Promise<void>[] =>
      Array.from({ length: senders / 10 }, (_, number) => send(`em_${from + number}`, false))
    // Every process sweeps while others send.
    await Promise.all([...ledgers.map(settleAll), ...sendMore(senders)])
    await Promise.all([...ledgers.map(settleAll), ...sendMore(2 * senders)])
    await Promise.all(sendMore(3 * senders))
    sampling.over = true
    await sampled
    assert.equal(accepted.size, limit)
    assert.equal((await observer.usage(workspace, at)).monthly.used, limit)
    assert.equal((await observer.recount(workspace, '2026-11')).used, limit)
    assert.deepEqual(await observer.pending(Infinity, 1), [])
    assert(sampling.samples > 20)
  })

  it('is used once for a request that several processes repeat at the same time', async () => {
    await using stack = new AsyncDisposableStack()
    const random = seeded(printedSeed())
    const { ledgers, observer, delay } = await openLedgers(stack, random)
    const emails = shortOrLong(100, 1_000)
    const send = async (ledger: Ledger, id: string): Promise<void> => {
      await pause(random() * 10 * slowestMs)
      const entry = { workspace, id, count: 1, at }
      const { token } = await reserveFitting(ledger, entry)
      await delay()
      if (random() < 0.8) await ledger.commit({ ...entry, token })
      if (id.endsWith('7')) await ledger.release({ ...entry, recipients: [0] })
    }
    const ids = Array.from({ length: emails }, (_, number) => `em_${number}`)
    await Promise.all(ids.flatMap((id) => ledgers.map((ledger) => send(ledger, id))))
    for (const entry of await observer.pending(at + 1, emails)) await observer.settle(entry, true)
    const { used } = await observer.recount(workspace, '2026-11')
    assert.equal(used, emails - emails / 10)
    assert.equal((await observer.usage(workspace, at)).monthly.used, used)
  })
})
