import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { runFuzz } from '../fuzz/run.ts'
import { unreachable } from '../fuzz/story.ts'
import { makeWorld } from '../fuzz/world.ts'
import { skip } from '../support/skip.ts'
import { useSystem } from '../support/suite.ts'

const isLong = process.env['POSTRIDER_FUZZ'] === 'long'
/** A run that decides about a change makes the same requests each time; the long form finds what is new. */
const usualSeed = 1
const isOnCluster = process.env['POSTRIDER_E2E'] === 'cluster'
const requests = Number(process.env['POSTRIDER_FUZZ_REQUESTS'] ?? (isLong ? 20_000 : 2_000))

describe('random requests made from the OpenAPI document', () => {
  const system = useSystem()

  it(`get responses that conform to it: ${requests} requests, 2xx from every operation`, async function fuzz() {
    // Deliveries and reads are less in step there, so that two runs with one seed differ.
    if (isOnCluster && !isLong) skip(this, 'a cluster runs the long form of the fuzz test: `npm run test:fuzz:long`')
    // The deadline only ends a run that hangs.
    this.timeout(isLong ? 7_200_000 : 1_200_000)
    const seed = Number(process.env['POSTRIDER_FUZZ_SEED'] ?? (isLong ? randomInt(2 ** 31) : usualSeed))
    process.stdout.write(`      seed ${seed} (POSTRIDER_FUZZ_SEED)\n`)
    await using world = await makeWorld(system())
    const { cpuMs } = system()
    const before = cpuMs?.() ?? 0
    await runFuzz(world, { seed, requests })
    const { seen, document } = world
    const statuses = [...seen.byStatus].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    process.stdout.write(`      ${statuses.join(', ')}; repeated after 503: ${seen.unavailable}; `)
    process.stdout.write(`CPU of the service ${cpuMs === null ? 'unknown' : `${Math.round(cpuMs() - before)} ms`}\n`)
    if (seen.failures.length > 0) assert.fail(`${seen.wrong} responses are wrong:\n\n${seen.failures.join('\n\n')}`)
    const missing = document.operations.filter(({ id }) => !seen.succeeded.has(id) && !(id in unreachable))
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
      'operations without a 2xx',
    )
    const failed =
      system()
        .standalone?.logs()
        .filter(({ msg }) => msg === 'request failed') ?? []
    assert.deepEqual(failed, [])
  })
})
