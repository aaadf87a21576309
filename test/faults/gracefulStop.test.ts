import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { needsOwnProcess } from '../support/suite.ts'
import { check } from './check.ts'
import { announcedSeed, numbers, seeded } from './random.ts'
import { ask, drained, evidence, faultless, markedMail } from './recorder.ts'
import { openRig } from './rig.ts'

const rounds = numbers(4, 20)
const clients = 16
/** Kubernetes gives 30 s before it kills; the process must be gone 5 s earlier. */
const graceMs = 25_000

describe('asked to stop under load (I25)', () => {
  needsOwnProcess()

  it(`${rounds} times SIGTERM: no request in flight fails, no mail is left in doubt`, async function () {
    this.timeout(numbers(120_000, 900_000))
    const random = seeded(announcedSeed())
    await using rig = await openRig({ sink: { script: ({ at }) => (at === 'dot' ? { delayMs: 10 } : null) } })
    const tenant = await rig.client.tenant()
    const failed: string[] = []
    for (let round = 0; round < rounds; round++) {
      let stoppedAt = Number.POSITIVE_INFINITY
      const client = async (name: string) => {
        for (let n = 0; performance.now() < stoppedAt; n++) {
          const testId = `${name}-${n}`
          const begun = performance.now()
          const status = await ask(rig, tenant, markedMail(testId, [`${testId}@receiver.example`]), null)
          // A request that began after the signal may find the door closed; one before it must be answered.
          if (status !== 202 && begun < stoppedAt) failed.push(`${testId}: ${status}`)
        }
      }
      const load = Array.from({ length: clients }, (_, n) => client(`stop-${round}-${n}`))
      await pause(150 + random() * 250)
      stoppedAt = performance.now()
      assert.equal(await rig.service().stop(), 0, rig.service().output())
      const tookMs = performance.now() - stoppedAt
      assert.ok(tookMs < graceMs, `it took ${tookMs} ms`)
      await Promise.all(load)
      await rig.start()
    }
    assert.deepEqual(failed, [])
    await drained(tenant, 60_000)
    const found = await evidence(rig, tenant)
    assert.deepEqual(check(found), faultless)
    assert.deepEqual(
      found.kept.filter((email) => email.attempts.some((attempt) => attempt.possibleDuplicate)),
      [],
    )
  })
})
