import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { inParallel } from '../../support/inParallel.ts'
import { until } from '../../support/until.ts'
import { printedSeed, seeded, shortOrLong } from '../random.ts'
import { isTemporary } from '../recorder.ts'
import type { ClusterRig } from './clusterRig.ts'
import type { Round } from './round.ts'

const sends = shortOrLong(600, 10_000)
const kills = shortOrLong(12, 50)
const clients = 8
const timeoutMs = shortOrLong(300_000, 1_800_000)
/** The number of processes that may be down at the same time. */
const maxDown = 3

/** The store splits a content of this size. */
const long = { text: 'All work and no play makes a long mail.\n'.repeat(10_000) }

/** Schedules an email and cancels it, with retries until both succeed. */
const sendAndCancel = async (round: Round): Promise<void> => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const id = await round.sendUntilAccepted(round.mail({ scheduled_at: inAnHour }))
  const cancel = { method: 'POST', path: `/api/v1/emails/${id}/cancel` }
  const isCanceled = async () => {
    const status = await round.tenant.api.call(cancel).then(
      (response) => response.status,
      () => null,
    )
    assert.ok(status === 200 || isTemporary(status) || status === 409, `canceling ${id}: ${status}`)
    return status === 200 || undefined
  }
  await until(`${id} is canceled`, isCanceled, timeoutMs, 200)
}

/** Sends every fourth mail once, and the others with a key until the response is 202. */
const sendOne = async (round: Round, number: number): Promise<void> => {
  if (number % 4 === 0) return void (await round.sendOnce(round.mail(), null))
  if (number % 20 === 1) return round.inBackground(sendAndCancel(round))
  await round.sendWithKey(round.mail(number % 40 === 3 ? long : {}))
}

type Victim = { kill9(): Promise<void>; start(): Promise<void> }

const victimsOf = ({ cluster, mongo, kafka, redis }: ClusterRig): Victim[] => [
  ...cluster.members,
  ...[mongo, kafka, redis].map(({ server }) => ({ kill9: server.kill9, start: server.restart })),
]

/** Kills random services and back ends at random moments and restarts them soon after. */
export const killedProcesses = (rig: () => ClusterRig): void => {
  it(`are all ready again after ${sends} sends with ${kills} kills of random processes`, async function () {
    this.timeout(timeoutMs)
    const random = seeded(printedSeed())
    const victims = victimsOf(rig())
    const round = await rig().round('kill')
    const down = new Set<Victim>()
    const starting: Promise<void>[] = []
    const perLife = Math.ceil(sends / kills)
    for (let life = 0; life < kills; life++) {
      const turn = { from: life * perLife, to: (life + 1) * perLife }
      const sending = inParallel(clients, turn, (number) => sendOne(round, number))
      await pause(10 + random() * 150)
      const running = victims.filter((victim) => !down.has(victim))
      const victim = running[Math.floor(random() * running.length)] ?? assert.fail('no process is running')
      down.add(victim)
      await victim.kill9()
      const again = pause(random() * 500).then(victim.start)
      starting.push(again.then(() => void down.delete(victim)))
      round.inBackground(again)
      await Promise.all([sending, pause(random() * 500)])
      await until('most processes run again', () => down.size <= maxDown || undefined)
    }
    await Promise.all(starting)
    await rig().untilReady()
  })
}
