import { until } from '../support/until.ts'
import type { Contestant } from './contestant.ts'
import type { LoadResult } from './loadTypes.ts'
import { runLoad } from './processes.ts'
import type { Sink } from './sink.ts'

/** How much of everything; the short form tries the bench, the full form measures. */
export type Plan = {
  pairs: number
  warmUp: number
  /** Messages at 1, 16 and 64 connections; what they sum up to is delivered afterwards. */
  accept: readonly { connections: number; count: number }[]
  bothMs: number
}

export type Measurement = {
  name: string
  readyMs: number
  accept: { connections: number; perSecond: number; p50Ms: number; p99Ms: number }[]
  deliveredPerSecond: number
  /** CPU-ms a mail, from the first byte of a request to the last reply of the sink. */
  cpuMsPerMail: number
  /** The share of it until the answer; null where answering and delivering are one. */
  acceptCpuMsPerMail: number | null
  /** The same as `cpuMsPerMail` by part; empty where there are none. */
  partsCpuMsPerMail: Record<string, number>
  both: {
    acceptedPerSecond: number
    deliveredPerSecond: number
    cpuMsPerMail: number
    partsCpuMsPerMail: Record<string, number>
    p50Ms: number
    p99Ms: number
  }
  peakMb: number
}

const perSecond = (count: number, ms: number): number => (count * 1000) / ms

const whole = (name: string, result: LoadResult): LoadResult => {
  if (Object.keys(result.refused).length > 0) throw new Error(`${name} refused: ${JSON.stringify(result.refused)}`)
  return result
}

/** What has been spent since it was made: in all, and by part. */
const spending = ({ cpuMs, cpuMsByPart = () => ({}) }: Contestant) => {
  const [before, partsBefore] = [cpuMs(), cpuMsByPart()]
  return (mails: number) => ({
    cpuMsPerMail: (cpuMs() - before) / mails,
    partsCpuMsPerMail: Object.fromEntries(
      Object.entries(cpuMsByPart()).map(([part, ms]) => [part, (ms - (partsBefore[part] ?? 0)) / mails]),
    ),
  })
}

/** Sends a number of messages that no other load of this contestant has used. */
const sender = (contestant: Contestant) => {
  let first = 1
  return async (load: { connections: number; count?: number; durationMs?: number }): Promise<LoadResult> => {
    const result = whole(contestant.name, await runLoad({ ...contestant.target, ...load, first }))
    first += result.accepted
    return result
  }
}

/** One contestant, up and warm, through all parts. The sink stands still while a queue is filled: accepting alone is measured. */
export const measure = async (contestant: Contestant, sink: Sink, plan: Plan): Promise<Measurement> => {
  const send = sender(contestant)
  let expected = sink.taken()
  const delivered = (count: number, timeoutMs: number) => {
    expected += count
    return until(`${contestant.name} delivers ${count}`, () => sink.taken() >= expected || undefined, timeoutMs)
  }
  await send({ connections: 16, count: plan.warmUp })
  await delivered(plan.warmUp, 60_000)

  const spent = spending(contestant)
  if (contestant.queues) sink.pause()
  const accept: Measurement['accept'] = []
  let acceptMs = 0
  for (const step of plan.accept) {
    const { accepted, elapsedMs, p50Ms, p99Ms } = await send(step)
    accept.push({ connections: step.connections, perSecond: perSecond(accepted, elapsedMs), p50Ms, p99Ms })
    acceptMs += elapsedMs
  }
  const total = plan.accept.reduce((sum, step) => sum + step.count, 0)
  const acceptCpu = spent(total).cpuMsPerMail
  const begun = performance.now()
  if (contestant.queues) sink.resume()
  await delivered(total, 300_000)
  const deliverMs = contestant.queues ? performance.now() - begun : acceptMs
  const cpu = spent(total)

  const spentBoth = spending(contestant)
  const bothBegun = performance.now()
  const both = await send({ connections: 64, durationMs: plan.bothMs })
  await delivered(both.accepted, 300_000)
  const bothMs = performance.now() - bothBegun
  return {
    name: contestant.name,
    readyMs: contestant.readyMs,
    accept,
    deliveredPerSecond: perSecond(total, deliverMs),
    ...cpu,
    acceptCpuMsPerMail: contestant.queues ? acceptCpu : null,
    both: {
      acceptedPerSecond: perSecond(both.accepted, both.elapsedMs),
      deliveredPerSecond: perSecond(both.accepted, bothMs),
      ...spentBoth(both.accepted),
      p50Ms: both.p50Ms,
      p99Ms: both.p99Ms,
    },
    peakMb: contestant.memoryMb().peak,
  }
}
