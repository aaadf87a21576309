import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { skip } from '../support/skip.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { numbers } from './random.ts'
import { ask, drained, faultless, markedMail, verdict } from './recorder.ts'
import { openRig } from './rig.ts'

const mails = 100
/** Longer than a lease; a stopped process can't be told that time has passed, so this one takes its time. */
const stoppedMs = numbers(0, 40_000)

describe('a process that stands still longer than its leases (I15)', () => {
  needsOwnProcess()

  before(function () {
    if (stoppedMs === 0) skip(this, 'takes 40 s; `npm run test:faults:long` runs it')
  })

  it('sends nothing under a lease that ran out, and each mail once', async function () {
    this.timeout(120_000)
    await using rig = await openRig({ sink: { script: ({ at }) => (at === 'RCPT' ? { delayMs: 200 } : null) } })
    const tenant = await rig.client.tenant()
    for (let n = 0; n < mails; n++) {
      const testId = `still-${n}`
      assert.equal(await ask(rig, tenant, markedMail(testId, [`${testId}@receiver.example`]), null), 202)
    }
    await until('mail is in work', () => (rig.sink.counts().open > 0 ? true : undefined))
    process.kill(rig.service().pid, 'SIGSTOP')
    await pause(stoppedMs)
    process.kill(rig.service().pid, 'SIGCONT')
    await drained(tenant, 60_000)
    assert.deepEqual(await verdict(rig, tenant), faultless)
    assert.equal(rig.sink.messages.length, mails)
  })
})
