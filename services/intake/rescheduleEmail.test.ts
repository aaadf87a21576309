import assert from 'node:assert/strict'
import { auditEntryOf } from '@postrider/adapters/sqlite/audit/list.ts'
import type { SendTime } from '@postrider/contracts/services.ts'
import { withCommitted } from '@postrider/domain/email/attemptRecord.ts'
import { isoTime } from '@postrider/domain/time.ts'
import fc from 'fast-check'
import { anAttempt } from '../../test/support/anEmail.ts'
import { noon, reader, testIntake } from '../../test/support/testIntake.ts'

const [second, hour] = [1_000, 3_600_000]
const later = { sendAt: { at: noon + hour } }
type System = Awaited<ReturnType<typeof testIntake>>

const move = async ({ intake }: System, id: string, sendAt: SendTime, over = {}) =>
  JSON.parse((await intake.RescheduleEmail({ reader: reader(over), id, sendAt })).record_json)

const claimAll = ({ emails, time }: System) =>
  emails.claim({ lane: 'transactional', now: time.at, limit: 10, leaseMs: 30_000 })

const dueIds = async (system: System) => (await claimAll(system)).map(({ email }) => email.id)

describe('moving an email to another time', () => {
  it('makes scheduled mail due at its new time only', async () => {
    await using system = await testIntake()
    const id = await system.send(later)
    const record = await move(system, id, { at: noon + 2 * hour })
    assert.deepEqual([record.status, record.scheduled_at], ['scheduled', isoTime(noon + 2 * hour)])
    system.time.at = noon + 2 * hour - 1
    assert.deepEqual(await dueIds(system), [])
    system.time.at++
    assert.deepEqual(await dueIds(system), [id])
    assert.equal(await system.used(), 2)
  })

  it('counts a duration from the change, and an earlier time is rung', async () => {
    await using system = await testIntake()
    const id = await system.send(later)
    system.time.at += second
    system.rung.length = 0
    const record = await move(system, id, { inMs: 60_000 })
    assert.equal(record.scheduled_at, isoTime(noon + 61_000))
    assert.deepEqual(system.rung, [id])
  })

  for (const [name, sendAt] of [
    ['a duration of zero', { inMs: 0 }],
    ['a time of less than a minute ago', { at: noon - 30_000 }],
  ] as const)
    it(`sends immediately for ${name}`, async () => {
      await using system = await testIntake()
      const id = await system.send(later)
      const record = await move(system, id, sendAt)
      assert.deepEqual([record.status, record.scheduled_at], ['scheduled', isoTime(noon)])
      assert.deepEqual(await dueIds(system), [id])
    })

  it('moves mail that was not scheduled and has no attempt', async () => {
    await using system = await testIntake()
    const id = await system.send()
    assert.equal((await move(system, id, { inMs: hour })).status, 'scheduled')
    assert.deepEqual(await dueIds(system), [])
  })

  it('writes nothing for the time that the email has', async () => {
    await using system = await testIntake()
    const id = await system.send(later)
    const { fence } = await system.stored(id)
    const record = await move(system, id, later.sendAt)
    assert.deepEqual([record.scheduled_at, record.events.length], [isoTime(noon + hour), 2])
    assert.equal((await system.stored(id)).fence, fence)
  })

  for (const [name, sendAt, code] of [
    ['more than a minute ago', { at: noon - 61_000 }, 'in_the_past'],
    ['more than 30 days ahead', { at: noon + 30 * 24 * hour + 1 }, 'too_far_ahead'],
    ['that is a duration over 30 days', { inMs: 30 * 24 * hour + 1 }, 'too_far_ahead'],
  ] as const)
    it(`refuses a time ${name}`, async () => {
      await using system = await testIntake()
      const id = await system.send(later)
      await assert.rejects(
        move(system, id, sendAt),
        ({ code: found, problems }) =>
          // The field is required here, so no message may advise to omit it.
          found === 'validation_failed' && problems[0].code === code && !problems[0].message.includes('omit'),
      )
      assert.equal((await system.stored(id)).nextAt, noon + hour)
    })

  it('is a conflict for canceled mail, for held mail and after an attempt', async () => {
    await using system = await testIntake()
    const [canceled, attempted, held] = [await system.send(later), await system.send(), await system.send()]
    await system.intake.CancelEmail({ reader: reader(), id: canceled })
    for (const { email, fence } of await claimAll(system)) {
      if (email.id !== attempted) continue
      const after = { ...email, attempts: [anAttempt({ outcome: 'deferred' })] }
      await system.emails.write(attempted, fence, { email: after, nextAt: noon + hour, done: true })
    }
    for (const id of [canceled, attempted, held])
      await assert.rejects(move(system, id, { inMs: hour }), { code: 'conflict' }, id)
  })

  it('does not find mail of another workspace or mode, and refuses a limited key', async () => {
    await using system = await testIntake()
    const id = await system.send(later)
    for (const over of [
      { workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb5' },
      { mode: 'test' },
      { sentBy: 'key_other' },
    ] as const)
      await assert.rejects(move(system, id, { inMs: hour }, over), { code: 'not_found' })
    await assert.rejects(move(system, id, { inMs: hour }, { recipients: ['example.net'] }), { code: 'forbidden' })
  })

  it('is written to the audit log with both times', async () => {
    await using system = await testIntake()
    const id = await system.send({ ...later, expiresInMs: 60_000 })
    await move(system, id, { at: noon + 2 * hour })
    const [entry] = system.db.prepare('SELECT * FROM audit_log').all().map(auditEntryOf)
    const times = (at: number) => ({ status: 'scheduled', scheduled_at: isoTime(at), expires_at: isoTime(at + 60_000) })
    assert.deepEqual(
      [entry?.action, entry?.target, entry?.actor, entry?.before, entry?.after],
      ['email.reschedule', id, 'usr_1', times(noon + hour), times(noon + 2 * hour)],
    )
  })

  it('happens entirely before or entirely after a concurrent claim or cancel', async () => {
    await using system = await testIntake()
    for (let round = 0; round < 12; round++) {
      const id = await system.send()
      const outcome = (work: Promise<{ status: string }>) =>
        work.then(
          ({ status }) => status,
          ({ code }) => code,
        )
      const cancel = async () =>
        JSON.parse((await system.intake.CancelEmail({ reader: reader(), id })).record_json) as { status: string }
      const race = [
        () => outcome(move(system, id, { inMs: hour })),
        async () => ((await dueIds(system)).includes(id) ? 'claimed' : 'nothing'),
        () => outcome(cancel()),
      ]
      const [moved, claimed, canceled] = await inOrder(race, round)
      if (claimed === 'claimed') assert.deepEqual([moved, canceled], ['conflict', 'conflict'])
      else assert.ok(canceled === 'canceled' && ['scheduled', 'conflict'].includes(moved ?? ''), `${moved} ${canceled}`)
    }
  })
})

/** Starts all at the same time, the one of this number first, and returns the results in the order of the list. */
const inOrder = async (race: readonly (() => Promise<string>)[], first: number): Promise<string[]> => {
  const running: Promise<string>[] = []
  for (let count = 0; count < race.length; count++) {
    const index = (first + count) % race.length
    running[index] = race[index]?.() ?? assert.fail()
  }
  return Promise.all(running)
}

type Step =
  | { kind: 'move'; inMs: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'claim' }
  | { kind: 'release' }
  | { kind: 'gate' }
  | { kind: 'cancel' }

const seconds = fc.integer({ min: 0, max: 90 }).map((count) => count * second)
const step: fc.Arbitrary<Step> = fc.oneof(
  seconds.map((inMs) => ({ kind: 'move' as const, inMs })),
  seconds.map((ms) => ({ kind: 'wait' as const, ms })),
  fc.constantFrom<Step>({ kind: 'claim' }, { kind: 'claim' }, { kind: 'release' }, { kind: 'gate' }, { kind: 'gate' }),
  fc.constant<Step>({ kind: 'cancel' }),
)

/** Applies steps to one email as a caller and as workers that may be late, and checks each final dot. */
const check = async (system: System, steps: readonly Step[]): Promise<void> => {
  const id = await system.send(later)
  const model = { dueAt: noon + hour, dots: 0, isCanceled: false }
  /** The claims of all workers, also of those that lost their lease. */
  const claimed: { email: Parameters<typeof withCommitted>[0]; fence: number }[] = []
  const gate = async (): Promise<void> => {
    const claim = claimed.shift()
    if (!claim) return
    const attempt = anAttempt({ id: `att_${model.dots}`, at: system.time.at })
    const begun = { ...claim.email, attempts: [...claim.email.attempts, attempt] }
    const email = withCommitted(begun, attempt.id, [0, 1], system.time.at)
    if (!(await system.emails.write(id, claim.fence, { email, nextAt: null, done: true }))) return
    model.dots++
    assert.ok(system.time.at >= model.dueAt, 'it was sent before its time')
    assert.ok(!model.isCanceled, 'it was sent after it was canceled')
  }
  for (const one of steps) {
    if (one.kind === 'wait') system.time.at += one.ms
    if (one.kind === 'gate') await gate()
    if (one.kind === 'claim') {
      for (const { email, fence } of await claimAll(system)) if (email.id === id) claimed.push({ email, fence })
    }
    if (one.kind === 'release') await system.emails.releaseLeases(claimed.map(({ fence }) => ({ id, fence })))
    const result = await request(system, id, one)
    if (result === null) continue
    assert.equal(model.dots, 0, 'it was changed after its final dot')
    if (one.kind === 'cancel') model.isCanceled = true
    else model.dueAt = Date.parse(result)
  }
  assert.ok(model.dots <= 1, 'it was sent twice')
}

/** Returns the time of the email after a change; null: there was none, or it was refused. */
const request = async (system: System, id: string, one: Step): Promise<string | null> => {
  try {
    if (one.kind === 'move') return (await move(system, id, { inMs: one.inMs })).scheduled_at
    if (one.kind !== 'cancel') return null
    await system.intake.CancelEmail({ reader: reader(), id })
    return ''
  } catch (thrown) {
    assert.equal((thrown as { code?: string }).code, 'conflict')
    return null
  }
}

describe('moves, cancels and workers in any order', () => {
  it('never send twice, before the acknowledged time or after a cancel', async () => {
    await using system = await testIntake()
    const runs = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      system.time.at = noon
      await check(system, [{ kind: 'move', inMs: 20 * second }, ...steps])
    })
    await fc.assert(runs, { numRuns: 150, verbose: 1 })
  })
})
