import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
import { anEmail } from '../support/anEmail.ts'
import { makeDataDirectory } from '../support/standalone.ts'
import { type Postrider, startPostrider } from './contestants.ts'
import { runLoad } from './processes.ts'
import { startSink } from './sink.ts'

/*
 * Measures what the removal of old mail costs those who send: `node test/bench/pruning.ts [mails] [connections]`. Two
 * processes start with the same old mail; one stores it for longer, the other removes the content of all of it. Short
 * slices of load alternate between them until all is removed. Prints the median of each side's p99 and their ratio.
 */

const dayMs = 86_400_000
const mails = Number(process.argv[2] ?? 200_000)
const connections = Number(process.argv[3] ?? 16)
const sliceMails = 800
const storedPerWrite = 500

const content: Content = { html: '<p>old</p>'.repeat(400), text: 'old '.repeat(100), headers: {}, attachments: [] }

/** Stores delivered mail of 31 days ago. */
const fill = async (data: string): Promise<void> => {
  const onFatal = (reason: unknown): void => {
    throw reason
  }
  await using db = openDatabase({ path: join(data, 'postrider.db'), onFatal })
  const emails = sqliteEmails(db)
  const start = Date.now() - 31 * dayMs
  const template = anEmail()
  const recipients = template.recipients.map((one) => ({ ...one, status: 'delivered' as const, nextAt: null }))
  for (let from = 0; from < mails; from += storedPerWrite) {
    const batch = Array.from({ length: Math.min(storedPerWrite, mails - from) }, (_, n): Email => {
      const createdAt = start + from + n
      return { ...template, id: newId('em'), workspace: 'ws_old', createdAt, scheduledAt: null, recipients }
    })
    await Promise.all(batch.map((email) => emails.insert(email, content)))
    await db.synced()
  }
}

const purgedBy = async ({ target }: Postrider): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${target.port}/metrics`)).text()
  return Number(/^postrider_mail_purged_total\{[^}]*part="content"[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0)
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const [kept, pruned] = [await makeDataDirectory(), await makeDataDirectory()]
await fill(kept)
await cp(kept, pruned, { recursive: true })
await using sink = await startSink()
const longer = { POSTRIDER_RETENTION_CONTENT_DAYS: '90', POSTRIDER_RETENTION_RECORD_DAYS: '90' }
const sideOf = async (data: string, env: Record<string, string>) => ({
  p99: [] as number[],
  sent: 0,
  postrider: await startPostrider(sink.port, { data, env }),
})
const without = await sideOf(kept, longer)
const during = await sideOf(pruned, {})
const sides = [without, during]
const begun = performance.now()
for (let round = 0, done = 0; done < mails; round++) {
  for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
    const load = { ...side.postrider.target, connections, count: sliceMails, first: side.sent + 1 }
    const { accepted, p99Ms } = await runLoad(load)
    if (accepted !== sliceMails) throw new Error(`${accepted} of ${sliceMails} emails were accepted`)
    side.sent += accepted
    side.p99.push(p99Ms)
  }
  done = await purgedBy(during.postrider)
  process.stderr.write(`${done} of ${mails} removed\n`)
}
const seconds = (performance.now() - begun) / 1_000
const [p99Without, p99During] = [median(without.p99), median(during.p99)]
const ratio = (p99During / p99Without).toFixed(2)
process.stdout.write(
  `${mails} emails removed in ${seconds.toFixed(0)} s, ${during.p99.length} slices of ${sliceMails} emails at ${connections} connections\n` +
    `accept p99, median of the slices: ${p99Without.toFixed(1)} ms without, ${p99During.toFixed(1)} ms while pruning, ratio ${ratio} (target: at most 2)\n`,
)
for (const { postrider } of sides) await postrider.close()
for (const data of [kept, pruned]) await rm(data, { recursive: true, force: true })
