import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Member, ServiceName } from '../../cluster/member.ts'
import { numbers } from '../random.ts'
import { sideBySide } from '../recorder.ts'
import type { ClusterRig } from './clusterRig.ts'
import type { Round } from './round.ts'

const clients = 6
const sends = numbers(48, 600)
/** A replica that hangs is noticed by the pong that doesn't come: after 5 s without a word, and 2 s for the pong. */
const noticedWithinMs = 10_000

/** What was answered, with a key and without. */
type Answers = { keyed: (number | null)[]; unkeyed: (number | null)[] }

/**
 * What the loss of a replica may cost. A call that may be made again costs nobody anything; a send that may not is
 * refused, or its key held for a while.
 */
const killed: readonly { service: ServiceName; costs: Answers }[] = [
  { service: 'accounts', costs: { keyed: [], unkeyed: [] } },
  { service: 'quota', costs: { keyed: [], unkeyed: [] } },
  { service: 'intake', costs: { keyed: [409], unkeyed: [503] } },
  { service: 'gateway', costs: { keyed: [null], unkeyed: [null] } },
]
const paused: readonly ServiceName[] = ['accounts', 'quota', 'intake']

export const replicaTrouble = (rig: () => ClusterRig): void => {
  let round: Round

  before(async () => {
    round = await rig().round('replica')
  })

  const first = (service: ServiceName): Member => rig().cluster.of(service)[0] ?? assert.fail(service)

  /** Every other with a key. */
  const sendMany = async (going: (number: number) => boolean): Promise<Answers> => {
    const answers: Answers = { keyed: [], unkeyed: [] }
    let number = 0
    await sideBySide(clients, { from: 0, to: clients }, async () => {
      while (going(number)) {
        if (number++ % 2 === 0) answers.keyed.push(await round.sendWithKey(round.mail()))
        else answers.unkeyed.push(await round.ask(round.mail(), null))
      }
    })
    return answers
  }

  for (const { service, costs } of killed) {
    it(`one of two of ${service} killed: whoever asks again finds the other`, async function () {
      this.timeout(numbers(60_000, 300_000))
      const sending = sendMany((number) => number < sends)
      round.behind(sending)
      await pause(50)
      await first(service).kill9()
      const { keyed, unkeyed } = await sending
      const beyond = [
        ...keyed.filter((status) => status !== 202 && !costs.keyed.includes(status)),
        ...unkeyed.filter((status) => status !== 202 && !costs.unkeyed.includes(status)),
      ]
      // A machine that is busy with all of this may be late with some.
      assert.deepEqual(new Set(beyond).difference(new Set([503])), new Set())
      assert.ok(beyond.length <= sends / 10, `${beyond.length} of ${sends}`)
      await round.sendAll(sends)
      await first(service).start()
    })
  }

  it(`one of two of ${paused.join(', ')} stands still: it is left out, and taken back`, async function () {
    this.timeout(numbers(90_000, 300_000))
    const members = paused.map(first)
    for (const member of members) member.pause()
    try {
      const noticed = performance.now() + noticedWithinMs
      const { keyed, unkeyed } = await sendMany(() => performance.now() < noticed)
      assert.deepEqual(new Set([...keyed, ...unkeyed]).difference(new Set([202, 409, 503])), new Set())
      await round.sendAll(sends)
    } finally {
      for (const member of members) member.resume()
    }
    await rig().well()
  })
}
