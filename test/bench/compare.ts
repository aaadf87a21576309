import { resolve } from 'node:path'
import { until } from '../support/until.ts'
import type { Postrider } from './contestants.ts'
import type { runLoad } from './processes.ts'
import type { Sink } from './sink.ts'

/*
 * Compares the CPU time per email of two working trees: `node test/bench/compare.ts <before> <after> [rounds]`. Both
 * run at the same time, and short slices of load alternate between them, so that other work on the machine affects both
 * alike. Prints the mean of each tree, and the mean of the ratios of the rounds with its standard error.
 */

/** Emails of one slice. CPU time of a process has steps of 10 ms, so fewer emails make a slice inexact. */
const sliceMails = 400
/** The compilers of V8 need some thousands of emails. */
const warmUpSlices = 8

type Part = 'accept' | 'accept, then deliver' | 'both together'
type Side = {
  tree: string
  sink: Sink
  postrider: Postrider
  runLoad: typeof runLoad
  sent: number
  msPerMail: Record<Part, number[]>
}

const open = async (tree: string): Promise<Side> => {
  const bench = (file: string) => import(`${resolve(tree)}/test/bench/${file}`)
  const [sinks, contestants, processes] = await Promise.all(['sink.ts', 'contestants.ts', 'processes.ts'].map(bench))
  const sink: Sink = await sinks.startSink()
  const postrider: Postrider = await contestants.startPostrider(sink.port)
  const msPerMail = { accept: [], 'accept, then deliver': [], 'both together': [] }
  return { tree, sink, postrider, runLoad: processes.runLoad, sent: 0, msPerMail }
}

const send = async (side: Side): Promise<void> => {
  const { target } = side.postrider
  const load = { ...target, connections: 64, count: sliceMails, first: side.sent + 1 }
  const { accepted } = await side.runLoad(load)
  if (accepted !== sliceMails) throw new Error(`${side.tree} accepted ${accepted} of ${sliceMails} emails`)
  side.sent += accepted
}

// The CPU time until then counts, so the checks stay frequent.
const delivered = ({ tree, sink, sent }: Side) =>
  until(`${tree} delivers ${sent}`, () => sink.received() >= sent || undefined, 300_000, 15)

const queueThenDeliver = async (side: Side): Promise<void> => {
  const { sink, postrider, msPerMail } = side
  sink.pause()
  const before = postrider.cpuMs()
  await send(side)
  msPerMail.accept.push((postrider.cpuMs() - before) / sliceMails)
  sink.resume()
  await delivered(side)
  msPerMail['accept, then deliver'].push((postrider.cpuMs() - before) / sliceMails)
}

const bothConcurrently = async (side: Side): Promise<void> => {
  const before = side.postrider.cpuMs()
  await send(side)
  await delivered(side)
  side.msPerMail['both together'].push((side.postrider.cpuMs() - before) / sliceMails)
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const lineOf = (part: Part, before: Side, after: Side): string => {
  const [first, second] = [before.msPerMail[part], after.msPerMail[part]]
  const ratios = first.map((value, round) => (second[round] ?? Number.NaN) / value)
  const average = mean(ratios)
  const error = Math.sqrt(mean(ratios.map((ratio) => (ratio - average) ** 2)) / ratios.length)
  const numbers = `${mean(first).toFixed(3)} → ${mean(second).toFixed(3)}`
  return `${part.padEnd(22)}${numbers} CPU-ms per email, ratio ${average.toFixed(3)} ± ${error.toFixed(3)}`
}

const [beforeTree, afterTree, rounds = '20'] = process.argv.slice(2)
if (beforeTree === undefined || afterTree === undefined) throw new Error('usage: compare.ts <before> <after> [rounds]')
const [before, after] = [await open(beforeTree), await open(afterTree)]
for (let slice = 0; slice < warmUpSlices; slice++) for (const side of [before, after]) await send(side)
for (const side of [before, after]) await delivered(side)
for (let round = 0; round < Number(rounds); round++) {
  const order = round % 2 === 0 ? [before, after] : [after, before]
  for (const step of [queueThenDeliver, bothConcurrently]) for (const side of order) await step(side)
}
for (const part of ['accept', 'accept, then deliver', 'both together'] as const)
  process.stdout.write(`${lineOf(part, before, after)}\n`)
for (const { postrider, sink } of [before, after]) {
  await postrider.close()
  await sink[Symbol.asyncDispose]()
}
