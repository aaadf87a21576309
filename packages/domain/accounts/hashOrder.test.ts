import assert from 'node:assert/strict'
import { knownTurns } from '../fairness/knownTurns.ts'
import { hashOrigin } from './logInLimits.ts'

/** Waiting slots, and hashes of one second, of a process (services/accounts/passwords.ts). */
const [slots, hashesPerSecond] = [64, 30]

/** An attempt is the origin of its hash. */
type Attempt = ReturnType<typeof hashOrigin>

/** An attack is the attempts that arrive in each second. It lasts `seconds` before the victim logs in. */
type Attack = { seconds: number; attempts(second: number): Attempt[] }

/** Queues hashes as they arrive, and runs some of them each second. */
const hashes = () => {
  let now = 0
  const turns = knownTurns<Attempt>(() => now)
  const arrive = (attempt: Attempt): boolean => {
    if (turns.size() >= slots && turns.dropNewest(attempt) === undefined) return false
    turns.add(attempt, attempt)
    return true
  }
  return {
    arrive,
    next: turns.next,
    run: ({ seconds, attempts }: Attack): void => {
      for (let second = 0; second < seconds; second++) {
        for (const attempt of attempts(second)) arrive(attempt)
        for (let hash = 0; hash < hashesPerSecond; hash++) turns.next()
        now += 1_000
      }
    },
  }
}

/**
 * Returns how many hashes of an attack start before that of the victim, who fails `mistakes` times first. Attempts
 * continue to arrive while the victim waits. Infinity: the attempt of the victim is refused.
 */
const hashesInFront = (attack: Attack, victim: Attempt, mistakes: number): number => {
  const { arrive, next, run } = hashes()
  run(attack)
  for (let mistake = 0; mistake < mistakes; mistake++) {
    arrive({ ...victim })
    run({ ...attack, seconds: 3 })
  }
  for (const attempt of attack.attempts(attack.seconds)) arrive(attempt)
  if (!arrive(victim)) return Number.POSITIVE_INFINITY
  for (let front = 0; front < 1_000; front++) {
    if (next() === victim) return front
    for (const attempt of attack.attempts(attack.seconds + 1 + front)) arrive(attempt)
  }
  return Number.POSITIVE_INFINITY
}

const attemptsFrom = (count: number, addressOf: (n: number) => string, isKnown = false): Attempt[] =>
  Array.from({ length: count }, (_, n) => hashOrigin(addressOf(n), isKnown))

/** An address in a network and an area of its own. */
const inOwnArea = (n: number): string => `${10 + (n >> 8)}.${n & 255}.1.1`
const always = (attempts: Attempt[]) => () => attempts

const attacks: Record<string, Attack['attempts']> = {
  'one address': always(attemptsFrom(60, () => '10.0.0.1')),
  'one network': always(attemptsFrom(200, (n) => `10.0.0.${n}`)),
  '60 networks': always(attemptsFrom(60, inOwnArea)),
  '60 networks, known to accounts of the attacker': always(attemptsFrom(60, inOwnArea, true)),
  '60 networks, of both kinds': always([...attemptsFrom(60, inOwnArea), ...attemptsFrom(60, inOwnArea, true)]),
  '1,000 networks, 200 of them each second': (second) =>
    attemptsFrom(200, (n) => inOwnArea((second * 200 + n) % 1_000)),
  'all networks of an IPv4 /16': always(attemptsFrom(256, (n) => `10.0.${n}.1`)),
  // Each attempt is the first one of its network.
  'all networks of an IPv6 /32': (second) =>
    attemptsFrom(60, (n) => `2001:db8:${((second * 60 + n) & 0xffff).toString(16)}::1`),
}

describe('hashes in front of a login', () => {
  const victims: [name: string, victim: Attempt, mistakes: number, most: number][] = [
    ['from a network where the account was used', hashOrigin('192.0.2.1', true), 0, 1],
    ['from a network where the account was used, after three mistakes', hashOrigin('192.0.2.1', true), 3, 1],
    ['from a new network', hashOrigin('192.0.2.1', false), 0, 1],
    ['from a new network, after three mistakes', hashOrigin('192.0.2.1', false), 3, 1],
  ]
  for (const [victimName, victim, mistakes, most] of victims)
    for (const [name, attempts] of Object.entries(attacks))
      it(`are at most ${most} if it is ${victimName}, while ${name} guess`, () => {
        const front = hashesInFront({ seconds: 180, attempts }, victim, mistakes)
        assert.ok(front <= most, `${front} hashes`)
      })
})
