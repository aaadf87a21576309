import assert from 'node:assert/strict'
import { answered } from '../support/client.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { check, faultless } from './check.ts'
import { clockedSystem, minutes } from './clockedSystem.ts'
import { hasNamed, markedMail, messagesOfClients, receivedCopies, storedEmails, usedSends } from './recorder.ts'

const count = 20

describe('clock that jumps during deliveries (I14, I15)', () => {
  needsOwnProcess()

  for (const jump of [10, -10]) {
    it(`does not lose or repeat mail when it jumps by ${jump} minutes`, async () => {
      // The sink replies to RCPT after the jump, so the jump is between claim and final dot. It exceeds every lease.
      const jumped = Promise.withResolvers<void>()
      const script = ({ at }: { at: string }) => (at === 'RCPT' ? { after: jumped.promise } : null)
      await using system = await clockedSystem({ script })
      const tenant = await system.client.tenant()
      const mails = Array.from({ length: count }, (_, n) => markedMail(`jump-${n}`, [`jump${n}@receiver.example`]))
      const keyOf = (mail: (typeof mails)[number]) => ({ 'idempotency-key': mail.metadata.test_id })
      const responses = await Promise.all(mails.map((mail) => answered(() => tenant.send(mail, keyOf(mail)))))
      const draining = system.drain()
      await until('mail is in flight', () => hasNamed(system.sink, 'jump') || undefined)
      system.advance(minutes(jump))
      jumped.resolve()
      await draining
      system.advance(minutes(Math.abs(jump) + 6))
      await system.drain()
      const requests = mails.map((mail, n) => ({
        testId: mail.metadata.test_id,
        recipients: mail.to,
        key: mail.metadata.test_id,
        answers: [{ status: responses[n]?.status ?? 0, emailId: responses[n]?.body.id ?? null }],
      }))
      const emails = await storedEmails(tenant)
      const found = { requests, copies: receivedCopies(system.sink, tenant), emails, used: await usedSends(tenant) }
      assert.deepEqual(check(found), faultless)
      assert.equal(messagesOfClients(system.sink, tenant).length, count)
    })
  }
})
