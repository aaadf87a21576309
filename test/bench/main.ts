// `npm run bench [-- [cluster] [--short] [--pairs n] [--json file] [--from file] [--write] [--profile]]`; docs/bench.md
// describes what is measured and how.
//
// plans.ts: amounts · rounds.ts: all contestants in turn · measure.ts: one contestant · report.ts, clusterReport.ts: tables
// contestants.ts, cluster.ts: what is measured · load.ts, dialogues.ts: the load generator · sink.ts: the receiver
// profile.ts: CPU profiles · operations.ts, countingProxy.ts: operations per mail, a separate program
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { inRounds, step } from '../support/progress.ts'
import { type ClusterResult, clusterReport } from './clusterReport.ts'
import { clusterPlans, type Plan, standalonePlans } from './plans.ts'
import { profileCluster, profileStandalone } from './profile.ts'
import { type BenchResult, machine, report } from './report.ts'
import { clusterRound, measureQueued, measureScaling, standaloneRound } from './rounds.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    pairs: { type: 'string' },
    json: { type: 'string' },
    from: { type: 'string' },
    write: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
})

const log = (line: string): void => void process.stderr.write(`${line}\n`)

const header = () => {
  const words = [...positionals, ...(values.short ? ['--short'] : [])]
  const command = ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ')
  return { at: new Date().toISOString(), machine: machine(), command }
}

const size = values.short ? 'short' : 'full'
const pairsOf = (plan: Plan): number => Number(values.pairs ?? plan.pairs)

const standalone = {
  mark: 'measured',
  profile: () => profileStandalone(standalonePlans[size]),
  report,
  run: async (): Promise<BenchResult> => {
    const plan = standalonePlans[size]
    const rounds = await inRounds(pairsOf(plan), (number) => standaloneRound(plan, number, log), { print: log })
    const what = `memory and restart with ${plan.queued} mails queued`
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

await (positionals[0] === 'cluster' ? main(cluster) : main(standalone))
