import assert from 'node:assert/strict'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { idempotencyIndexes, mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import type { BatchMail, Quota, StagedBatch, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { CountedLedger } from '@postrider/ports/ledger.conformance.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import fc from 'fast-check'
import type { SubmitDeps } from '../../services/intake/acceptEmail.ts'
import { defaultIntakeLimits } from '../../services/intake/config.ts'
import { stageBatch, submitBatch } from '../../services/intake/submitBatch.ts'
import { type SweepDeps, sweepOnce } from '../../services/intake/sweep.ts'
import { countedMongoLedger, countedSqliteLedger } from '../support/countedLedgers.ts'
import { type CrashPoint, type DyingProcess, dyingMongo, dyingProcess, dyingSqlite } from '../support/crashingStores.ts'
import { caller, mail, noon, workspace } from '../support/testIntake.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

type Stores = { emails: EmailStore; idempotency: IdempotencyStore; ledger: CountedLedger }
/** Opens the stores for a process that dies, or for one that lives. */
type OpenStores = (process: DyingProcess) => Stores
type Installation = { open: OpenStores; restart(): Promise<void>; contents(): Promise<number> }

const immortal: CrashPoint = { write: Number.POSITIVE_INFINITY, isAfter: false }

const quotaOver = (ledger: Ledger) =>
  ({
    Reserve: async (entry) => {
      const outcome = await ledger.reserve(entry)
      if (outcome.kind === 'refused') throw new Fault('quota_exceeded', 'over')
      return { token: outcome.token, standing: null }
    },
    Commit: ledger.commit,
    Release: ledger.release,
    ListPending: ({ before, limit }) => ledger.pending(before, limit),
    Settle: ({ pending, there }) => ledger.settle(pending, there),
  }) satisfies Partial<Quota>

/** Returns a process of intake over these stores. */
const intakeOver = ({ emails, idempotency, ledger }: Stores, time: { at: number }) => {
  const quota = quotaOver(ledger)
  const now = () => time.at
  const deps = {
    emails,
    idempotency,
    quota,
    templates: {
      get: () => Promise.reject(new Fault('not_found', 'none')),
      renderSteps: () => assert.fail('rendered'),
    },
    doorbell: { ring: () => {} },
    durable: { synced: async () => {} },
    verified: { known: () => [], read: async () => [] },
    sender: { name: '', address: 'mail@postrider.test' },
    platformDomains: ['postrider.test'],
    limits: defaultIntakeLimits,
    now,
    queue: { enter: async () => () => {} },
    accepted: () => {},
    testClocks: { get: async () => null },
    leases: {
      claim: async (request) => {
        const claim = await idempotency.claim(request)
        if (claim.kind !== 'claimed') return { claim, leased: null }
        const { scope, key, requestId } = request
        const lease = { scope, key, requestId, leaseUntil: claim.leaseUntil }
        const end = () => idempotency.endLease(lease).catch(() => {})
        return { claim, leased: { lease, done: () => {}, end } }
      },
      [Symbol.asyncDispose]: async () => {},
    },
  } satisfies SubmitDeps
  const sweepDeps = {
    ...deps,
    suspensions: { suspended: async () => new Set<string>() },
    workspaceEvents: { removeUntil: async () => 0 },
    erasures: { due: async () => [] },
    mailbox: { remove: async () => {} },
    queue: { recount: async () => {} },
    watch: () => {},
    swept: () => {},
    purged: () => {},
    testClocks: { toFollow: async () => [] },
    overdue: () => {},
    statsChore: { catchUpSome: async () => {} },
    retention: defaultIntakeLimits.retention,
    abandonedAfterMs: defaultIntakeLimits.claimLeaseMs,
  } as unknown as SweepDeps
  return { submit: submitBatch(deps), stage: stageBatch(deps), sweep: () => sweepOnce(sweepDeps) }
}

type Intake = ReturnType<typeof intakeOver>

/** A request of the model. `crashes`: where its first tries die. Then it is repeated, or its client gives up. */
type Wanted = {
  sends: number[]
  /** Index of a message that is refused; -1: none. */
  wrong: number
  isPermissive: boolean
  /** Messages that are staged before. */
  staged: number
  hasKey: boolean
  isRepeated: boolean
  crashes: CrashPoint[]
}

const crashPoint = fc.record({ write: fc.integer({ min: 0, max: 24 }), isAfter: fc.boolean() })
const wanted: fc.Arbitrary<Wanted> = fc.record({
  sends: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 1, maxLength: 4 }),
  wrong: fc.oneof(fc.constant(-1), fc.constant(-1), fc.integer({ min: 0, max: 3 })),
  isPermissive: fc.boolean(),
  staged: fc.integer({ min: 0, max: 3 }),
  hasKey: fc.constantFrom(true, true, false),
  isRepeated: fc.boolean(),
  crashes: fc.array(crashPoint, { minLength: 1, maxLength: 3 }),
})

