import assert from 'node:assert/strict'
import { assertStoppedInTime, elapsedMs } from '../support/grace.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { check, faultless } from './check.ts'
import { printedSeed, seeded, shortOrLong } from './random.ts'
import { evidence, markedMail, sendOnce, untilDrained } from './recorder.ts'
import { openRig } from './rig.ts'

const rounds = shortOrLong(4, 20)
const clients = 16

describe('graceful stop under load (I25)', () => {
  needsOwnProcess()

  it(`fails no request in flight and leaves no mail in doubt in ${rounds} rounds`, async function () {
    this.timeout(shortOrLong(300_000, 900_000))
    const random = seeded(printedSeed())
    await using rig = await openRig({ sink: { script: ({ at }) => (at === 'dot' ? { delayMs: 10 } : null) } })
    const tenant = await rig.client.tenant()
    const failed: string[] = []
    let startMs = 0
    for (let round = 0; round < rounds; round++) {
      let stoppedAt = Number.POSITIVE_INFINITY
      let [connected, responses] = [0, 0]
      const client = async (name: string) => {
        for (let n = 0; performance.now() < stoppedAt; n++) {
          const testId = `${name}-${n}`
          const sentAt = performance.now()
          const status = await sendOnce(rig, tenant, markedMail(testId, [`${testId}@receiver.example`]), null)
          // A request after the signal may be refused. A request before it must be accepted.
          if (status !== 202 && sentAt < stoppedAt) failed.push(`${testId}: ${status}`)
          if (n === 0) connected++
          responses++
        }
      }
      const load = Array.from({ length: clients }, (_, n) => client(`stop-${round}-${n}`))
      // From now on a request is written to its open connection immediately, so it is sent before the signal.
      await until('every client has a connection', () => connected === clients || undefined)
      const more = responses + random() * clients * 10
      await until('some more requests have responses', () => responses >= more || undefined)
      stoppedAt = performance.now()
      assert.equal(await rig.service().stop(), 0, rig.service().output())
      const stopMs = performance.now() - stoppedAt
      await Promise.all(load)
      const nextMs = await elapsedMs(() => rig.start())
      assertStoppedInTime({ stopMs, startsMs: [startMs, nextMs] })
      startMs = nextMs
    }
    assert.deepEqual(failed, [])
    await untilDrained(tenant)
    const found = await evidence(rig, tenant)
    assert.deepEqual(check(found), faultless)
    assert.deepEqual(
      found.emails.filter((email) => email.attempts.some((attempt) => attempt.possibleDuplicate)),
      [],
    )
  })
})
