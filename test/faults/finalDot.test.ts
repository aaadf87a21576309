import assert from 'node:assert/strict'
import type { Tenant } from '../support/client.ts'
import type { SinkEvent, SinkScript } from '../support/sinkSession.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { type ClockedSystem, clockedSystem, minutes } from './clockedSystem.ts'
import { numbers } from './random.ts'
import { keptBy, markedMail, takenBy } from './recorder.ts'

const mails = numbers(50, 1_000)
const perPhase = numbers(20, 200)

/** A server whose trouble can be switched: `at` is where it hangs up, null where it is well. */
const troubledServer = (): { script: SinkScript; trouble: { at: SinkEvent['at'] | null } } => {
  const trouble: { at: SinkEvent['at'] | null } = { at: null }
  return { trouble, script: ({ at }) => (at === trouble.at ? { hangUp: 'reset' } : null) }
}

const send = async (tenant: Tenant, count: number, name: string, more: Record<string, unknown> = {}) => {
  for (let n = 0; n < count; n++) {
    const { status, text } = await tenant.send(markedMail(`${name}-${n}`, [`${name}${n}@receiver.example`], more))
    assert.equal(status, 202, text)
  }
}

/** Enough time for every try of the schedule, each worked off before the next. */
const letScheduleRun = async (system: ClockedSystem): Promise<void> => {
  for (let hour = 0; hour < 45; hour++) {
    system.pass(minutes(60))
    await system.drain()
  }
}

describe('lost at the final dot (I3)', () => {
  needsOwnProcess()

  it('under hold, mail in doubt is never sent again by itself', async function () {
    this.timeout(numbers(60_000, 600_000))
    const { script, trouble } = troubledServer()
    // The server takes each message, and the connection dies instead of saying so.
    trouble.at = 'dot'
    await using system = await clockedSystem({ script })
    const tenant = await system.client.tenant()
    await send(tenant, mails, 'hold', { on_unknown: 'hold' })
    await system.drain()
    await letScheduleRun(system)
    assert.equal(system.sink.messages.length, mails)
    const kept = await keptBy(tenant)
    assert.deepEqual(new Set(kept.flatMap((email) => email.recipients.map((r) => r.status))), new Set(['unknown']))
    assert.deepEqual(new Set(kept.map((email) => email.attempts.length)), new Set([1]))
  })

  it('with retry, each copy has the same Message-ID and the tries end', async function () {
    this.timeout(60_000)
    const { script, trouble } = troubledServer()
    trouble.at = 'dot'
    await using system = await clockedSystem({ script })
    const tenant = await system.client.tenant()
    await send(tenant, 5, 'retry')
    await system.drain()
    await letScheduleRun(system)
    const copies = Map.groupBy(takenBy(system.sink), (one) => one.testId)
    const kept = await keptBy(tenant)
    for (const { testId, attempts, recipients } of kept) {
      const all = copies.get(testId) ?? []
      assert.equal(new Set(all.map((one) => one.messageId)).size, 1)
      // API.md, Delivery: tries at 0, 5, 15, 30 min, 1, 2, 4, 8, 16 h.
      assert.equal(all.length, 9)
      assert.deepEqual(
        attempts.map((attempt) => attempt.possibleDuplicate),
        [false, ...Array.from({ length: 8 }, () => true)],
      )
      assert.equal(recipients[0]?.status, 'failed')
    }
  })

  it('with retry, one doubt leads to one marked copy', async function () {
    this.timeout(60_000)
    const { script, trouble } = troubledServer()
    trouble.at = 'dot'
    await using system = await clockedSystem({ script })
    const tenant = await system.client.tenant()
    await send(tenant, 10, 'once')
    await system.drain()
    trouble.at = null
    system.pass(minutes(6))
    await system.drain()
    assert.equal(system.sink.messages.length, 20)
    for (const { attempts, recipients } of await keptBy(tenant)) {
      assert.deepEqual(attempts, [{ possibleDuplicate: false }, { possibleDuplicate: true }])
      assert.equal(recipients[0]?.status, 'delivered')
    }
  })
})

/** The connection must die while the body is on its way: the kernel would take a shorter one whole, and its dot too. */
const tooMuchForAnyBuffer = {
  filename: 'long.bin',
  content_type: 'application/octet-stream',
  content: Buffer.alloc(6 * 2 ** 20, 'x').toString('base64'),
}

describe('lost before the final dot (I4)', () => {
  needsOwnProcess()

  for (const at of ['connect', 'MAIL', 'RCPT', 'DATA', 'body'] as const) {
    it(`dropped at ${at}: delivered once when the server is well again, and not called a possible duplicate`, async function () {
      this.timeout(numbers(30_000, 120_000))
      const { script, trouble } = troubledServer()
      trouble.at = at
      await using system = await clockedSystem({ script })
      const tenant = await system.client.tenant()
      const body = at === 'body'
      const count = body ? perPhase / 4 : perPhase
      await send(tenant, count, `drop${at.toLowerCase()}`, body ? { attachments: [tooMuchForAnyBuffer] } : {})
      await system.drain()
      assert.equal(system.sink.messages.length, 0)
      for (const { recipients } of await keptBy(tenant)) assert.equal(recipients[0]?.status, 'deferred')
      trouble.at = null
      system.pass(minutes(6))
      await system.drain()
      assert.equal(system.sink.messages.length, count)
      assert.equal(new Set(takenBy(system.sink).map((one) => one.testId)).size, count)
      for (const { recipients, attempts } of await keptBy(tenant)) {
        assert.equal(recipients[0]?.status, 'delivered')
        assert.ok(attempts.every((attempt) => !attempt.possibleDuplicate))
      }
    })
  }
})