const mailsOf = ({ sends, wrong }: Wanted, name: string): BatchMail[] =>
  sends.map((count, number) => {
    const to = Array.from({ length: count }, (_, at) => ({ name: '', address: `${name}.${number}.${at}@example.com` }))
    return { number, mail: mail({ to, subject: name, ...(number === wrong && { domainId: 'dom_1' }) }) }
  })

/** Makes the request once. @returns the status of its response; null: there is none */
const tryOnce = async (intake: Intake, one: Wanted, name: string, requestId: string): Promise<number | null> => {
  const mails = mailsOf(one, name)
  let [staged, refusals]: [StagedBatch | null, SubmitBatchRequest['refusals']] = [null, []]
  try {
    if (one.staged > 0) {
      const part = mails.splice(0, one.staged)
      ;({ staged, refusals } = await intake.stage({ caller: caller(), staged, mails: part, requestId }))
    }
    const reply = await intake.submit({
      caller: caller(),
      staged,
      mails,
      refusals,
      count: one.sends.length,
      isPermissive: one.isPermissive,
      idempotency: one.hasKey ? { key: name, fingerprint: Buffer.from(name) } : null,
      operation: 'POST /api/v1/emails/batch',
      requestId,
    })
    return reply.status
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'validation_failed') return 422
    if (thrown instanceof Fault && ['unavailable', 'idempotency_in_flight'].includes(thrown.code)) return null
    throw thrown
  }
}

const listed = async (emails: EmailStore): Promise<Email[]> =>
  (await emails.list({ ...noFilter, workspace, limit: 100, now: noon })).emails.map(({ email }) => email)

/** @returns whether a process died */
const runModel = async ({ open, restart, contents }: Installation, requests: readonly Wanted[]): Promise<boolean> => {
  const time = { at: noon }
  const processes: DyingProcess[] = []
  const alive = open(dyingProcess(immortal))
  let [expected, sends] = [0, 0]
  for (const [index, one] of requests.entries()) {
    const name = `request${index}`
    const isRefused = one.wrong >= 0 && one.wrong < one.sends.length
    const all = one.isPermissive ? one.sends.filter((_, number) => number !== one.wrong) : isRefused ? [] : one.sends
    const seen = async () => (await listed(alive.emails)).filter(({ subject }) => subject === name)
    let status: number | null = null
    for (const [attempt, crash] of one.crashes.entries()) {
      if (status !== null || (attempt > 0 && !(one.hasKey && one.isRepeated))) break
      const process = dyingProcess(crash)
      processes.push(process)
      status = await tryOnce(intakeOver(open(process), time), one, name, `req_${index}_${attempt}`)
      await restart()
      time.at += defaultIntakeLimits.claimLeaseMs + 1_000
    }
    const living = intakeOver(alive, time)
    const before = await seen()
    if (status === null && one.hasKey && one.isRepeated) {
      status = await tryOnce(living, one, name, `req_${index}_last`)
      assert.equal(status, one.isPermissive || !isRefused ? 202 : 422, 'the repeated request gets its response')
    }
    time.at += 2 * defaultIntakeLimits.claimLeaseMs + 1_000
    await living.sweep()
    const after = await seen()
    if (status === 202 || before.length > 0) assert.equal(after.length, all.length, 'all of an accepted batch')
    assert.ok(after.length === 0 || after.length === all.length, 'all or nothing')
    assert.equal(new Set(after.map(({ id }) => id)).size, after.length)
    if (status === 202 && one.hasKey && one.isRepeated)
      assert.equal(await tryOnce(living, one, name, `req_${index}_replay`), 202)
    if (after.length > 0 && all.length > 0) {
      expected += all.length
      sends += all.reduce((sum, count) => sum + count, 0)
    }
  }
  time.at += 60_000
  await intakeOver(alive, time).sweep()
  await intakeOver(alive, time).sweep()
  assert.equal((await listed(alive.emails)).length, expected)
  assert.equal((await alive.ledger.recount(workspace, '2026-11')).used, sends, 'each accepted send is counted once')
  assert.equal((await alive.ledger.usage(workspace, noon)).monthly.used, sends)
  assert.equal(await contents(), expected, 'no content is left of what was not accepted')
  return processes.some(({ isDead }) => isDead())
}

