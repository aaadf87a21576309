import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { fresh } from '../../support/client.ts'
import { inParallel } from '../../support/inParallel.ts'
import { hangMs, until } from '../../support/until.ts'
import { shortOrLong } from '../random.ts'
import { isTemporary } from '../recorder.ts'
import type { ClusterRig } from './clusterRig.ts'
import type { Round } from './round.ts'

const faultMs = shortOrLong(5_000, 60_000)
const clients = 8
/** Pause of each client between emails. Without it they would use the whole machine. */
const restMs = 50
const maxBytes = 512 * 2 ** 20
/**
 * Returns the time limit of a response: 5 s, plus the delays of a busy machine, which are measured in the round without
 * a fault and by probes during all rounds.
 */
export const responseLimitMs = ({ rounds, slowestProbeMs }: ClusterRig): number => {
  const entries = rounds.find(({ name }) => name === 'onekey')?.journal.entries() ?? []
  const tookMs = entries.map((entry) => (entry.event === 'answered' ? entry.tookMs : 0))
  return 5_000 + Math.max(500, ...tookMs) + slowestProbeMs()
}

type StoreFault = { name: string; begin(rig: ClusterRig): unknown; end(rig: ClusterRig): unknown }

const resets = (): StoreFault => {
  let timer: NodeJS.Timeout | undefined
  const begin = ({ mongo }: ClusterRig): void => {
    timer = setInterval(mongo.proxy.reset, 500)
  }
  return { name: 'all connections are reset twice a second', begin, end: () => clearInterval(timer) }
}

const faults: StoreFault[] = [
  { name: 'the store is unreachable', begin: ({ mongo }) => mongo.proxy.cut(), end: ({ mongo }) => mongo.proxy.heal() },
  {
    name: 'each byte is delayed by 5 s',
    begin: ({ mongo }) => mongo.proxy.latency(5_000),
    end: ({ mongo }) => mongo.proxy.latency(0),
  },
  {
    name: 'the network drops all packets',
    begin: ({ mongo }) => mongo.proxy.halfOpen(),
    end: ({ mongo }) => mongo.proxy.heal(),
  },
  resets(),
]

/** Makes other requests, which must be served or refused with 503. */
const makeOtherRequests = async ({ tenant }: Round, rig: ClusterRig): Promise<void> => {
  const { client } = rig
  const responses = await Promise.all([
    tenant.api.call({ path: '/api/v1/emails' }),
    tenant.session.call({ path: '/api/v1/billing/usage' }),
    client.call({ path: '/api/v1/auth/login', json: { email: fresh(), password: 'a wrong password' } }),
  ])
  const maxMs = responseLimitMs(rig)
  for (const { status, headers, elapsedMs } of responses) {
    assert.ok(status === 200 || status === 401 || status === 503, String(status))
    assert.ok(status !== 503 || headers['retry-after'] !== undefined)
    assert.ok(elapsedMs < maxMs, `${elapsedMs} ms`)
  }
}

const mostResident = async ({ cluster }: ClusterRig): Promise<number> => {
  const all = cluster.members.map(async ({ opsUrl }) => {
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text()
    return Number(/^postrider_process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1])
  })
  return Math.max(...(await Promise.all(all)))
}

export const storeFaults = (rig: () => ClusterRig): void => {
  let round: Round
  let number = 0

  before(async () => {
    round = await rig().round('store')
  })

  /** Sends every second mail with a key, and repeats it in the background until it is accepted. */
  const sendOne = async (): Promise<number | null> => {
    const mail = round.mail()
    const status = await (number++ % 2 === 0 ? round.sendWithKey(mail) : round.sendOnce(mail, null))
    assert.ok(status === 202 || isTemporary(status), String(status))
    return status
  }

  for (const { name, begin, end } of faults) {
    it(`returns 503 in time and recovers if ${name}`, async function () {
      this.timeout(faultMs + 300_000)
      let isOver = false
      let [accepted, refused] = [0, 0]
      const sending = inParallel(clients, { from: 0, to: clients }, async () => {
        while (!isOver) {
          const status = await sendOne()
          if (status === 202) accepted++
          if (status === 503) refused++
          await pause(restMs)
        }
      })
      round.inBackground(sending)
      await until('mail is sent', () => accepted >= clients || undefined)
      await begin(rig())
      try {
        const endsAt = performance.now() + faultMs
        const isLongEnough = async () => {
          await makeOtherRequests(round, rig())
          assert.ok((await mostResident(rig())) < maxBytes)
          return performance.now() >= endsAt || undefined
        }
        await until('the fault has lasted long enough', isLongEnough, faultMs + hangMs, 500)
      } finally {
        isOver = true
        await end(rig())
      }
      const endedAt = performance.now()
      await until('mail is accepted again', async () => (await sendOne()) === 202 || undefined)
      console.log(`    ${refused} refused, recovered after ${Math.round(performance.now() - endedAt)} ms`)
      await sending
      assert.ok(refused > 0)
      await rig().untilReady()
    })
  }
}
