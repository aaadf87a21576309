import { join } from 'node:path'
import process from 'node:process'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteStats } from '@postrider/adapters/sqlite/events/stats.ts'
import { platformWorkspace } from '@postrider/domain/domains/domain.ts'
import { catchUp } from '@postrider/intake/stats.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { smtpSink } from '../support/smtpSink.ts'
import { removeDataDirectory } from '../support/standalone.ts'
import { until } from '../support/until.ts'
import { startPostrider } from './contestants.ts'
import { runLoad } from './processes.ts'

/*
 * Measures what the statistics of an email cost: `node test/bench/statsCost.ts [mails]`. A process accepts and delivers
 * mail, which gives the CPU time of an email. Then this process counts the same mail several times, without other work.
 */

const mails = Number(process.argv[2] ?? 10_000)
const [connections, rounds] = [16, 5]

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

await using sink = await smtpSink({ keep: 'counts' })
const postrider = await startPostrider(sink.port)
await runLoad({ ...postrider.target, connections, count: 2_000, first: 1 })
const before = postrider.cpuMs()
const { accepted } = await runLoad({ ...postrider.target, connections, count: mails, first: 2_001 })
if (accepted !== mails) throw new Error(`${accepted} of ${mails} emails were accepted`)
const isIdle = async (): Promise<true | undefined> => {
  const text = await (await fetch(`http://127.0.0.1:${postrider.target.port}/metrics`)).text()
  const depths = [...text.matchAll(/^postrider_mail_queue_depth\{[^}]*\} (\d+)/gm)]
  return depths.length > 0 && depths.every(([, depth]) => depth === '0') ? true : undefined
}
await until('all mail is delivered', isIdle, 600_000, 1_000)
const mailMs = (postrider.cpuMs() - before) / mails
await postrider.kill()

const onFatal = (reason: unknown): void => {
  throw reason
}
const costs: number[] = []
{
  await using db = openDatabase({ path: join(postrider.data, 'postrider.db'), onFatal })
  const stats = sqliteStats(db)
  // The first has the system mail.
  const workspace = (await stats.nextWorkspace(platformWorkspace)) ?? ''
  for (let round = 0; round <= rounds; round++) {
    db.write(() => {
      for (const table of ['stats_positions', 'stats_buckets']) db.prepare(`DELETE FROM ${table}`).run()
    })
    await db.synced()
    const from = process.cpuUsage()
    await catchUp({ stats, slices: makeSlices() }, { workspace, mode: 'live' }, Date.now())
    await db.synced()
    const { user, system } = process.cpuUsage(from)
    // The first round compiles the code.
    if (round > 0) costs.push((user + system) / 1_000 / (mails + 2_000))
  }
}
await removeDataDirectory(postrider.data)
const cost = median(costs)
process.stdout.write(
  `an email costs ${mailMs.toFixed(3)} CPU-ms; its statistics ${cost.toFixed(4)} CPU-ms, ${((100 * cost) / mailMs).toFixed(1)} % (target: at most 3 %)\n`,
)
