// The hostile tenant, a separate process: `node test/hostile/attacker.ts '<AttackTarget as JSON>'`. It attacks until
// its input ends, prints `attacking` when the attacks are under way, and at the end the counts of responses as JSON.
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { type AttackTarget, runAttacks } from './attacks.ts'

// The attackers of a real service have machines of their own. Here they must not take the CPU that the service would
// have.
setPriority(constants.priority.PRIORITY_LOW)

const target = JSON.parse(process.argv[2] ?? '{}') as AttackTarget
const stop = new AbortController()
process.stdin.resume()
void once(process.stdin, 'end').then(() => stop.abort())
const onUnderWay = (): void => console.log('attacking')
console.log(JSON.stringify(await runAttacks(target, stop.signal, onUnderWay)))
