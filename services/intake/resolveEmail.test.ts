import assert from 'node:assert/strict'
import { endOrphans } from '@postrider/domain/email/decisions.ts'
import type { Resolution } from '@postrider/domain/email/email.ts'
import { anAttempt } from '../../test/support/anEmail.ts'
import { noon, reader, testIntake } from '../../test/support/testIntake.ts'

/** Opens an email under `hold` whose worker died between the dot and the reply for ann; bob is delivered. */
const inDoubt = async () => {
  const system = await testIntake()
  const id = await system.send({ onUnknown: 'hold' })
  const claim = async () => {
    const [claimed] = await system.emails.claim({
      lane: 'transactional',
      now: system.time.at,
      limit: 1,
      leaseMs: 30_000,
    })
    return claimed ?? assert.fail('nothing was due')
  }
  const { email, fence } = await claim()
  const [ann, bob] = email.recipients
  assert.ok(ann && bob)
  const recipients = [ann, { ...bob, status: 'delivered' as const, nextAt: null }]
  const attempts = [anAttempt({ recipients: [0, 1], committed: [0, 1] })]
  const held = endOrphans({ ...email, recipients, attempts }, noon)
  await system.emails.write(id, fence, { email: held, nextAt: null, done: true })
  const resolve = async (as: Resolution) =>
    JSON.parse((await system.intake.ResolveEmail({ reader: reader(), id, as })).record_json)
  return { ...system, id, claim, resolve }
}

describe('resolving an email in doubt', () => {
  for (const [as, status, email] of [
    ['delivered', 'delivered', 'delivered'],
    ['failed', 'failed', 'partially_delivered'],
  ] as const) {
    it(`changes only the recipients in doubt, to ${status}, as ${as}`, async () => {
      await using system = await inDoubt()
      const record = await system.resolve(as)
      assert.equal(record.status, email)
      assert.deepEqual(
        record.recipients.map((recipient: { status: string }) => recipient.status),
        [status, 'delivered'],
      )
      assert.equal((await system.stored(system.id)).nextAt, null)
      assert.equal(await system.used(), 2)
    })
  }

  it('makes the recipients in doubt due immediately and rings, as retry; they are not held again', async () => {
    await using system = await inDoubt()
    system.time.at += 60_000
    system.rung.length = 0
    const record = await system.resolve('retry')
    assert.equal(record.status, 'deferred')
    assert.deepEqual(system.rung, [system.id])
    const { email } = await system.claim()
    assert.equal(endOrphans(email, system.time.at), email)
    assert.deepEqual(
      email.recipients.map(({ nextAt }) => nextAt),
      [system.time.at, null],
    )
  })

  it('is a conflict for other mail and for a second decision', async () => {
    await using system = await inDoubt()
    const plain = await system.send()
    const resolving = system.intake.ResolveEmail({ reader: reader(), id: plain, as: 'failed' })
    await assert.rejects(resolving, { code: 'conflict' })
    const decisions = await Promise.allSettled([system.resolve('delivered'), system.resolve('retry')])
    assert.deepEqual(
      decisions.map((decision) => decision.status),
      ['fulfilled', 'rejected'],
    )
  })
})
