// `node test/bench/domainStores.ts [domains]` fills both stores with sending domains and prints what a round of checks
// and the reads of the hot path cost. docs/capacity.md contains a result. MongoDB is the stand-in, which sorts without
// an index and holds at most 10,000 domains: only the CPU of the client is valid for other servers.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connectMongo, ensureIndexes } from '@postrider/adapters/mongo/client/connect.ts'
import { changedFields, type DomainDoc } from '@postrider/adapters/mongo/domains/document.ts'
import { domainIndexes, mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import type { RecordCheck, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import { domain } from '@postrider/ports/domainsFixtures.conformance.ts'
import { BSON } from 'mongodb'
import { startMongo } from '../backends/mongo.ts'

const total = Number(process.argv[2] ?? 100_000)
const maxInMongo = 10_000
const ofWorkspace = 100
const dayMs = 86_400_000
const now = 1_000_000_000
const claim = { limit: 32, leaseMs: 60_000 }

const record = (purpose: RecordCheck['purpose'], type: 'TXT' | 'MX', name: string, bytes: number): RecordCheck => {
  return { purpose, type, name, status: 'found', found: ['x'.repeat(bytes)], problem: null, foundAt: now }
}

/** A verified domain with a key of each kind and the records of its last check; one in ten is still pending. */
const typical = (number: number): SendingDomain => {
  const name = `d${number}.example.com`
  const base = domain({ workspace: `ws_${Math.floor(number / ofWorkspace)}`, name })
  const keys = base.keys.map((key) => {
    const [publicBytes, boxBytes] = key.algorithm === 'rsa' ? [410, 2_300] : [70, 200]
    const sealed = { secretId: 's1', box: 'x'.repeat(boxBytes) }
    return { ...key, publicRecord: 'x'.repeat(publicBytes), sealed, state: 'active' as const, activeAt: now }
  })
  const records = [
    record('ownership', 'TXT', `_postrider.${name}`, 60),
    record('dkim', 'TXT', `prr1._domainkey.${name}`, 410),
    record('dkim', 'TXT', `pre1._domainkey.${name}`, 70),
    record('return_path_mx', 'MX', `bounce.${name}`, 40),
    record('return_path_spf', 'TXT', `bounce.${name}`, 60),
    record('dmarc', 'TXT', `_dmarc.${name}`, 40),
  ]
  const status = number % 10 === 0 ? 'pending' : 'verified'
  return { ...base, keys, status, lastCheck: { at: now, records }, verifiedAt: now, returnPathVerified: true }
}

/** Checks once a day are spread over the day; `due` of them are due now. */
const checkAt = (number: number, due: number): number =>
  number < due ? now - number : now + 1 + Math.floor((number * dayMs) / total)

const measured = async (rounds: number, work: (round: number) => Promise<unknown>): Promise<string> => {
  const [since, cpu] = [performance.now(), process.cpuUsage()]
  for (let round = 0; round < rounds; round++) await work(round)
  const { user, system } = process.cpuUsage(cpu)
  const show = (ms: number): string => String(Number((ms / rounds).toPrecision(2)))
  return `${show(performance.now() - since)} | ${show((user + system) / 1_000)}`
}

type Case = { name: string; store: DomainStore; synced(): Promise<void> }

/** Measures while `due` domains are due, which the store has prepared. */
const measureStore = async ({ name, store, synced }: Case, rounds: number): Promise<void> => {
  const print = async (what: string, each: number, work: (round: number) => Promise<unknown>) =>
    console.log(`| ${name}: ${what} | ${await measured(each, work)} |`)
  const { overdue } = await store.counts(now)
  console.log(`| ${name}: ${overdue} overdue | | |`)
  await print('`claim` of 32 and their writes', rounds, async () => {
    const claimed = await store.claim({ ...claim, now })
    await Promise.all(
      claimed.map((one) => store.write(one.domain.id, one.fence, { domain: one.domain, nextCheckAt: now + dayMs }, [])),
    )
    await synced()
  })
  await print('`nextDue`', rounds, () => store.nextDue())
  await print('`counts`', Math.min(rounds, 10), () => store.counts(now))
  await print(`\`senders\` of a workspace with ${ofWorkspace}`, rounds, (round) => store.senders(`ws_${round}`))
}

const measureSqlite = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-'))
  const path = join(folder, 'postrider.db')
  const onFatal = (reason: unknown): never => {
    throw reason
  }
  const db = openDatabase({ path, onFatal })
  const store = sqliteDomains(db)
  const ids: string[] = []
  for (let at = 0; at < total; at += 500) {
    const batch = Array.from({ length: Math.min(500, total - at) }, (_, index) => typical(at + index))
    await Promise.all(batch.map((one, index) => store.insert(one, checkAt(at + index, total / 2), total, anEntry())))
    await db.synced()
    ids.push(...batch.map(({ id }) => id))
  }
  const one = { name: 'SQLite', store, synced: db.synced }
  await measureStore(one, 100)
  console.log(`| SQLite: \`signing\` | ${await measured(1_000, (round) => store.signing(ids[round] ?? ''))} |`)
  db.write(() => db.prepare('UPDATE domains SET next_check_at = next_check_at + ?').run(dayMs))
  await db.synced()
  console.log(`| SQLite: \`claim\` with nothing due | ${await measured(1_000, () => store.claim({ ...claim, now }))} |`)
  await db[Symbol.asyncDispose]()
  console.log(`\nSQLite: ${Math.round(statSync(path).size / total)} bytes of file for each domain\n`)
  rmSync(folder, { recursive: true })
}

const measureMongo = async (): Promise<void> => {
  await using mongo = await startMongo({ jvm: 'throughput' })
  await using connected = await connectMongo({ url: mongo.address, name: 'bench' })
  const { db } = connected
  await ensureIndexes(db, domainIndexes)
  const domains = db.collection<DomainDoc>('domains')
  const docs = Array.from({ length: Math.min(total, maxInMongo) }, (_, number): DomainDoc => {
    const one = typical(number)
    return { _id: one.id, slot: number % ofWorkspace, fence: 0, ...changedFields(one, checkAt(number, 1_000)) }
  })
  const bytes = docs.reduce((sum, doc) => sum + BSON.calculateObjectSize(doc), 0) / docs.length
  for (let at = 0; at < docs.length; at += 100) await domains.insertMany(docs.slice(at, at + 100))
  const store = mongoDomains(db)
  await measureStore({ name: 'MongoDB', store, synced: async () => {} }, 20)
  console.log(`| MongoDB: \`signing\` | ${await measured(200, (round) => store.signing(docs[round]?._id ?? ''))} |`)
  await domains.updateMany({ nextCheckAt: { $lte: now } }, { $set: { nextCheckAt: now + dayMs } })
  console.log(`| MongoDB: \`claim\` with nothing due | ${await measured(200, () => store.claim({ ...claim, now }))} |`)
  console.log(`\nMongoDB: ${Math.round(bytes)} bytes of BSON for each domain`)
}

console.log(`${total} domains\n\n| | ms | CPU-ms of this process |\n|---|---|---|`)
await measureSqlite()
await measureMongo()
