// `npm run bench [-- [cluster|events|batch] [--short] [--signed] [--pairs n] [--json file] [--from file] [--write]
// [--profile]]`; `--help` explains them, and docs/bench.md describes what is measured and how.
//
// plans.ts: amounts · rounds.ts: all contestants in turn · measure.ts: one contestant
// report.ts, clusterReport.ts: tables
// eventsRound.ts, eventsSender.ts, eventsReport.ts: with events, what webhooks cost
// signedReport.ts, signatureCost.ts: with --signed, what signatures cost · batchCost.ts: single sends and batches
// contestants.ts, cluster.ts: what is measured · load.ts, dialogues.ts: the load generator · sink.ts: the receiver
// profile.ts: CPU profiles · operations.ts, countingProxy.ts: operations per email, a separate program
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { inRounds, step } from '../support/progress.ts'
import { type BatchResult, batchReport, measureBatches } from './batchCost.ts'
import { type ClusterResult, clusterReport } from './clusterReport.ts'
import { type EventsResult, eventsReport } from './eventsReport.ts'
import { eventsPlans, eventsRound } from './eventsRound.ts'
import { clusterPlans, type Plan, standalonePlans } from './plans.ts'
import { profileCluster, profileStandalone } from './profile.ts'
import { type BenchResult, machine, report } from './report.ts'
import { clusterRound, measureQueued, measureScaling, signedRound, standaloneRound } from './rounds.ts'
import { measureSignatures } from './signatureCost.ts'
import { type SignedResult, signedReport } from './signedReport.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    signed: { type: 'boolean', default: false },
    pairs: { type: 'string' },
    json: { type: 'string' },
    from: { type: 'string' },
    write: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const help = `npm run bench [-- [what] [options]]

  (nothing)      mail in one process, next to Postfix and an inline script
  cluster        mail in a cluster, next to one process and Postfix
  events         webhooks, next to an inline script that posts with undici
  batch          single sends and batches of 100

  --short        one small round, which checks that the bench works
  --signed       mail in one process, signed and unsigned
  --pairs n      rounds
  --json file    writes the measured values to a file
  --from file    reads them from such a file, and measures nothing
  --write        replaces the measured part in docs/bench.md
  --profile      shows where the CPU time of mail is spent, instead of the table
  --help         shows this text

docs/bench.md describes what is measured and how.
`

const log = (line: string): void => void process.stderr.write(`${line}\n`)

const header = () => {
  const words = [...positionals, ...(values.signed ? ['--signed'] : []), ...(values.short ? ['--short'] : [])]
  const command = ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ')
  return { at: new Date().toISOString(), machine: machine(), command }
}

const size = values.short ? 'short' : 'full'
const pairsOf = (plan: Pick<Plan, 'pairs'>): number => Number(values.pairs ?? plan.pairs)

const standalone = {
  mark: 'measured',
  profile: () => profileStandalone(standalonePlans[size]),
  report,
  run: async (): Promise<BenchResult> => {
    const plan = standalonePlans[size]
    const rounds = await inRounds(pairsOf(plan), (number) => standaloneRound(plan, number, log), { print: log })
    const what = `memory and restart with ${plan.queued} emails queued`
    const queued = await step(what, () => measureQueued(plan.queued), { print: log })
    return { ...header(), plan, rounds, queued }
  },
}

const cluster = {
  mark: 'cluster, measured',
  profile: () => profileCluster(clusterPlans[size]),
  report: clusterReport,
  run: async (): Promise<ClusterResult> => {
    const plan = clusterPlans[size]
    const rounds = await inRounds(pairsOf(plan), (number) => clusterRound(plan, number, log), { print: log })
    log('delivery by 1, 2 and 3 dispatchers, one round each')
    const scaling = await inRounds(3, (number) => measureScaling(number + 1, plan.scaled), { print: log })
    return { ...header(), plan, rounds, scaling }
  },
}

const signed = {
  mark: 'signed, measured',
  profile: standalone.profile,
  report: signedReport,
  run: async (): Promise<SignedResult> => {
    const plan = standalonePlans[size]
    const costs = await inRounds(pairsOf(plan), () => measureSignatures(), { print: log })
    const rounds = await inRounds(pairsOf(plan), (number) => signedRound(plan, number, log), { print: log })
    return { ...header(), plan, rounds, costs }
  },
}

const events = {
  mark: 'events, measured',
  profile: standalone.profile,
  report: eventsReport,
  run: async (): Promise<EventsResult> => {
    const plan = eventsPlans[size]
    const rounds = await inRounds(pairsOf(plan), (number) => eventsRound(plan, number, log), { print: log })
    return { ...header(), plan, rounds }
  },
}

const batch = {
  mark: 'batch, measured',
  profile: standalone.profile,
  report: batchReport,
  run: async (): Promise<BatchResult> => {
    const mails = values.short ? 2_000 : 10_000
    const rounds = await inRounds(pairsOf(standalonePlans[size]), () => measureBatches(mails), { print: log })
    return { ...header(), mails, rounds }
  },
}

/** Replaces the measured part between its two marks in docs/bench.md. */
const writeDocs = (mark: string, text: string): void => {
  const file = new URL('../../docs/bench.md', import.meta.url)
  const [begin, end] = [`<!-- ${mark} -->\n`, '<!-- end -->']
  const page = readFileSync(file, 'utf8')
  const at = page.indexOf(begin) + begin.length
  if (at < begin.length) throw new Error(`docs/bench.md does not contain ${begin}`)
  writeFileSync(file, page.slice(0, at) + text + page.slice(page.indexOf(end, at)))
}

type Bench<Result> = {
  mark: string
  run(): Promise<Result>
  report(result: Result): string
  profile(): Promise<string>
}

const main = async <Result>(bench: Bench<Result>): Promise<void> => {
  if (values.profile) {
    process.stdout.write(await bench.profile())
    return
  }
  const { from, json, write } = values
  const result = from === undefined ? await bench.run() : (JSON.parse(readFileSync(from, 'utf8')) as Result)
  const text = bench.report(result)
  process.stdout.write(text)
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`)
  if (write) writeDocs(bench.mark, text)
}

if (values.help) process.stdout.write(help)
else if (positionals[0] === 'cluster') await main(cluster)
else if (positionals[0] === 'events') await main(events)
else if (positionals[0] === 'batch') await main(batch)
else await (values.signed ? main(signed) : main(standalone))
