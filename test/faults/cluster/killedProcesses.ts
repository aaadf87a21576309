import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../support/until.ts'
import { announcedSeed, numbers, seeded } from '../random.ts'
import { passes, sideBySide } from '../recorder.ts'
import type { ClusterRig } from './clusterRig.ts'
import type { Round } from './round.ts'

const sends = numbers(600, 10_000)
const kills = numbers(12, 50)
const clients = 8
/** How many may be on their way back at once. */
const mostDown = 3
const backWithinMs = 60_000

/** The store keeps a content of this size in another way than small ones. */
const long = { text: 'All work and no play makes a long mail.\n'.repeat(10_000) }

/** Mail of an hour from now that its sender takes back, whatever stands in the way. */
const sendAndCancel = async (round: Round): Promise<void> => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const id = await round.insist(round.mail({ scheduled_at: inAnHour }))
  const cancel = { method: 'POST', path: `/api/v1/emails/${id}/cancel` }
  for (;;) {
    const status = await round.tenant.api.call(cancel).then(
      (answer) => answer.status,
      () => null,
    )
    if (status === 200) return
    assert.ok(passes(status), `canceling ${id}: ${status}`)
    await pause(200)
  }
}

/** Every fourth asks once and never again; the others ask with a key until they are answered 202. */
const sendOne = async (round: Round, number: number): Promise<void> => {
  if (number % 4 === 0) return void (await round.ask(round.mail(), null))
  if (number % 20 === 1) return round.behind(sendAndCancel(round))
  await round.sendWithKey(round.mail(number % 40 === 3 ? long : {}))
}

type Victim = { kill9(): Promise<void>; start(): Promise<void> }

const victimsOf = ({ cluster, mongo, kafka, redis }: ClusterRig): Victim[] => [
  ...cluster.members,
  ...[mongo, kafka, redis].map(({ server }) => ({ kill9: server.kill9, start: server.restart })),
]

/** Kills -9 at random moments, of any service and of what they stand on, each started again after a moment. */
export const killedProcesses = (rig: () => ClusterRig): void => {
  it(`${sends} sends and ${kills} times SIGKILL of any process: every one goes on`, async function () {
    this.timeout(numbers(120_000, 1_800_000))
    const random = seeded(announcedSeed())
    const victims = victimsOf(rig())
    const round = await rig().round('kill')
    const down = new Set<Victim>()
    const starting: Promise<void>[] = []
    const perLife = Math.ceil(sends / kills)
    for (let life = 0; life < kills; life++) {
      const turn = { from: life * perLife, to: (life + 1) * perLife }
      const sending = sideBySide(clients, turn, (number) => sendOne(round, number))
      await pause(10 + random() * 150)
      const standing = victims.filter((victim) => !down.has(victim))
      const victim = standing[Math.floor(random() * standing.length)] ?? assert.fail('nobody stands')
      down.add(victim)
      await victim.kill9()
      const again = pause(random() * 500).then(victim.start)
      starting.push(again.then(() => void down.delete(victim)))
      round.behind(again)
      await Promise.all([sending, pause(random() * 500)])
      await until('most are back', () => down.size <= mostDown || undefined, backWithinMs)
    }
    await Promise.all(starting)
    await rig().well()
  })
}
