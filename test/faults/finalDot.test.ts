import assert from 'node:assert/strict'
import type { Tenant } from '../support/client.ts'
import type { SinkEvent, SinkScript } from '../support/sinkSession.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { type ClockedSystem, clockedSystem, minutes } from './clockedSystem.ts'
import { shortOrLong } from './random.ts'
import { markedMail, messagesOfClients, receivedCopies, storedEmails } from './recorder.ts'

const mails = shortOrLong(50, 1_000)
const perPhase = shortOrLong(20, 200)
/** Fewer, because each is 8 MiB long and sent twice. */
const largePerPhase = shortOrLong(3, 50)

/** Returns a server that resets the connection at `fault.at`; null means never. */
const faultyServer = (): { script: SinkScript; fault: { at: SinkEvent['at'] | null } } => {
  const fault: { at: SinkEvent['at'] | null } = { at: null }
  return { fault, script: ({ at }) => (at === fault.at ? { hangUp: 'reset' } : null) }
}

const send = async (tenant: Tenant, count: number, name: string, more: Record<string, unknown> = {}) => {
  for (let n = 0; n < count; n++) {
    const { status, text } = await tenant.send(markedMail(`${name}-${n}`, [`${name}${n}@receiver.example`], more))
    assert.equal(status, 202, text)
  }
}

/** Advances the clock past all retries of the schedule and makes each of them. */
const makeAllRetries = async (system: ClockedSystem): Promise<void> => {
  for (let hour = 0; hour < 45; hour++) {
    system.advance(minutes(60))
    await system.drain()
  }
}

describe('connection lost at the final dot (I3)', () => {
  needsOwnProcess()

  it('is never followed by a retry with on_unknown hold', async function () {
    this.timeout(shortOrLong(300_000, 600_000))
    const { script, fault } = faultyServer()
    // The server accepts each message and resets the connection instead of replying.
    fault.at = 'dot'
    await using system = await clockedSystem({ script })
    const tenant = await system.client.tenant()
    await send(tenant, mails, 'hold', { on_unknown: 'hold' })
    await system.drain()
    await makeAllRetries(system)
    assert.equal(messagesOfClients(system.sink, tenant).length, mails)
    const emails = await storedEmails(tenant)
    assert.deepEqual(new Set(emails.flatMap((email) => email.recipients.map((r) => r.status))), new Set(['unknown']))
    assert.deepEqual(new Set(emails.map((email) => email.attempts.length)), new Set([1]))
  })

  it('causes a limited number of copies with the same Message-ID under on_unknown retry', async () => {
    const { script, fault } = faultyServer()
    fault.at = 'dot'
    await using system = await clockedSystem({ script })
    const tenant = await system.client.tenant()
    await send(tenant, 5, 'retry')
    await system.drain()
    await makeAllRetries(system)
    const copies = Map.groupBy(receivedCopies(system.sink, tenant), (one) => one.testId)
    for (const { testId, attempts, recipients } of await storedEmails(tenant)) {
      const all = copies.get(testId) ?? []
      assert.equal(new Set(all.map((one) => one.messageId)).size, 1)
      // docs/contract.md: attempts at 0, 5, 15, 30 min, 1, 2, 4, 8, 16 h.
      assert.equal(all.length, 9)
      assert.deepEqual(
        attempts.map((attempt) => attempt.possibleDuplicate),
        [false, ...Array.from({ length: 8 }, () => true)],
      )
      assert.equal(recipients[0]?.status, 'failed')
    }
  })

  it('leads to one marked copy if it happens once with on_unknown retry', async () => {
    const { script, fault } = faultyServer()
    fault.at = 'dot'
    await using system = await clockedSystem({ script })
    const tenant = await system.client.tenant()
    await send(tenant, 10, 'once')
    await system.drain()
    fault.at = null
    system.advance(minutes(6))
    await system.drain()
    assert.equal(messagesOfClients(system.sink, tenant).length, 20)
    for (const { attempts, recipients } of await storedEmails(tenant)) {
      assert.deepEqual(attempts, [{ possibleDuplicate: false }, { possibleDuplicate: true }])
      assert.equal(recipients[0]?.status, 'delivered')
    }
  })
})

/** Exceeds the buffers of the kernel, so the connection is lost before the whole body and its final dot are sent. */
const largeAttachment = {
  filename: 'long.bin',
  content_type: 'application/octet-stream',
  content: Buffer.alloc(6 * 2 ** 20, 'x').toString('base64'),
}

describe('connection lost before the final dot (I4)', () => {
  needsOwnProcess()

  for (const at of ['connect', 'MAIL', 'RCPT', 'DATA', 'body'] as const) {
    it(`leads to one delivery and no possible duplicate if it happens at ${at}`, async () => {
      const { script, fault } = faultyServer()
      fault.at = at
      await using system = await clockedSystem({ script })
      const tenant = await system.client.tenant()
      const body = at === 'body'
      const count = body ? largePerPhase : perPhase
      await send(tenant, count, `drop${at.toLowerCase()}`, body ? { attachments: [largeAttachment] } : {})
      await system.drain()
      assert.equal(messagesOfClients(system.sink, tenant).length, 0)
      for (const { recipients } of await storedEmails(tenant)) assert.equal(recipients[0]?.status, 'deferred')
      fault.at = null
      system.advance(minutes(6))
      await system.drain()
      assert.equal(messagesOfClients(system.sink, tenant).length, count)
      assert.equal(new Set(receivedCopies(system.sink, tenant).map((one) => one.testId)).size, count)
      for (const { recipients, attempts } of await storedEmails(tenant)) {
        assert.equal(recipients[0]?.status, 'delivered')
        assert.ok(attempts.every((attempt) => !attempt.possibleDuplicate))
      }
    })
  }
})
