import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem } from 'node:os'
import type { Measurement } from './measure.ts'
import type { StandalonePlan } from './plans.ts'
import type { Queued, Round } from './rounds.ts'

export type BenchResult = {
  at: string
  machine: string
  command: string
  plan: StandalonePlan
  rounds: Round[]
  queued: Queued
}

type Reading = (measurement: Measurement) => number
type Measured = Measurement | null

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2
}

const fileSystem = (): string => execFileSync('stat', ['-f', '-c', '%T', '.'], { encoding: 'utf8' }).trim()

/** Returns the description of the machine in reports. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, ${fileSystem()}, Node ${process.versions.node}`

const readings = (measured: readonly Measured[], reading: Reading): number[] =>
  measured.flatMap((one) => (one === null ? [] : [reading(one)])).filter((value) => !Number.isNaN(value))

/** Returns the median of the ratios within each round, which cancels the effect of the machine's other load. */
const ratio = (ones: readonly Measured[], others: readonly Measured[], reading: Reading): number | null => {
  const ratios = ones.flatMap((one, round) => {
    const other = others[round] ?? null
    return one === null || other === null ? [] : [reading(one) / reading(other)]
  })
  return ratios.some(Number.isNaN) || ratios.length === 0 ? null : median(ratios)
}

export const show = (value: number | null, digits = 0): string => (value === null ? '–' : value.toFixed(digits))

export const cell = (values: readonly number[], digits = 0): string =>
  values.length === 0
    ? '–'
    : `${show(median(values), digits)} (${show(Math.min(...values), digits)}–${show(Math.max(...values), digits)})`

const atConnections =
  (connections: number, field: 'perSecond' | 'p50Ms' | 'p99Ms'): Reading =>
  (measurement) =>
    measurement.accept.find((step) => step.connections === connections)?.[field] ?? Number.NaN

const rows: readonly [what: string, digits: number, reading: Reading][] = [
  ...[1, 16, 64].flatMap((c): [string, number, Reading][] => [
    [`accepted/s, ${c} connection${c === 1 ? '' : 's'}`, 0, atConnections(c, 'perSecond')],
    [`– p50 ms`, 2, atConnections(c, 'p50Ms')],
    [`– p99 ms`, 1, atConnections(c, 'p99Ms')],
  ]),
  ['delivered/s, full queue', 0, (m) => m.deliveredPerSecond],
  ['CPU-ms per email, accepted and delivered', 3, (m) => m.cpuMsPerMail],
  ['– of which before the response', 3, (m) => m.acceptCpuMsPerMail ?? Number.NaN],
  ['both together: accepted/s', 0, (m) => m.both.acceptedPerSecond],
  ['– delivered/s', 0, (m) => m.both.deliveredPerSecond],
  ['– p99 ms', 1, (m) => m.both.p99Ms],
  ['– CPU-ms per email', 3, (m) => m.both.cpuMsPerMail],
  ['start to ready, ms', 0, (m) => m.readyMs],
]

/** Returns a table of all readings, and the ratios of the first contestant to each other one. */
export const table = (all: Record<string, readonly Measured[]>): string[] => {
  const [first = [], ...others] = Object.values(all)
  const [, ...otherNames] = Object.keys(all)
  const heads = ['median (lowest–highest)', ...Object.keys(all), ...otherNames.map((name) => `÷ ${name}`)]
  return [
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...rows.map(([what, digits, reading]) => {
      const cells = [first, ...others].map((one) => cell(readings(one, reading), digits))
      const ratios = others.map((other) => show(ratio(first, other, reading), 2))
      return `| ${[what, ...cells, ...ratios].join(' | ')} |`
    }),
  ]
}

export type Target = { what: string; required: string; got: number | null; digits: number; met: boolean | null }

const atLeast = (what: string, least: number, got: number | null): Target => ({
  what,
  required: `≥ ${least} ×`,
  got,
  digits: 2,
  met: got === null ? null : got >= least,
})

export const atMost = (what: string, max: number, got: number, digits: number): Target => ({
  what,
  required: `≤ ${max}`,
  got,
  digits,
  met: got <= max,
})

const byName = (rounds: readonly Round[]) => ({
  Postrider: rounds.map(({ postrider }) => postrider),
  Postfix: rounds.map(({ postfix }) => postfix),
  inline: rounds.map(({ inline }) => inline),
})

export const targets = ({ rounds, queued }: Pick<BenchResult, 'rounds' | 'queued'>): Target[] => {
  const { Postrider, Postfix, inline } = byName(rounds)
  const own = (reading: Reading) => median(readings(Postrider, reading))
  const both: Reading = (m) => m.both.deliveredPerSecond
  const at64: Reading = atConnections(64, 'perSecond')
  return [
    atMost(
      'CPU-ms per email',
      1,
      own((m) => m.cpuMsPerMail),
      3,
    ),
    atMost(
      'CPU-ms per email, both together',
      1,
      own((m) => m.both.cpuMsPerMail),
      3,
    ),
    atLeast('accept at 64 connections ÷ Postfix', 3, ratio(Postrider, Postfix, at64)),
    atLeast('accept at 64 connections ÷ inline', 2, ratio(Postrider, inline, at64)),
    atLeast(
      'deliver a full queue ÷ Postfix',
      1.5,
      ratio(Postrider, Postfix, (m) => m.deliveredPerSecond),
    ),
    atLeast(
      'deliver a full queue ÷ inline',
      1,
      ratio(Postrider, inline, (m) => m.deliveredPerSecond),
    ),
    atLeast('deliver while accepting ÷ Postfix', 1.5, ratio(Postrider, Postfix, both)),
    atLeast('deliver while accepting ÷ inline', 1, ratio(Postrider, inline, both)),
    atMost('p50 ms at one connection', 3, own(atConnections(1, 'p50Ms')), 2),
    atMost(`RSS MiB with ${queued.count.toLocaleString('en')} queued`, 250, queued.rssMb, 0),
    atMost(
      'start to ready, ms',
      1_500,
      own((m) => m.readyMs),
      0,
    ),
  ]
}

const verdict = (met: boolean | null): string => (met === null ? 'not measured' : met ? 'met' : '**missed**')

export const targetTable = (all: readonly Target[]): string[] => [
  '| target | required | measured | |',
  '|---|---|---|---|',
  ...all.map((t) => `| ${t.what} | ${t.required} | ${show(t.got, t.digits)} | ${verdict(t.met)} |`),
]

export const roundsText = ({ length }: readonly unknown[]): string => `${length} round${length === 1 ? '' : 's'}`

/** Returns the measured part about standalone in docs/bench.md. */
export const report = (result: BenchResult): string => {
  const { rounds, plan, queued } = result
  const total = plan.accept.reduce((sum, step) => sum + step.count, 0)
  return [
    `Measured ${result.at.slice(0, 10)} by \`${result.command}\` on ${result.machine}: ${roundsText(rounds)}, ` +
      `${total.toLocaleString('en')} emails per queue, ${plan.bothMs / 1_000} s of both together. ` +
      `smtp-source sends directly to the sink: ${cell(rounds.map((one) => one.sourcePerSecond))}/s.`,
    '',
    ...table(byName(rounds)),
    '',
    `${queued.count.toLocaleString('en')} emails queued: RSS ${show(queued.rssMb)} MiB, peak ${show(queued.peakMb)} MiB. ` +
      `Start to ready after a SIGKILL: ${show(queued.readyAgainMs)} ms.`,
    '',
    ...targetTable(targets(result)),
    '',
  ].join('\n')
}
