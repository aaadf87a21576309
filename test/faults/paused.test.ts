import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { skip } from '../support/skip.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { check, faultless } from './check.ts'
import { shortOrLong } from './random.ts'
import { evidence, hasNamed, markedMail, messagesOfClients, sendOnce, untilDrained } from './recorder.ts'
import { openRig } from './rig.ts'

const mails = 100
/** Longer than a lease. The clock of a paused process cannot be moved, so the test really waits. */
const pausedMs = shortOrLong(0, 40_000)

describe('process paused for longer than its leases (I15)', () => {
  needsOwnProcess()

  before(function () {
    if (pausedMs === 0) skip(this, 'takes 40 s; `npm run test:faults:long` runs it')
  })

  it('sends nothing with an expired lease, and each email once', async () => {
    await using rig = await openRig({ sink: { script: ({ at }) => (at === 'RCPT' ? { delayMs: 200 } : null) } })
    const tenant = await rig.client.tenant()
    for (let n = 0; n < mails; n++) {
      const testId = `paused-${n}`
      assert.equal(await sendOnce(rig, tenant, markedMail(testId, [`${testId}@receiver.example`]), null), 202)
    }
    await until('mail is in flight', () =>
      rig.sink.counts().open > 0 && hasNamed(rig.sink, 'paused') ? true : undefined,
    )
    process.kill(rig.service().pid, 'SIGSTOP')
    await pause(pausedMs)
    process.kill(rig.service().pid, 'SIGCONT')
    await untilDrained(tenant)
    assert.deepEqual(check(await evidence(rig, tenant)), faultless)
    assert.equal(messagesOfClients(rig.sink, tenant).length, mails)
  })
})