/** @param numRuns random sequences of requests */
const batchModel = (store: string, open: () => Installation | Promise<Installation>, numRuns: number): void => {
  it(`accepts all of a batch or nothing when processes die between any two writes (${store})`, async () => {
    const seed = Number(process.env['POSTRIDER_BATCH_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`      POSTRIDER_BATCH_SEED=${seed}`)
    const property = fc.asyncProperty(fc.array(wanted, { minLength: 1, maxLength: 3 }), async (requests) => {
      await runModel(await open(), requests)
    })
    await fc.assert(property, { seed, numRuns })
  }).timeout(300_000)

  it(`ends the same wherever one process dies (${store})`, async () => {
    const point = { sends: [1, 2], wrong: -1, isPermissive: false, hasKey: true }
    for (const staged of [0, 1])
      for (const isRepeated of [true, false]) {
        const diesAt = async (write: number): Promise<boolean> =>
          runModel(await open(), [{ ...point, staged, isRepeated, crashes: [{ write, isAfter: false }] }])
        // Once a process has survived, one that would die later makes the same writes.
        let write = 0
        while (await diesAt(write)) assert.ok(++write < 30, 'a process ends')
        assert.ok(write > 3, `processes died at ${write} writes`)
      }
  }).timeout(300_000)
}

describe('batches and crashes', () => {
  describe('in one process', () => {
    const openFile = sqliteForTests()
    const open = (): Installation => {
      const { db } = openFile()
      const stores: OpenStores = (process) => {
        const own = dyingSqlite(db, process)
        return { emails: sqliteEmails(own), idempotency: sqliteIdempotency(own), ledger: countedSqliteLedger(own) }
      }
      const count = db.prepare('SELECT (SELECT count(*) FROM contents) + (SELECT count(*) FROM batch_emails) AS count')
      return {
        open: stores,
        // What the start of a process does; see `openStore`.
        restart: async () => {
          await sqliteEmails(db).clearLeases()
          await sqliteEmails(db).voidOpenBatches()
          await sqliteIdempotency(db).releaseAbandoned()
        },
        contents: async () => Number(db.read(() => count.get())?.['count']),
      }
    }
    batchModel('SQLite', open, 40)
  })

  describe('cluster', () => {
    const openDatabase = mongoForTests(emailIndexes, idempotencyIndexes, ledgerIndexes)
    const open = async (): Promise<Installation> => {
      const db = await openDatabase()
      const stores: OpenStores = (process) => {
        const own = dyingMongo(db, process)
        return { emails: mongoEmails(own), idempotency: mongoIdempotency(own), ledger: countedMongoLedger(own) }
      }
      const contents = () => db.collection('contents').countDocuments()
      return { open: stores, restart: async () => {}, contents }
    }
    batchModel('MongoDB', open, 20)
  })
})
