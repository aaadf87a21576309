import assert from 'node:assert/strict'
import { auditEntryOf } from '@postrider/adapters/sqlite/audit/list.ts'
import { anAttempt } from '../../test/support/anEmail.ts'
import { noon, reader, testIntake } from '../../test/support/testIntake.ts'
import { cancelEmail } from './cancelEmail.ts'

const hour = 3_600_000
const later = { sendAt: { at: noon + hour } }
type System = Awaited<ReturnType<typeof testIntake>>

const cancel = async ({ intake }: System, id: string) =>
  JSON.parse((await intake.CancelEmail({ reader: reader(), id })).record_json)

const claimAll = ({ emails, time }: System) =>
  emails.claim({ lane: 'transactional', now: time.at, limit: 10, leaseMs: 30_000 })

describe('canceling an email', () => {
  it('ends mail without an attempt and releases the quota', async () => {
    await using system = await testIntake()
    const id = await system.send(later)
    assert.equal(await system.used(), 2)
    const record = await cancel(system, id)
    assert.equal(record.status, 'canceled')
    assert.equal(await system.used(), 0)
    system.time.at += 2 * hour
    assert.deepEqual(await claimAll(system), [])
    assert.deepEqual((await system.stored(id)).email.owed, [])
  })

  it('returns the same record again and releases no send twice', async () => {
    await using system = await testIntake()
    const other = await system.send()
    const id = await system.send(later)
    await cancel(system, id)
    assert.equal((await cancel(system, id)).status, 'canceled')
    assert.equal(await system.used(), 2)
    assert.notEqual((await system.stored(other)).nextAt, null)
  })

  it('returns the same record again when another recipient is suppressed', async () => {
    // Regression: the status of such an email is `suppressed`; the second cancel used to be a conflict.
    await using system = await testIntake()
    const to = ['ann@example.com', 'suppressed@simulator.postrider.dev'].map((address) => ({ name: '', address }))
    const id = await system.send({ to, ...later })
    await cancel(system, id)
    const again = await cancel(system, id)
    assert.deepEqual(
      again.recipients.map(({ status }: { status: string }) => status),
      ['canceled', 'suppressed'],
    )
    assert.equal(await system.used(), 0)
  })

  it('is a conflict once the email is leased', async () => {
    await using system = await testIntake()
    const id = await system.send()
    await claimAll(system)
    await assert.rejects(cancel(system, id), { code: 'conflict' })
    assert.equal(await system.used(), 2)
  })

  it('is a conflict once an attempt was made', async () => {
    await using system = await testIntake()
    const id = await system.send()
    const [claimed] = await claimAll(system)
    assert.ok(claimed)
    const email = { ...claimed.email, attempts: [anAttempt({ outcome: 'deferred' })] }
    await system.emails.write(id, claimed.fence, { email, nextAt: noon + hour, done: true })
    await assert.rejects(cancel(system, id), { code: 'conflict' })
  })

  it('refuses later writes of a worker whose lease had expired', async () => {
    await using system = await testIntake()
    const id = await system.send()
    const [late] = await claimAll(system)
    system.time.at += 31_000
    await cancel(system, id)
    assert.ok(late)
    const change = { email: late.email, nextAt: noon, done: false }
    assert.equal(await system.emails.write(id, late.fence, change), false)
  })

  it('happens entirely before or entirely after a concurrent claim', async () => {
    await using system = await testIntake()
    for (let round = 0; round < 20; round++) {
      const id = await system.send()
      const race = [() => cancel(system, id).catch(({ code }) => code), () => claimAll(system)]
      const [canceled, claimed] = await Promise.all((round % 2 ? race.toReversed() : race).map((run) => run()))
      const [outcome, claims] = round % 2 ? [claimed, canceled] : [canceled, claimed]
      if (outcome === 'conflict') assert.equal(claims.length, 1)
      else assert.deepEqual([outcome.status, claims.length], ['canceled', 0])
    }
  })

  it('is written to the audit log, and does not find another workspace’s email', async () => {
    await using system = await testIntake()
    const id = await system.send(later)
    const stranger = reader({ workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb5' })
    await assert.rejects(system.intake.CancelEmail({ reader: stranger, id }), { code: 'not_found' })
    await cancel(system, id)
    const rows = system.db.prepare('SELECT * FROM audit_log').all()
    assert.deepEqual(
      rows.map(auditEntryOf).map(({ action, target, actor, before, after }) => [action, target, actor, before, after]),
      [['email.cancel', id, 'usr_1', { status: 'scheduled' }, { status: 'canceled' }]],
    )
  })

  it('is completed by the sweep if the process died before the quota was released', async () => {
    await using system = await testIntake()
    const id = await system.send(later)
    const quota = { ...system.deps.quota, Release: () => Promise.reject(new Error('the process died here')) }
    await assert.rejects(cancelEmail({ ...system.deps, quota })({ reader: reader(), id }), /died here/)
    assert.equal(await system.used(), 2)
    await system.sweep()
    await system.sweep()
    assert.equal(await system.used(), 0)
    assert.deepEqual((await system.stored(id)).email.owed, [])
  })
})
