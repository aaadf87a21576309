import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { step } from '../support/progress.ts'
import { removeDataDirectory } from '../support/standalone.ts'
import { until } from '../support/until.ts'
import { startClusterContestant } from './cluster.ts'
import {
  postfixContestant,
  type StartContestant,
  startInline,
  startPostrider,
  startSigningInline,
  startSigningPostrider,
} from './contestants.ts'
import { type Measurement, measure } from './measure.ts'
import type { Plan } from './plans.ts'
import { runLoad } from './processes.ts'
import { startSink, startSlowSink } from './sink.ts'

/** All contestants in the same minutes. `sourcePerSecond`: smtp-source to the sink, a measure of the machine's load. */
export type Round = {
  sourcePerSecond: number
  postrider: Measurement
  postfix: Measurement | null
  inline: Measurement
}

/** The cluster, one process of the same code, and Postfix, in the same minutes. */
export type ClusterRound = {
  sourcePerSecond: number
  cluster: Measurement
  standalone: Measurement
  postfix: Measurement | null
}

type Log = (line: string) => void

const contest = async (start: StartContestant, plan: Plan): Promise<Measurement> => {
  await using sink = await startSink()
  const contestant = await start(sink.port)
  try {
    return await measure(contestant, sink, plan)
  } finally {
    await contestant.close()
  }
}

/** Returns messages per second from smtp-source directly to the sink. */
const measureSource = async (log: Log): Promise<number> => {
  await using sink = await startSink()
  const begun = performance.now()
  // Not execFileSync: this process must read the output of the sink, which otherwise blocks.
  await promisify(execFile)('smtp-source', ['-s', '10', '-m', '10000', '-l', '4096', '-d', `127.0.0.1:${sink.port}`])
  const perSecond = 10_000_000 / (performance.now() - begun)
  log(`  smtp-source sends directly to the sink: ${Math.round(perSecond)}/s`)
  return perSecond
}

/** One readable line of what the report shows in tables. */
export const measurementText = ({ accept, deliveredPerSecond, cpuMsPerMail, peakMb }: Measurement): string => {
  const accepted = accept.map(
    ({ connections, perSecond, p50Ms, p99Ms }) =>
      `${Math.round(perSecond)}/s with ${connections === 1 ? '1 connection' : `${connections} connections`} (p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms)`,
  )
  const cost = `${cpuMsPerMail.toFixed(2)} ms CPU per email, at most ${Math.round(peakMb)} MiB`
  return `accepts ${accepted.join(', ')}; delivers ${Math.round(deliveredPerSecond)}/s; ${cost}`
}

type Turns<Name extends string> = { starts: Record<Name, StartContestant | null>; plan: Plan; number: number }

/** Measures one contestant after the other, in every second round in the opposite order. */
const inTurn = async <Name extends string>(
  { starts, plan, number }: Turns<Name>,
  log: Log,
): Promise<Partial<Record<Name, Measurement>>> => {
  const order = Object.keys(starts) as Name[]
  const results: Partial<Record<Name, Measurement>> = {}
  for (const name of number % 2 === 0 ? order : order.toReversed()) {
    const start = starts[name]
    if (start === null) continue
    const measured = await step(`  ${name}`, () => contest(start, plan), { print: log })
    results[name] = measured
    log(`  ${name}: ${measurementText(measured)}`)
  }
  return results
}

/** Measures one round with standalone as the subject. */
export const standaloneRound = async (plan: Plan, number: number, log: Log): Promise<Round> => {
  const sourcePerSecond = await measureSource(log)
  const starts = { postfix: postfixContestant, postrider: startPostrider, inline: startInline }
  const { postrider, inline, postfix = null } = await inTurn({ starts, plan, number }, log)
  if (postrider === undefined || inline === undefined) throw new Error('a contestant is missing')
  return { sourcePerSecond, postrider, postfix, inline }
}

/** Signed and unsigned mail, each by Postrider and by the script with nodemailer, in the same minutes. */
export type SignedRound = {
  sourcePerSecond: number
  signed: Measurement
  unsigned: Measurement
  inlineSigned: Measurement
  inline: Measurement
}

/** Measures one round with signed mail as the subject. */
export const signedRound = async (plan: Plan, number: number, log: Log): Promise<SignedRound> => {
  const sourcePerSecond = await measureSource(log)
  const starts = {
    signed: startSigningPostrider,
    unsigned: startPostrider,
    inlineSigned: startSigningInline,
    inline: startInline,
  }
  const { signed, unsigned, inlineSigned, inline } = await inTurn({ starts, plan, number }, log)
  if (!signed || !unsigned || !inlineSigned || !inline) throw new Error('a contestant is missing')
  return { sourcePerSecond, signed, unsigned, inlineSigned, inline }
}

/** Measures one round with the cluster as the subject. */
export const clusterRound = async (plan: Plan, number: number, log: Log): Promise<ClusterRound> => {
  const sourcePerSecond = await measureSource(log)
  const starts = { postfix: postfixContestant, standalone: startPostrider, cluster: startClusterContestant }
  const { cluster, standalone, postfix = null } = await inTurn({ starts, plan, number }, log)
  if (cluster === undefined || standalone === undefined) throw new Error('a contestant is missing')
  return { sourcePerSecond, cluster, standalone, postfix }
}

export type Queued = { count: number; rssMb: number; peakMb: number; readyAgainMs: number }

/** Measures memory with `count` emails queued for a stopped sink, and the start on the same data after a SIGKILL. */
export const measureQueued = async (count: number): Promise<Queued> => {
  await using sink = await startSink()
  const first = await startPostrider(sink.port)
  sink.pause()
  const { accepted } = await runLoad({ ...first.target, connections: 64, count, first: 1 })
  const { rss, peak } = first.memoryMb()
  await first.kill()
  const again = await startPostrider(sink.port, { data: first.data })
  await again.kill()
  await removeDataDirectory(first.data)
  return { count: accepted, rssMb: rss, peakMb: peak, readyAgainMs: again.readyMs }
}

/** The rate at which a number of dispatchers delivers a full queue to a slow receiver. */
export type Scaling = { dispatchers: number; deliveredPerSecond: number; cpuMsPerMail: number }

/** Time that the slow receiver needs per message, in milliseconds. */
export const slowMs = 100

/** Fills a queue of `count` while the receiver is stopped, and measures its delivery. */
export const measureScaling = async (dispatchers: number, count: number): Promise<Scaling> => {
  await using stack = new AsyncDisposableStack()
  const sink = stack.use(await startSlowSink(slowMs))
  const contestant = await startClusterContestant(sink.port, { replicas: { dispatcher: dispatchers } })
  stack.defer(contestant.close)
  const load = { ...contestant.target, connections: 64 }
  const warm = await runLoad({ ...load, count: 300, first: 1 })
  await until('the warm-up is delivered', () => sink.received() >= warm.accepted || undefined, 60_000)
  sink.pause()
  const { accepted } = await runLoad({ ...load, count, first: 301 })
  const [begun, cpuBefore] = [performance.now(), contestant.cpuMs()]
  sink.resume()
  const all = warm.accepted + accepted
  // The time counts, so the checks stay frequent.
  await until(`${dispatchers} dispatchers deliver the queue`, () => sink.received() >= all || undefined, 300_000, 15)
  return {
    dispatchers,
    deliveredPerSecond: (accepted * 1_000) / (performance.now() - begun),
    cpuMsPerMail: (contestant.cpuMs() - cpuBefore) / accepted,
  }
}
