import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Tenant } from '../support/client.ts'
import { password } from '../support/client.ts'
import { mainThreadCpuMs, measuredSlowness, whyNoCpu } from '../support/cost.ts'
import { skip } from '../support/skip.ts'
import { type System, useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'
import type { AttackerTarget } from './attacker.ts'
import type { Counts } from './attacks.ts'
import { type Phase, percentile, sendSteadily } from './goodTenant.ts'

/**
 * Milliseconds of each phase by the length of the run. Only the runs of `npm run test:hostile` compare latencies: in
 * the short run other suites use the same CPU, and the 99th percentile of few requests is one request.
 */
const lengths = { short: 6_000, full: 60_000, long: 600_000 }
const length = (process.env['POSTRIDER_HOSTILE'] ?? 'short') as keyof typeof lengths
const durationMs = Number(process.env['POSTRIDER_HOSTILE_MS'] ?? lengths[length])
/** Selects attacks, to find out what each one costs. */
const only = process.env['POSTRIDER_HOSTILE_ATTACKS'] ?? ''
/**
 * A real cluster has cores for each of its processes. Here twelve of them and their back ends share those of one
 * machine: attackers that use all of it delay each step of an email by the wait for a core, which no process can
 * prevent. With `POSTRIDER_HOSTILE_PACE=none` attackers use all CPU.
 */
const waitsForCpu = process.env['POSTRIDER_E2E'] === 'cluster' && process.env['POSTRIDER_HOSTILE_PACE'] !== 'none'
const maxSlowdown = 3
/** Milliseconds of the phase without attacks. The short run only needs its median, for a machine that is too busy. */
const aloneMs = length === 'short' ? durationMs / 2 : durationMs
/**
 * CPU milliseconds of the reference machine that the single process may use from a request to its response, for this
 * and for other requests, in the median. On a machine that is too busy for the good tenant alone it may be three times
 * the value without attacks.
 */
const maxWorkMs = 150
/**
 * How often the short run attacks. Other suites can leave the service a seventh of a core: the attacks without a
 * response yet then wait in front of each email. Too much work of the service itself fails each try.
 */
const maxTries = length === 'short' ? 3 : 1

const attacker = fileURLToPath(new URL('attacker.ts', import.meta.url))

/** Signs up a workspace with the limits of every new one, and stores a large message in it. */
const hostileTarget = async ({ client, cluster }: System): Promise<AttackerTarget> => {
  const session = client.session(await client.signUp({ email: 'owner@receiver.example', password }))
  const key = async (mode: string): Promise<string> =>
    (await session.call<{ key: string }>({ path: '/api/v1/api-keys', json: { name: mode, mode } })).body.key
  const [testKey, liveKey] = [await key('test'), await key('live')]
  const attachments = [{ filename: 'a.bin', content: Buffer.alloc(6 * 2 ** 20, 1).toString('base64') }]
  const json = { to: ['a@receiver.example'], subject: 'Large', text: 'Large.', attachments }
  const accepted = await client.withKey(testKey).call<{ id: string }>({ path: '/api/v1/emails', json })
  assert.equal(accepted.status, 202, accepted.text)
  const gateways = cluster?.of('gateway').flatMap(({ port }) => port ?? []) ?? []
  return { url: client.url, gateways, testKey, liveKey, largeEmail: accepted.body.id, only, waitsForCpu }
}

/**
 * Lets a process have a core only when no other process wants it. In practice the attacker is another machine, and its
 * own work must not take the CPU from the service and the good tenant. A low priority alone does not do that: a process
 * that becomes ready still waits up to 3 ms for the core.
 */
const runWhenIdle = (pid: number): void => {
  setPriority(pid, constants.priority.PRIORITY_LOW)
  // Alongside other suites it would get no core at all, and the short run compares no latencies.
  if (length !== 'short') spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)])
}

