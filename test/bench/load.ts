// The load generator, a separate process: `node test/bench/load.ts '<Load as JSON>'` prints a `LoadResult` as JSON.
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type Dialogue, httpDialogue, smtpDialogue, type Target } from './dialogues.ts'

/** `count` messages, or as many as possible in `durationMs`. Each connection is a closed loop. */
export type Load = Target & {
  connections: number
  count?: number
  durationMs?: number
  /** Number of the first message; each message contains its number. */
  first: number
}

/** Latencies of accepted messages in milliseconds, from the first byte sent to the last byte of the response. */
export type LoadResult = {
  accepted: number
  /** Count by HTTP status or SMTP reply code. */
  refused: Record<string, number>
  elapsedMs: number
  p50Ms: number
  p99Ms: number
}

/** How long a connection waits after a refusal, so that it does not query a full server in a tight loop. */
const pauseAfterRefusalMs = 50

const percentile = (sorted: Float64Array, part: number): number =>
  sorted.length === 0 ? 0 : (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })

/** Runs one connection in a closed loop: it sends the next message after the response to the previous one. */
const drive = (
  dialogue: Dialogue,
  socket: Socket,
  next: () => number | null,
  answered: (code: number, ms: number) => void,
) =>
  new Promise<void>((resolve, reject) => {
    let begun = 0
    const send = () => {
      const number = next()
      if (number === null) {
        socket.end()
        resolve()
        return
      }
      begun = performance.now()
      dialogue.send(number)
    }
    dialogue.begin(
      socket,
      (code) => {
        answered(code, performance.now() - begun)
        if (code < 300) send()
        else setTimeout(send, pauseAfterRefusalMs)
      },
      send,
    )
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
  })

const run = async (load: Load): Promise<LoadResult> => {
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)))
  const latencies: number[] = []
  const refused: Record<string, number> = {}
  let number = load.first
  const last = load.count === undefined ? Number.POSITIVE_INFINITY : load.first + load.count
  const begun = performance.now()
  const end = load.durationMs === undefined ? Number.POSITIVE_INFINITY : begun + load.durationMs
  const next = () => (number < last && performance.now() < end ? number++ : null)
  const answered = (code: number, ms: number) => {
    if (code < 300) latencies.push(ms)
    else refused[code] = (refused[code] ?? 0) + 1
  }
  const dialogue = () => (load.protocol === 'http' ? httpDialogue(load) : smtpDialogue())
  await Promise.all(sockets.map((socket) => drive(dialogue(), socket, next, answered)))
  const elapsedMs = performance.now() - begun
  const sorted = Float64Array.from(latencies).sort()
  return {
    accepted: latencies.length,
    refused,
    elapsedMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  }
}

process.stdout.write(`${JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as Load))}\n`)
