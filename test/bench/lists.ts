import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { clientOptions, ensureIndexes } from '@postrider/adapters/mongo/client/connect.ts'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { type EmailQuery, noFilter } from '@postrider/domain/email/filter.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { MongoClient } from 'mongodb'
import { startMongo } from '../backends/mongo.ts'
import { anEmail } from '../support/anEmail.ts'
import { pick, storeListed, words } from './listedMail.ts'

/*
 * Measures lists with filters: `node test/bench/lists.ts [sqlite|mongo] [emails] [GiB of heap]`. Stores emails, adds
 * them to the index of lists, and prints the median and the 95th percentile of a first page of 20, for each filter with
 * values that emails have, and with one that no email has. MongoDB is the stand-in, with its data in memory: 400,000
 * emails need a heap of 13 GiB.
 */

const [store = 'sqlite', count = '200000', heapGib = '1'] = process.argv.slice(2)
const emails = Number(count)
const runs = 40
const [storedPerWrite, indexedPerStep] = [store === 'mongo' ? 50 : 500, 500]

const now = Date.now()

type Case = [name: string, filter: (run: number) => Partial<EmailQuery>]

const cases: Case[] = [
  ['no filter', () => ({})],
  ['mode', () => ({ mode: 'live' })],
  ['mode: none', () => ({ mode: 'test' })],
  ['key', () => ({ keyId: anEmail().keyId })],
  ['key: none', () => ({ keyId: 'key_none' })],
  ['status delivered', () => ({ status: 'delivered' })],
  ['status bounced', () => ({ status: 'bounced' })],
  ['status: none', () => ({ status: 'failed' })],
  ['status sending: none', () => ({ status: 'sending' })],
  ['to', (run) => ({ to: `person${pick(run, 100_000)}@example.com` })],
  ['to: none', () => ({ to: 'none@example.com' })],
  ['from', (run) => ({ from: `sender${run % 10}@postrider.example` })],
  ['from: none', () => ({ from: 'none@postrider.example' })],
  ['subject, a word', (run) => ({ subject: words[run % words.length] ?? '' })],
  ['subject, a number', (run) => ({ subject: String(pick(run, 1_000_000)) })],
  ['subject: none', () => ({ subject: 'no such subject' })],
  ['subject: none, of frequent parts', () => ({ subject: 'receipt invoice sale' })],
  ['subject, two letters', () => ({ subject: 'ee' })],
  ['subject, one letter: none', () => ({ subject: '§' })],
  ['template', (run) => ({ templateId: `tpl_${run % 10}` })],
  ['template: none', () => ({ templateId: 'tpl_none' })],
  ['tag', (run) => ({ tag: { name: 'campaign', value: `c${pick(run, 1_000)}` } })],
  ['tag: none', () => ({ tag: { name: 'campaign', value: 'none' } })],
  ['category', () => ({ category: 'transactional' })],
  ['category: none', () => ({ category: 'marketing' })],
  ['created_after, created_before', (run) => ({ createdAfter: now - emails + run, createdBefore: now - emails / 2 })],
  ['created_before: none', () => ({ createdBefore: now - emails })],
  ['from, status bounced', (run) => ({ from: `sender${run % 10}@postrider.example`, status: 'bounced' })],
  ['from, status: none', () => ({ from: 'sender1@postrider.example', status: 'failed' })],
  ['from, template: none', () => ({ from: 'sender1@postrider.example', templateId: 'tpl_2' })],
  ['mode, to: none', () => ({ mode: 'live', to: 'none@example.com' })],
]

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const measure = async (from: EmailStore, filter: Case[1]): Promise<number[]> => {
  const took: number[] = []
  for (let run = 0; run < runs; run++) {
    const query = { ...noFilter, workspace: anEmail().workspace, limit: 20, now, ...filter(run) }
    const startedAt = performance.now()
    await from.list(query)
    took.push(performance.now() - startedAt)
  }
  return took.sort((one, other) => one - other)
}

const report = async (on: EmailStore, synced: () => Promise<void>): Promise<void> => {
  const startedAt = cpuMs()
  await storeListed(on, { count: emails, now }, storedPerWrite, synced)
  const storedAt = cpuMs()
  while ((await on.fillListIndex(indexedPerStep)) === indexedPerStep) await synced()
  const perMail = (ms: number): string => ((ms * 1_000) / emails).toFixed(1)
  console.log(
    `${store}, ${emails} emails. CPU per email of this process: insert ${perMail(storedAt - startedAt)} µs, index ${perMail(cpuMs() - storedAt)} µs`,
  )
  console.log('| filter | median, ms | p95, ms |\n|---|---|---|')
  for (const [name, filter] of cases) {
    const took = await measure(on, filter)
    const at = (share: number): string => (took[Math.floor((took.length - 1) * share)] ?? 0).toFixed(1)
    console.log(`| ${name} | ${at(0.5)} | ${at(0.95)} |`)
  }
}

const onSqlite = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-lists-'))
  const onFatal = (reason: unknown): void => {
    throw reason
  }
  try {
    await using db = openDatabase({ path: join(folder, 'postrider.db'), onFatal })
    await report(sqliteEmails(db), () => db.synced())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const onMongo = async (): Promise<void> => {
  await using server = await startMongo({ jvm: 'throughput', heapGib: Number(heapGib) })
  const client = await new MongoClient(server.address, {
    ...clientOptions('bench'),
    socketTimeoutMS: 120_000,
  }).connect()
  try {
    const db = client.db(`lists_${randomBytes(4).toString('hex')}`)
    await ensureIndexes(db, emailIndexes)
    await report(mongoEmails(db), async () => {})
  } finally {
    await client.close()
  }
}

await (store === 'mongo' ? onMongo() : onSqlite())
