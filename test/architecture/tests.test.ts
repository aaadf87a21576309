import assert from 'node:assert/strict'
import { filesIn, isTest, textOf } from './sources.ts'

/**
 * A skip without a reason, of a test that runs or of one that is declared. `skip` of a database cursor has a parameter.
 */
const bareSkip = /\.skip\(\)|\b(?:it|describe|context|specify)\.skip\b|\bx(?:it|describe|context|specify)\(/

/**
 * Tests that pause with the timer of Node, each with the reason. Others move an injected clock, wait for a signal, or
 * poll a condition with `until`.
 */
const ownPauses: Readonly<Record<string, string>> = {
  'test/cluster/events.test.ts': 'the rate at which clients send',
  'test/cluster/fairness.test.ts': 'the latency of a server',
  'test/cluster/fencing.test.ts': 'the long form waits for the end of leases',
  'test/cluster/rateLimits.test.ts': 'the time of a Retry-After',
  'test/contract/limiter.test.ts': 'the time of a Retry-After, by the clock of Redis',
  'test/e2e/rateLimit.test.ts': 'the time of a Retry-After',
  'test/faults/kafkaStorm.test.ts': 'the rate at which listeners join and leave',
  'test/faults/ledgerRace.test.ts': 'the latency of a store',
  'test/faults/paused.test.ts': 'the long form waits for the end of leases',
}

/** A pause, in contrast to a timer that ends a test or is cleared. */
const ownPause =
  /^import \{[^}]*\bsetTimeout\b.*'node:timers\/promises'$|^ *await new Promise\b.*\bsetTimeout\([^()]*,/m

describe('tests', () => {
  it('only the listed ones pause with the timer of Node', () => {
    const found = ['packages', 'services', 'test'].flatMap(filesIn).filter((file) => isTest(file))
    assert.deepEqual(found.filter((file) => ownPause.test(textOf(file))).toSorted(), Object.keys(ownPauses))
  })

  for (const [text, isFound] of [
    ["import { setTimeout as pause } from 'node:timers/promises'", true],
    ["import { setImmediate as nextIteration, setTimeout } from 'node:timers/promises'", true],
    ['  await new Promise((resolve) => setTimeout(resolve, 50))', true],
    ["import { setImmediate as nextIteration } from 'node:timers/promises'", false],
    ['  const timer = setTimeout(() => end(false), waitMs)', false],
  ] as const)
    it(`the search for pauses reads ${text.trim()}`, () => assert.equal(ownPause.test(text), isFound))

  it('skip with `skip` only, so that the report of the run lists the reason', () => {
    const own = ['test/architecture/tests.test.ts', 'test/support/skip.ts']
    const files = ['packages', 'services', 'test'].flatMap(filesIn).filter((file) => !own.includes(file))
    assert.deepEqual(
      files.filter((file) => bareSkip.test(textOf(file))),
      [],
    )
  })
})
