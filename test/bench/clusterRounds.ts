import { until } from '../support/until.ts'
import { startClusterContestant } from './cluster.ts'
import type { Measurement, Plan } from './measure.ts'
import { postfixContestant } from './postfix.ts'
import { startPostrider } from './postrider.ts'
import { runLoad } from './processes.ts'
import { inTurn, source } from './rounds.ts'
import { startSlowSink } from './sink.ts'

/** The cluster beside one process of the same code, and Postfix, in the same minutes. */
export type ClusterRound = {
  sourcePerSecond: number
  cluster: Measurement
  standalone: Measurement
  postfix: Measurement | null
}

/** What so many dispatchers deliver of a full queue to a receiver that takes its time. */
export type Scaling = { dispatchers: number; deliveredPerSecond: number; cpuMsPerMail: number }

/** How long that receiver takes over each message, in milliseconds. */
export const slowMs = 100

export const clusterRound = async (plan: Plan, number: number, tell: (line: string) => void): Promise<ClusterRound> => {
  const sourcePerSecond = await source()
  tell(`  smtp-source straight into the sink: ${Math.round(sourcePerSecond)}/s`)
  const starts = { postfix: postfixContestant, standalone: startPostrider, cluster: startClusterContestant }
  const { cluster, standalone, postfix = null } = await inTurn({ starts, plan, number }, tell)
  if (cluster === undefined || standalone === undefined) throw new Error('a contestant is missing')
  return { sourcePerSecond, cluster, standalone, postfix }
}

/** A queue of `count` is filled while the receiver stands still, and then delivered. */
export const scaling = async (dispatchers: number, count: number): Promise<Scaling> => {
  const sink = await startSlowSink(slowMs)
  await using stack = new AsyncDisposableStack()
  stack.defer(sink.close)
  const contestant = await startClusterContestant(sink.port, { replicas: { dispatcher: dispatchers } })
  stack.defer(contestant.close)
  const load = { ...contestant.target, connections: 64 }
  const warm = await runLoad({ ...load, count: 300, first: 1 })
  await until('the first are delivered', () => sink.taken() >= warm.accepted || undefined, 60_000)
  sink.pause()
  const { accepted } = await runLoad({ ...load, count, first: 301 })
  const [begun, cpuBefore] = [performance.now(), contestant.cpuMs()]
  sink.resume()
  const all = warm.accepted + accepted
  await until(`${dispatchers} dispatchers deliver`, () => sink.taken() >= all || undefined, 300_000)
  return {
    dispatchers,
    deliveredPerSecond: (accepted * 1_000) / (performance.now() - begun),
    cpuMsPerMail: (contestant.cpuMs() - cpuBefore) / accepted,
  }
}
