import assert from 'node:assert/strict'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { check } from './check.ts'
import { clockedSystem, minutes } from './clockedSystem.ts'
import { keptBy, markedMail, takenBy, usedBy } from './recorder.ts'

const count = 20

describe('a clock that jumps while mail is in work (I14, I15)', () => {
  needsOwnProcess()

  for (const jump of [10, -10]) {
    it(`${jump} minutes: each mail arrives once`, async function () {
      this.timeout(30_000)
      // The sink thinks about each RCPT, so the jump falls between claim and final dot, past every lease.
      const script = ({ at }: { at: string }) => (at === 'RCPT' ? { delayMs: 300 } : null)
      await using system = await clockedSystem({ script })
      const tenant = await system.client.tenant()
      const mails = Array.from({ length: count }, (_, n) => markedMail(`jump-${n}`, [`jump${n}@receiver.example`]))
      const answers = await Promise.all(mails.map((mail) => tenant.send(mail)))
      const draining = system.drain()
      await until('mail is in work', () => (system.sink.counts().open > 0 ? true : undefined))
      system.pass(minutes(jump))
      await draining
      system.pass(minutes(Math.abs(jump) + 6))
      await system.drain()
      const asked = mails.map((mail, n) => ({
        testId: mail.metadata.test_id,
        recipients: mail.to,
        key: null,
        answers: [{ status: answers[n]?.status ?? 0, emailId: answers[n]?.body.id ?? null }],
      }))
      const kept = await keptBy(tenant)
      const found = { asked, taken: takenBy(system.sink), kept, used: await usedBy(tenant) }
      assert.deepEqual(check(found), { lost: [], duplicate: [], phantom: [], overspend: [], unknown: [] })
      assert.equal(system.sink.messages.length, count)
    })
  }
})
