import assert from 'node:assert/strict'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { testIntake } from '../../test/support/testIntake.ts'
import { sendSystemMail } from './systemMail.ts'

const request = {
  to: 'ada@example.com',
  subject: 'Reset your password',
  text: 'Open this page: …',
  html: '<p>Open this page</p>',
  idempotencyKey: 'reset_password abc',
}

const rig = () => {
  const submitted: SubmitRequest[] = []
  const submit = async (given: SubmitRequest) => {
    submitted.push(given)
    return { id: 'em_1', status: 202, bodyJson: '{}', replayed: false, quota: null }
  }
  return { send: sendSystemMail(submit, { emails: { get: async () => null } }), submitted }
}

type System = Awaited<ReturnType<typeof testIntake>>

const dayMs = 86_400_000

const deliver = async ({ emails, time }: System): Promise<void> => {
  const [claimed] = await emails.claim({ lane: 'transactional', now: time.at, limit: 1, leaseMs: 1_000 })
  assert.ok(claimed)
  const recipients = claimed.email.recipients.map((one) => ({ ...one, status: 'delivered' as const, nextAt: null }))
  const email = { ...claimed.email, recipients }
  await emails.write(email.id, claimed.fence, { email, nextAt: null, done: true })
}

describe('system mail', () => {
  it('is accepted as live mail of the workspace platform, from the shared sender, to one person', async () => {
    const { send, submitted } = rig()
    assert.deepEqual(await send({ ...request, expiresInMs: 60_000 }), { id: 'em_1' })
    const { caller, mail, idempotency } = submitted[0] ?? assert.fail('nothing was submitted')
    assert.deepEqual([caller.workspace, caller.mode, caller.suspended, caller.keyId], ['platform', 'live', false, null])
    assert.deepEqual([mail.from, mail.domainId, mail.category, mail.expiresInMs], [null, null, 'transactional', 60_000])
    assert.deepEqual(
      mail.to.map(({ address }) => address),
      ['ada@example.com'],
    )
    assert.equal(mail.headers['Auto-Submitted'], 'auto-generated')
    assert.equal(idempotency?.key, 'reset_password abc')
    assert.equal(mail.retention, 'none')
  })

  it('has the same fingerprint when it is repeated, and a different one for other content', async () => {
    const { send, submitted } = rig()
    for (const text of ['a', 'a', 'b']) await send({ ...request, text })
    const [first, second, third] = submitted.map(({ idempotency }) => Buffer.from(idempotency?.fingerprint ?? []))
    assert.deepEqual(first, second)
    assert.notDeepEqual(first, third)
  })

  // A notice whose process died before it noted the mail was sent once more when the key had expired.
  for (const [name, pass] of [
    ['immediately', async () => {}],
    [
      'after its key has expired',
      async (system: System) => {
        system.time.at += 2 * dayMs
        await system.sweep()
        assert.equal(system.db.prepare('SELECT count(*) AS n FROM idempotency_keys').get()?.['n'], 0)
      },
    ],
    [
      'after its content was removed',
      async (system: System) => {
        await deliver(system)
        system.time.at += 60 * dayMs
        await system.sweep()
        assert.equal(system.db.prepare('SELECT count(*) AS n FROM contents').get()?.['n'], 0)
      },
    ],
  ] as const)
    it(`is sent once if it is repeated ${name}`, async () => {
      await using system = await testIntake()
      const { id } = await system.intake.SendSystemMail(request)
      await pass(system)
      const rung = system.rung.length
      assert.deepEqual(await system.intake.SendSystemMail({ ...request, text: 'with another name' }), { id })
      assert.deepEqual(system.rung.slice(rung), [])
      const rows = system.db.prepare("SELECT id FROM emails WHERE workspace <> ''").all()
      assert.deepEqual(
        rows.map((row) => row['id']),
        [id],
      )
      const other = await system.intake.SendSystemMail({ ...request, idempotencyKey: 'another' })
      assert.notEqual(other.id, id)
    })

  it('is refused if the recipient is not an address', async () => {
    const { send, submitted } = rig()
    await assert.rejects(send({ ...request, to: 'no address' }), { code: 'validation_failed' })
    assert.deepEqual(submitted, [])
  })
})
