// `npm run bench [-- --short] [--pairs n] [--json file] [--from file] [--write] [--profile]`; docs/bench.md says what is measured and how.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Plan } from './measure.ts'
import { profile } from './profile.ts'
import { type BenchResult, machine, report } from './report.ts'
import { queued, type Round, round } from './rounds.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    pairs: { type: 'string' },
    json: { type: 'string' },
    from: { type: 'string' },
    write: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
})

const full: Plan = {
  pairs: 5,
  warmUp: 500,
  accept: [
    { connections: 1, count: 1_000 },
    { connections: 16, count: 5_000 },
    { connections: 64, count: 14_000 },
  ],
  bothMs: 16_000,
  queued: 100_000,
}

const short: Plan = {
  pairs: 1,
  warmUp: 300,
  accept: [
    { connections: 1, count: 300 },
    { connections: 16, count: 1_000 },
    { connections: 64, count: 2_700 },
  ],
  bothMs: 4_000,
  queued: 10_000,
}

const tell = (line: string): void => void process.stderr.write(`${line}\n`)

const run = async (plan: Plan): Promise<BenchResult> => {
  const rounds: Round[] = []
  for (let number = 0; number < plan.pairs; number++) {
    tell(`round ${number + 1} of ${plan.pairs}`)
    rounds.push(await round(plan, number, tell))
  }
  tell(`${plan.queued} queued`)
  const command = `npm run bench${values.short ? ' -- --short' : ''}`
  const at = new Date().toISOString()
  return { at, machine: machine(), command, plan, rounds, queued: await queued(plan.queued) }
}

/** Puts the measured part between its two marks. */
const writeDocs = (text: string): void => {
  const file = new URL('../../docs/bench.md', import.meta.url)
  const page = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    page.replace(/(<!-- measured -->\n)[\s\S]*(<!-- end -->)/, (_, begin, end) => `${begin}${text}${end}`),
  )
}

const chosen = values.short ? short : full
if (values.profile) process.stdout.write(await profile(chosen))
else {
  const result =
    values.from === undefined
      ? await run({ ...chosen, pairs: Number(values.pairs ?? chosen.pairs) })
      : (JSON.parse(readFileSync(values.from, 'utf8')) as BenchResult)
  process.stdout.write(report(result))
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`)
  if (values.write) writeDocs(report(result))
}
