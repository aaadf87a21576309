import { serviceNames } from '../cluster/member.ts'
import { backendNames } from './cluster.ts'
import type { Measurement } from './measure.ts'
import type { ClusterPlan } from './plans.ts'
import { atMost, cell, median, roundsText, show, table, targetTable } from './report.ts'
import { type ClusterRound, type Scaling, slowMs } from './rounds.ts'

export type ClusterResult = {
  at: string
  machine: string
  command: string
  plan: ClusterPlan
  rounds: ClusterRound[]
  scaling: Scaling[]
}

const partRow = (name: string, measured: readonly Measurement[]): string => {
  const queued = measured.map(({ partsCpuMsPerMail }) => partsCpuMsPerMail[name] ?? Number.NaN)
  const both = measured.map((one) => one.both.partsCpuMsPerMail[name] ?? Number.NaN)
  return `| ${name} | ${cell(queued, 3)} | ${cell(both, 3)} |`
}

const partTable = (measured: readonly Measurement[]): string[] => [
  '| CPU-ms per email | accepted, then delivered | both together |',
  '|---|---|---|',
  ...serviceNames.map((name) => partRow(name, measured)),
  `| **our processes** | ${cell(
    measured.map((one) => one.cpuMsPerMail),
    3,
  )} | ${cell(
    measured.map((one) => one.both.cpuMsPerMail),
    3,
  )} |`,
  ...backendNames.map((name) => partRow(name, measured)),
]

const scalingTable = (scaling: readonly Scaling[]): string[] => {
  const one = scaling[0]?.deliveredPerSecond ?? Number.NaN
  return [
    '| dispatchers | delivered/s | ÷ one | CPU-ms per email, from the queue to the sink |',
    '|---|---|---|---|',
    ...scaling.map(
      ({ dispatchers, deliveredPerSecond, cpuMsPerMail }) =>
        `| ${dispatchers} | ${show(deliveredPerSecond)} | ${show(deliveredPerSecond / one, 2)} | ${show(cpuMsPerMail, 3)} |`,
    ),
  ]
}

/** Returns the measured part about the cluster in docs/bench.md. */
export const clusterReport = ({ at, machine, command, plan, rounds, scaling }: ClusterResult): string => {
  const total = plan.accept.reduce((sum, step) => sum + step.count, 0)
  const cluster = rounds.map((round) => round.cluster)
  const own = [median(cluster.map((one) => one.cpuMsPerMail)), median(cluster.map((one) => one.both.cpuMsPerMail))]
  return [
    `Measured ${at.slice(0, 10)} by \`${command}\` on ${machine}: ${roundsText(rounds)}, ` +
      `${total.toLocaleString('en')} emails per queue, ${plan.bothMs / 1_000} s of both together, one process of each service. ` +
      `smtp-source sends directly to the sink: ${cell(rounds.map((one) => one.sourcePerSecond))}/s.`,
    '',
    ...table({
      cluster,
      standalone: rounds.map((round) => round.standalone),
      Postfix: rounds.map((round) => round.postfix),
    }),
    '',
    ...partTable(cluster),
    '',
    `Delivery of a full queue to a receiver that needs ${slowMs} ms per message:`,
    '',
    ...scalingTable(scaling),
    '',
    ...targetTable([
      atMost('CPU-ms per email of our processes', 1.6, own[0] ?? Number.NaN, 3),
      atMost('CPU-ms per email of our processes, both together', 1.6, own[1] ?? Number.NaN, 3),
    ]),
    '',
  ].join('\n')
}
