import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Member, ServiceName } from '../../cluster/member.ts'
import { inParallel } from '../../support/inParallel.ts'
import { shortOrLong } from '../random.ts'
import type { ClusterRig } from './clusterRig.ts'
import type { Round } from './round.ts'

const clients = 6
const sends = shortOrLong(48, 600)
const maxTries = 3
/** A client pings after 5 s of silence and closes the connection if no pong arrives within 4 s. */
const detectedWithinMs = 12_000

/** Pause of each client between emails that are sent for a time. Without it they would use the whole machine. */
const restMs = 100

/** The statuses of responses to requests with and without a key. */
type Answers = { keyed: (number | null)[]; unkeyed: (number | null)[] }

/**
 * The failures that the loss of a replica permits. Repeatable calls must not fail: a send with a key is one, because
 * the gateway repeats it at the other intake, which takes over its key. A send without a key is refused.
 */
const killed: readonly { service: ServiceName; permitted: Answers }[] = [
  { service: 'accounts', permitted: { keyed: [], unkeyed: [] } },
  { service: 'quota', permitted: { keyed: [], unkeyed: [] } },
  { service: 'intake', permitted: { keyed: [], unkeyed: [503] } },
  { service: 'gateway', permitted: { keyed: [null], unkeyed: [null] } },
]
const paused: readonly ServiceName[] = ['accounts', 'quota', 'intake']

export const replicaFaults = (rig: () => ClusterRig): void => {
  let round: Round

  before(async () => {
    round = await rig().round('replica')
  })

  const first = (service: ServiceName): Member => rig().cluster.of(service)[0] ?? assert.fail(service)

  /**
   * Sends mail while a condition is true, every second email with a key.
   * @param restMs pause of each client before an email
   */
  const sendWhile = async (condition: (number: number) => boolean, restMs = 0): Promise<Answers> => {
    const responses: Answers = { keyed: [], unkeyed: [] }
    let number = 0
    await inParallel(clients, { from: 0, to: clients }, async () => {
      while (condition(number)) {
        await pause(restMs)
        if (number++ % 2 === 0) responses.keyed.push(await round.sendWithKey(round.mail()))
        else responses.unkeyed.push(await round.sendOnce(round.mail(), null))
      }
    })
    return responses
  }

  /** Returns the number of failures that the loss of a replica does not permit, all 503. */
  const othersOf = ({ keyed, unkeyed }: Answers, permitted: Answers): number => {
    const others = [
      ...keyed.filter((status) => status !== 202 && !permitted.keyed.includes(status)),
      ...unkeyed.filter((status) => status !== 202 && !permitted.unkeyed.includes(status)),
    ]
    assert.deepEqual(new Set(others).difference(new Set([503])), new Set())
    return others.length
  }

  /** Sends the same mail before a kill and during one, and restarts the process. @returns the failures of both */
  const killDuringSends = async ({ service, permitted }: (typeof killed)[number]) => {
    const without = othersOf(await sendWhile((number) => number < sends), permitted)
    const begun = Promise.withResolvers<void>()
    const sending = sendWhile((number) => {
      if (number >= clients) begun.resolve()
      return number < sends
    })
    round.inBackground(sending)
    await begun.promise
    await first(service).kill9()
    const during = othersOf(await sending, permitted)
    await round.sendAll(sends)
    await first(service).start()
    return { without, during }
  }

  for (const fault of killed) {
    it(`causes few failures if one of two ${fault.service} processes is killed`, async () => {
      // On a busy machine calls exceed their deadline also without a kill. One that causes more failures does so each
      // time.
      const found: string[] = []
      while (found.length < maxTries) {
        const { without, during } = await killDuringSends(fault)
        if (during <= without + sends / 10) return
        found.push(`${during} of ${sends} failed, ${without} without a kill`)
      }
      assert.fail(found.join('; '))
    })
  }

  it(`stops calls to one of two processes of ${paused.join(', ')} while it is paused, and resumes them`, async () => {
    const members = paused.map(first)
    for (const member of members) member.pause()
    try {
      const detectedAt = performance.now() + detectedWithinMs
      const { keyed, unkeyed } = await sendWhile(() => performance.now() < detectedAt, restMs)
      assert.deepEqual(new Set([...keyed, ...unkeyed]).difference(new Set([202, 503])), new Set())
      await round.sendAll(sends)
    } finally {
      for (const member of members) member.resume()
    }
    await rig().untilReady()
  })
}
