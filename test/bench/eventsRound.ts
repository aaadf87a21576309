import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { cpuMs, stop } from './processes.ts'

/** Measurement of one sender. */
export type EventsMeasurement = { perSecond: number; cpuMsPerEvent: number; peakMb: number }

export type EventsRound = Record<'postrider' | 'inline', EventsMeasurement & { receiverCpuMsPerEvent: number }>

/** The amounts of a run. */
export type EventsPlan = { pairs: number; warmUp: number; events: number }

export const eventsPlans: Record<'short' | 'full', EventsPlan> = {
  full: { pairs: 5, warmUp: 3_000, events: 15_000 },
  short: { pairs: 1, warmUp: 500, events: 1_000 },
}

/** Starts the receiver of all events in a separate process: it returns 200 for each request. */
const startReceiver = async (): Promise<AsyncDisposable & { url: string; child: ChildProcess }> => {
  const child = fork(fileURLToPath(import.meta.url), ['receive'])
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/hook`, child, [Symbol.asyncDispose]: () => stop(child) }
}

const receive = (): void => {
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-length': 2 }).end('ok'))
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

const runSender = async (kind: string, url: string, { warmUp, events }: EventsPlan): Promise<EventsMeasurement> => {
  const script = fileURLToPath(import.meta.resolve('./eventsSender.ts'))
  const child = spawn(process.execPath, [script, kind, url, String(warmUp), String(events)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the sender ${kind} exited with ${code}: ${text}`)
  return JSON.parse(text) as EventsMeasurement
}

/** Lets both send the same events to the same receiver, one after the other; the order alternates. */
export const eventsRound = async (
  plan: EventsPlan,
  number: number,
  log: (line: string) => void,
): Promise<EventsRound> => {
  await using receiver = await startReceiver()
  const pid = receiver.child.pid ?? 0
  const round: Partial<EventsRound> = {}
  const kinds = ['postrider', 'inline'] as const
  for (const kind of number % 2 === 0 ? kinds : kinds.toReversed()) {
    log(`${kind} sends ${plan.events} events`)
    const before = cpuMs(pid)
    const measured = await runSender(kind, receiver.url, plan)
    round[kind] = { ...measured, receiverCpuMsPerEvent: (cpuMs(pid) - before) / (plan.warmUp + plan.events) }
  }
  return round as EventsRound
}

if (process.argv[2] === 'receive') receive()
