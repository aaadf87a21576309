import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { removeDataDirectory } from '../support/standalone.ts'
import type { Contestant } from './contestant.ts'
import { startInline } from './inline.ts'
import { type Measurement, measure, type Plan } from './measure.ts'
import { postfixContestant } from './postfix.ts'
import { startPostrider } from './postrider.ts'
import { runLoad } from './processes.ts'
import { type Sink, startSink } from './sink.ts'

/** All contestants in the same minutes. `sourcePerSecond`: smtp-source straight into the sink, which tells how loaded the
 * machine was. */
export type Round = {
  sourcePerSecond: number
  postrider: Measurement
  postfix: Measurement | null
  inline: Measurement
}

export type Queued = { count: number; rssMb: number; peakMb: number; readyAgainMs: number }

const withSink = async <T>(work: (sink: Sink) => Promise<T>): Promise<T> => {
  const sink = await startSink()
  try {
    return await work(sink)
  } finally {
    await sink.close()
  }
}

const contest = (start: (sinkPort: number) => Promise<Contestant>, plan: Plan): Promise<Measurement> =>
  withSink(async (sink) => {
    const contestant = await start(sink.port)
    try {
      return await measure(contestant, sink, plan)
    } finally {
      await contestant.close()
    }
  })

/** Messages a second by smtp-source straight into the sink. */
export const source = (): Promise<number> =>
  withSink(async (sink) => {
    const begun = performance.now()
    // Not the synchronous call: somebody must go on reading what the sink prints, or it stands still.
    await promisify(execFile)('smtp-source', ['-s', '10', '-m', '10000', '-l', '4096', '-d', `127.0.0.1:${sink.port}`])
    return 10_000_000 / (performance.now() - begun)
  })

type Start = (sinkPort: number) => Promise<Contestant>
type Turns<Name extends string> = { starts: Record<Name, Start | null>; plan: Plan; number: number }

/** One after the other; every other round goes the other way round, so that nobody is always first. */
export const inTurn = async <Name extends string>(
  { starts, plan, number }: Turns<Name>,
  tell: (line: string) => void,
): Promise<Partial<Record<Name, Measurement>>> => {
  const order = Object.keys(starts) as Name[]
  const results: Partial<Record<Name, Measurement>> = {}
  for (const name of number % 2 === 0 ? order : order.toReversed()) {
    const start = starts[name]
    if (start === null) continue
    const measured = await contest(start, plan)
    results[name] = measured
    tell(`  ${JSON.stringify(measured)}`)
  }
  return results
}

/** One round. */
export const round = async (plan: Plan, number: number, tell: (line: string) => void): Promise<Round> => {
  const sourcePerSecond = await source()
  tell(`  smtp-source straight into the sink: ${Math.round(sourcePerSecond)}/s`)
  const starts = { postfix: postfixContestant, postrider: startPostrider, inline: startInline }
  const { postrider, inline, postfix = null } = await inTurn({ starts, plan, number }, tell)
  if (postrider === undefined || inline === undefined) throw new Error('a contestant is missing')
  return { sourcePerSecond, postrider, postfix, inline }
}

/** Memory with so many mails waiting for a sink that stands still, and the start on what a SIGKILL left of them. */
export const queued = (count: number): Promise<Queued> =>
  withSink(async (sink) => {
    const first = await startPostrider(sink.port)
    sink.pause()
    const { accepted } = await runLoad({ ...first.target, connections: 64, count, first: 1 })
    const { rss, peak } = first.memoryMb()
    await first.kill()
    const again = await startPostrider(sink.port, { data: first.data })
    await again.kill()
    await removeDataDirectory(first.data)
    return { count: accepted, rssMb: rss, peakMb: peak, readyAgainMs: again.readyMs }
  })
