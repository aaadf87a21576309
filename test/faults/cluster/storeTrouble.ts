import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { fresh } from '../../support/client.ts'
import { until } from '../../support/until.ts'
import { numbers } from '../random.ts'
import { passes, sideBySide } from '../recorder.ts'
import type { ClusterRig } from './clusterRig.ts'
import type { Round } from './round.ts'

const troubleMs = numbers(5_000, 60_000)
const clients = 8
const recoveredWithinMs = 30_000
const mostBytes = 512 * 2 ** 20
/**
 * How long an answer may take: 5 s, and what a machine that is busy with all of this adds. That is measured in the round
 * without a fault.
 */
export const answeredWithinMs = ({ rounds }: ClusterRig): number => {
  const calm = rounds.find(({ name }) => name === 'onekey')?.journal.entries() ?? []
  const tookMs = calm.map((entry) => (entry.event === 'answered' ? entry.tookMs : 0))
  return 5_000 + Math.max(500, ...tookMs)
}

type Trouble = { name: string; begin(rig: ClusterRig): unknown; end(rig: ClusterRig): unknown }

const resets = (): Trouble => {
  let timer: NodeJS.Timeout | undefined
  const begin = ({ mongo }: ClusterRig): void => {
    timer = setInterval(mongo.wire.reset, 500)
  }
  return { name: 'resets every connection twice a second', begin, end: () => clearInterval(timer) }
}

const troubles: Trouble[] = [
  { name: 'is cut off', begin: ({ mongo }) => mongo.wire.cut(), end: ({ mongo }) => mongo.wire.heal() },
  { name: 'is 5 s away', begin: ({ mongo }) => mongo.wire.latency(5_000), end: ({ mongo }) => mongo.wire.latency(0) },
  { name: 'swallows all', begin: ({ mongo }) => mongo.wire.halfOpen(), end: ({ mongo }) => mongo.wire.heal() },
  resets(),
]

/** Requests of other kinds: refused for now, or served. */
const askOthers = async ({ tenant }: Round, rig: ClusterRig): Promise<void> => {
  const { client } = rig
  const mostMs = answeredWithinMs(rig)
  const answers = await Promise.all([
    tenant.api.call({ path: '/api/v1/emails' }),
    tenant.session.call({ path: '/api/v1/billing/usage' }),
    client.call({ path: '/api/v1/auth/login', json: { email: fresh(), password: 'none of theirs' } }),
  ])
  for (const { status, headers, elapsedMs } of answers) {
    assert.ok(status === 200 || status === 401 || status === 503, String(status))
    assert.ok(status !== 503 || headers['retry-after'] !== undefined)
    assert.ok(elapsedMs < mostMs, `${elapsedMs} ms`)
  }
}

const mostResident = async ({ cluster }: ClusterRig): Promise<number> => {
  const all = cluster.members.map(async ({ opsUrl }) => {
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text()
    return Number(/^postrider_process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1])
  })
  return Math.max(...(await Promise.all(all)))
}

export const storeTrouble = (rig: () => ClusterRig): void => {
  let round: Round
  let number = 0

  before(async () => {
    round = await rig().round('store')
  })

  /** Every other asks with a key, and goes on until it is taken. */
  const sendOne = async (): Promise<number | null> => {
    const mail = round.mail()
    const status = await (number++ % 2 === 0 ? round.sendWithKey(mail) : round.ask(mail, null))
    assert.ok(status === 202 || passes(status), String(status))
    return status
  }

  for (const { name, begin, end } of troubles) {
    it(`a store that ${name}: 503 in time, nothing is taken in vain, and soon all is well`, async function () {
      this.timeout(troubleMs + 60_000)
      let isOver = false
      let refused = 0
      const sending = sideBySide(clients, { from: 0, to: clients }, async () => {
        while (!isOver) if ((await sendOne()) === 503) refused++
      })
      round.behind(sending)
      await pause(500)
      await begin(rig())
      try {
        const until = performance.now() + troubleMs
        while (performance.now() < until) {
          await askOthers(round, rig())
          assert.ok((await mostResident(rig())) < mostBytes)
          await pause(500)
        }
      } finally {
        isOver = true
        await end(rig())
      }
      const healedAt = performance.now()
      await until('mail is taken again', async () => (await sendOne()) === 202 || undefined, recoveredWithinMs)
      console.log(`    ${refused} refused, well again after ${Math.round(performance.now() - healedAt)} ms`)
      await sending
      assert.ok(refused > 0)
      await rig().well(recoveredWithinMs)
    })
  }
}
