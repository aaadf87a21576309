import { until } from '../support/until.ts'
import type { Contestant } from './contestants.ts'
import type { LoadResult } from './load.ts'
import type { Plan } from './plans.ts'
import { runLoad } from './processes.ts'
import type { Sink } from './sink.ts'

export type Measurement = {
  name: string
  readyMs: number
  accept: { connections: number; perSecond: number; p50Ms: number; p99Ms: number }[]
  deliveredPerSecond: number
  /** From the first byte of a request to the last reply of the sink. */
  cpuMsPerMail: number
  /** The part of it before the response; null if accepting and delivering are one step. */
  acceptCpuMsPerMail: number | null
  /** `cpuMsPerMail` by part; empty if the contestant has no parts. */
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

/** Returns a function that divides the CPU time used since this call by a number of emails: in total and by part. */
const cpuMeter = ({ cpuMs, cpuMsByPart = () => ({}) }: Contestant) => {
  const [before, partsBefore] = [cpuMs(), cpuMsByPart()]
  return (mails: number) => ({
    cpuMsPerMail: (cpuMs() - before) / mails,
    partsCpuMsPerMail: Object.fromEntries(
      Object.entries(cpuMsByPart()).map(([part, ms]) => [part, (ms - (partsBefore[part] ?? 0)) / mails]),
    ),
  })
}

/** Returns a function that sends messages with numbers that this contestant has not received yet. */
const sender = (contestant: Contestant) => {
  let first = 1
  return async (load: { connections: number; count?: number; durationMs?: number }): Promise<LoadResult> => {
    const result = await runLoad({ ...contestant.target, ...load, first })
    if (Object.keys(result.refused).length > 0) {
      throw new Error(`${contestant.name} refused messages: ${JSON.stringify(result.refused)}`)
    }
    first += result.accepted
    return result
  }
}

/**
 * Measures one contestant: warm-up, accept, deliver, both at the same time. The sink is stopped while the queue is
 * filled, so that the first part measures accepting only.
 */
export const measure = async (contestant: Contestant, sink: Sink, plan: Plan): Promise<Measurement> => {
  const send = sender(contestant)
  let expected = sink.received()
  const delivered = (count: number, timeoutMs: number) => {
    expected += count
    // The time counts, so the checks stay frequent.
    return until(`${contestant.name} delivers ${count}`, () => sink.received() >= expected || undefined, timeoutMs, 15)
  }
  await send({ connections: 16, count: plan.warmUp })
  await delivered(plan.warmUp, 60_000)

  const used = cpuMeter(contestant)
  if (contestant.queues) sink.pause()
  const accept: Measurement['accept'] = []
  let acceptMs = 0
  for (const step of plan.accept) {
    const { accepted, elapsedMs, p50Ms, p99Ms } = await send(step)
    accept.push({ connections: step.connections, perSecond: perSecond(accepted, elapsedMs), p50Ms, p99Ms })
    acceptMs += elapsedMs
  }
  const total = plan.accept.reduce((sum, step) => sum + step.count, 0)
  const acceptCpu = used(total).cpuMsPerMail
  const begun = performance.now()
  if (contestant.queues) sink.resume()
  await delivered(total, 300_000)
  const deliverMs = contestant.queues ? performance.now() - begun : acceptMs
  const cpu = used(total)

  const usedByBoth = cpuMeter(contestant)
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
      ...usedByBoth(both.accepted),
      p50Ms: both.p50Ms,
      p99Ms: both.p99Ms,
    },
    peakMb: contestant.memoryMb().peak,
  }
}
