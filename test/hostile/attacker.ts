// The hostile tenant, a separate process: `node test/hostile/attacker.ts '<AttackerTarget as JSON>'`. It attacks until
// its input ends, prints `attacking` when the attacks are under way, and at the end the counts of responses as JSON.
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { openFront } from '../cluster/front.ts'
import { type AttackTarget, runAttacks } from './attacks.ts'

export type AttackerTarget = AttackTarget & {
  /**
   * The ports of a cluster's gateways. Attackers then connect through a front in their process: in the process that
   * measures the good tenant, the event loop would also transmit the bytes of attackers.
   */
  gateways: readonly number[]
}

// The attackers of a real service have machines of their own. Here they must not take the CPU that the service would
// have.
setPriority(constants.priority.PRIORITY_LOW)

const target = JSON.parse(process.argv[2] ?? '{}') as AttackerTarget
const { gateways } = target
await using front = gateways.length === 0 ? null : await openFront({ port: 0, gateways })
const stop = new AbortController()
process.stdin.resume()
void once(process.stdin, 'end').then(() => stop.abort())
const onUnderWay = (): void => console.log('attacking')
console.log(JSON.stringify(await runAttacks({ ...target, ...(front && { url: front.url }) }, stop.signal, onUnderWay)))