/** Runs the attacks in another process. `work` begins when they are under way. */
const underAttack = async <T>(
  target: AttackerTarget,
  work: () => Promise<T>,
): Promise<{ result: T; counts: Record<string, Counts> }> => {
  const child = spawn(process.execPath, [attacker, JSON.stringify(target)], { stdio: ['pipe', 'pipe', 'inherit'] })
  runWhenIdle(child.pid ?? assert.fail('the attacker did not start'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, 'close')
  try {
    await lines.next()
    const result = await work()
    child.stdin.end()
    const { value } = await lines.next()
    return { result, counts: JSON.parse(String(value)) as Record<string, Counts> }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

const printCounts = (counts: Record<string, Counts>): void => {
  for (const [name, statuses] of Object.entries(counts)) console.log(`      ${name}: ${JSON.stringify(statuses)}`)
}

/** A busy machine leaves attackers no CPU. A run without attacks would show nothing. */
const assertAttacked = (counts: Record<string, Counts>): void => {
  for (const [name, statuses] of Object.entries(counts)) {
    const ended = Object.values(statuses).reduce((sum, one) => sum + one, 0)
    assert.ok(
      ended * 10_000 >= durationMs,
      `only ${ended} attacks in ${durationMs} ms: ${name}; the machine is too busy`,
    )
  }
}

const assertNothingRefused = ({ refusals, addresses }: Phase): void => {
  assert.deepEqual(refusals.slice(0, 5), [], `${refusals.length} of ${addresses.length} sends were refused`)
}

/**
 * Returns a function that returns the CPU milliseconds which the service has used: of the thread that serves requests,
 * if there is one.
 */
const cpuOf = ({ standalone, cpuMs }: System): (() => number) => {
  if (cpuMs === null) return () => 0
  return standalone === null ? cpuMs : () => mainThreadCpuMs(standalone.pid)
}

const percentileText = (name: string, { latencies, costs }: Phase): string => {
  const parts = (values: readonly number[]): string =>
    [0.5, 0.9, 0.99].map((part) => percentile(values, part).toFixed(1)).join(', ')
  return `      ${name}: median, 90th and 99th percentile ${parts(latencies)} ms, CPU of the service ${parts(costs)} ms`
}

describe('hostile tenant alongside a good one', function () {
  this.timeout(6 * durationMs + 300_000)
  const system = useSystem()

  it('does not refuse, lose, duplicate or slow down the mail of the good tenant', async function () {
    const { client, receiver } = system()
    if (process.env['POSTRIDER_E2E'] === 'cluster' && length === 'short')
      skip(this, 'the run on a cluster takes minutes; `npm run test:hostile` runs it')
    const cpuMs = cpuOf(system())
    const good: Tenant = await client.tenant()
    const target = await hostileTarget(system())
    await sendSteadily(good, 2_000, cpuMs)

    const slownessBefore = measuredSlowness()
    const alone = await sendSteadily(good, aloneMs, cpuMs)
    console.log(percentileText('alone', alone))
    const work = { usedMs: Number.POSITIVE_INFINITY, maxMs: 0 }
    const phases = [alone]
    for (let tried = 0; tried < maxTries && work.usedMs > work.maxMs; tried++) {
      const { result: attacked, counts } = await underAttack(target, () => sendSteadily(good, durationMs, cpuMs))
      printCounts(counts)
      if (length !== 'short') assertAttacked(counts)
      console.log(percentileText('attacked', attacked))
      phases.push(attacked)
      const slowness = Math.max(slownessBefore, measuredSlowness())
      work.usedMs = percentile(attacked.costs, 0.5)
      work.maxMs = Math.max(maxWorkMs * slowness, percentile(alone.costs, 0.5) * maxSlowdown)
    }

    for (const phase of phases) assertNothingRefused(phase)
    const addresses = new Set(phases.flatMap((phase) => [...phase.addresses]))
    const copies = (): string[] => receiver.received.flatMap(({ to }) => to.filter((one) => addresses.has(one)))
    const arrived = () => (copies().length >= addresses.size ? true : undefined)
    await until('all mail of the good tenant has arrived', arrived, 120_000)
    assert.equal(new Set(copies()).size, addresses.size)
    assert.equal(copies().length, addresses.size)
    if (length !== 'short') {
      const [before, during] = phases.map(({ latencies }) => percentile(latencies, 0.99))
      assert.ok((during ?? 0) <= (before ?? 0) * maxSlowdown, `${during} ms instead of ${before} ms`)
    }
    if (system().cpuMs === null) skip(this, whyNoCpu)
    if (system().standalone !== null) {
      const { usedMs, maxMs } = work
      assert.ok(usedMs <= maxMs, `${usedMs} ms of CPU until the median response, allowed are ${maxMs} ms`)
    }
  })
})
