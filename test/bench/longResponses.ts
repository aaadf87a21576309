import { type ChildProcess, fork } from 'node:child_process'
import { Agent, get } from 'node:http'
import { resolve } from 'node:path'
import { pause } from '@postrider/kit/pause.ts'
import { median } from './report.ts'

/*
 * Compares how two trees write long responses: `node test/bench/longResponses.ts <before> <after> [rounds]`. Eight
 * clients download a raw message of 8 MiB each, again and again, while another process requests `/livez`. The gateway
 * has a process of its own with services that respond immediately. The trees alternate. Quiet: the process does nothing
 * else. Busy: each event loop iteration has other work.
 */

const [clients, messageBytes, roundMs] = [8, 8 * 2 ** 20, 2_000]

/** Milliseconds of other work in each event loop iteration. */
const loads = { quiet: 0, busy: 4 } as const

/** Where a gateway is reached, and by which key. */
type Target = { port: number; key: string }
type Message = Target | { probed: number[] }

const received = <Wanted>(child: ChildProcess): Promise<Wanted> =>
  new Promise((settle, reject) => {
    child.once('message', (message) => settle(message as Wanted))
    child.once('exit', (code) => reject(new Error(`a process ended with ${code}`)))
  })

const report = (message: Message): void => void process.send?.(message)

/** Opens the gateway of a tree, and works `busyMs` in each iteration. */
const serve = async (tree: string, busyMs: number): Promise<void> => {
  const { testGateway, config, aKey } = await import(`${resolve(tree)}/services/gateway/testGateway.ts`)
  const raw = Buffer.alloc(messageBytes, 'x')
  const share = { bytes: 2 ** 30, bytesOfOne: 2 ** 30 }
  const limits = { ...config.limits, responses: share, longBodies: { ...config.limits.longBodies, ...share } }
  const { port } = await testGateway({ intake: { GetRaw: async () => ({ raw }) }, config: { limits } })
  const work = (): void => {
    for (const endsAt = performance.now() + busyMs; performance.now() < endsAt; );
    setImmediate(work)
  }
  if (busyMs > 0) work()
  report({ port, key: aKey() })
}

const read = (agent: Agent, { port, key }: Target, path: string): Promise<number> =>
  new Promise((settle, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const request = get({ agent, port, host: '127.0.0.1', path, headers }, (response) => {
      let bytes = 0
      response.on('data', ({ length }: Buffer) => {
        bytes += length
      })
      response.on('end', () => {
        if (response.statusCode === 200) settle(bytes)
        else reject(new Error(`${path} returned ${response.statusCode}`))
      })
    })
    request.on('error', reject)
  })

/** Measures the milliseconds of requests for `/livez`, one after the other. */
const probe = async (target: Target): Promise<void> => {
  const agent = new Agent({ keepAlive: true })
  const probed: number[] = []
  for (const endsAt = performance.now() + roundMs; performance.now() < endsAt; ) {
    const sentAt = performance.now()
    await read(agent, target, '/livez')
    probed.push(performance.now() - sentAt)
    await pause(2)
  }
  report({ probed })
  process.disconnect()
  agent.destroy()
}

const download = async (target: Target): Promise<number> => {
  const agent = new Agent({ keepAlive: true })
  let bytes = 0
  const one = async (): Promise<void> => {
    for (const endsAt = performance.now() + roundMs; performance.now() < endsAt; ) {
      const length = await read(agent, target, '/api/v1/emails/em_1/raw')
      bytes += length
    }
  }
  const since = performance.now()
  await Promise.all(Array.from({ length: clients }, one))
  agent.destroy()
  return bytes / 2 ** 20 / ((performance.now() - since) / 1_000)
}

const self = new URL(import.meta.url)

type Result = { mebibytesPerSecond: number; p50: number; p99: number }

const round = async (target: Target): Promise<Result> => {
  const prober = fork(self, ['probe', String(target.port), target.key])
  const [{ probed }, mebibytesPerSecond] = await Promise.all([received<{ probed: number[] }>(prober), download(target)])
  const sorted = probed.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { mebibytesPerSecond, p50: at(0.5), p99: at(0.99) }
}

const compare = async (trees: readonly string[], rounds: number): Promise<void> => {
  for (const [load, busyMs] of Object.entries(loads)) {
    const servers = trees.map((tree) => fork(self, ['serve', tree, String(busyMs)]))
    const targets = await Promise.all(servers.map((server) => received<Target>(server)))
    for (const server of servers) server.kill('SIGSTOP')
    const results = trees.map((): Result[] => [])
    for (let number = -1; number < rounds; number++)
      for (const index of number % 2 === 0 ? [0, 1] : [1, 0]) {
        const [server, target] = [servers[index], targets[index]]
        if (!server || !target) throw new Error('two trees are compared')
        server.kill('SIGCONT')
        const result = await round(target)
        server.kill('SIGSTOP')
        // The first one warms up.
        if (number >= 0) results[index]?.push(result)
      }
    for (const server of servers) server.kill('SIGKILL')
    for (const [index, tree] of trees.entries()) {
      const of = (name: keyof Result): string => median((results[index] ?? []).map((one) => one[name])).toFixed(1)
      console.log(`${load} ${tree}: ${of('mebibytesPerSecond')} MiB/s, /livez ${of('p50')} ms, p99 ${of('p99')} ms`)
    }
  }
}

const [first = '', second = '', third = '5'] = process.argv.slice(2)
if (first === 'serve') await serve(second, Number(third))
else if (first === 'probe') await probe({ port: Number(second), key: third })
else await compare([first, second], Number(third))
