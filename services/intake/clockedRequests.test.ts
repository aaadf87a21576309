import assert from 'node:assert/strict'
import type { EmailExplanation } from '@postrider/contracts/http/explainEmail.ts'
import type { BatchMail, MailRequest, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, noon, reader, request, testIntake, withKey, workspace } from '../../test/support/testIntake.ts'
import { intakeService } from './intake.ts'
import { testClockService } from './moveTestClock.ts'
import { stageBatch, submitBatch } from './submitBatch.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const testCaller = caller({ mode: 'test' })

type System = Awaited<ReturnType<typeof testIntake>>

const advance = ({ deps }: System, byMs: number) =>
  testClockService(deps).MoveTestClock({ caller: testCaller, actor: 'key_1', client_address: '', advance_ms: byMs })

const send = async ({ intake }: System, over: Partial<MailRequest> = {}, by = testCaller): Promise<string> =>
  (await intake.Submit(request({ caller: by, mail: mail(over) }))).id

const claimed = async ({ emails, time }: System): Promise<string[]> =>
  (await emails.claim({ lane: 'transactional', now: time.at, limit: 10, leaseMs: 30_000 })).map(({ email }) => email.id)

/** A system whose test clock is 10 days ahead. */
const ahead = async (): Promise<System> => {
  const system = await testIntake()
  await advance(system, 10 * dayMs)
  return system
}

describe('a change of the time of test mail', () => {
  const reschedule = async ({ intake }: System, id: string, sendAt: NonNullable<MailRequest['sendAt']>) =>
    JSON.parse((await intake.RescheduleEmail({ reader: reader({ mode: 'test' }), id, sendAt })).record_json)

  it('is by the clock, and the mail is due when the clock has come to it', async () => {
    await using system = await ahead()
    const id = await send(system, { sendAt: { inMs: hourMs } })
    const at = noon + 15 * dayMs
    assert.equal((await reschedule(system, id, { at })).scheduled_at, isoTime(at))
    const stored = await system.stored(id)
    assert.deepEqual([stored.nextAt, stored.email.events.at(-1)?.clockAt], [noon + 5 * dayMs, noon + 10 * dayMs])
    assert.equal((await reschedule(system, id, { inMs: dayMs })).scheduled_at, isoTime(noon + 11 * dayMs))
    await advance(system, dayMs - 1)
    assert.deepEqual(await claimed(system), [])
    await advance(system, 1)
    assert.deepEqual(await claimed(system), [id])
  })

  it('refuses a time before the clock, with the time of the clock', async () => {
    await using system = await ahead()
    const id = await send(system, { sendAt: { inMs: hourMs } })
    await assert.rejects(reschedule(system, id, { at: noon + 9 * dayMs }), (thrown: Fault) => {
      assert.deepEqual(thrown.problems, [
        {
          path: 'scheduled_at',
          code: 'in_the_past',
          message:
            'This time is before the test clock, which is at 2026-12-01T12:00:00.000Z; use a later one, or PT0S to send immediately.',
        },
      ])
      return true
    })
    await assert.rejects(
      reschedule(system, id, { at: noon + 41 * dayMs }),
      /30 days ahead of the test clock, which is at/,
    )
  })

  it('counts expires_in from the new time', async () => {
    await using system = await ahead()
    const id = await send(system, { expiresInMs: hourMs, sendAt: { inMs: hourMs } })
    await reschedule(system, id, { at: noon + 20 * dayMs })
    assert.equal((await system.stored(id)).email.expiresAt, noon + 20 * dayMs + hourMs)
  })

  it('leaves the removal of content to the real time', async () => {
    await using system = await testIntake()
    const id = await send(system, { sendAt: { inMs: dayMs } })
    // Moved month by month to the end of the clock, which is a year.
    for (let months = 0; months < 12; months++) {
      await reschedule(system, id, { inMs: 30 * dayMs })
      await advance(system, 29 * dayMs)
    }
    await reschedule(system, id, { inMs: 0 })
    const cancel = { reader: reader({ mode: 'test' }), id }
    await system.intake.CancelEmail(cancel)
    system.time.at += 40 * dayMs
    await system.sweep()
    await system.sweep()
    assert.equal((await system.stored(id)).email.contentRemovedAt, system.time.at)
  })
})

describe('the explanation of test mail', () => {
  it('explains test mail by its test clock', async () => {
    await using system = await ahead()
    const id = await send(system, { sendAt: { inMs: dayMs } })
    const next = async (): Promise<EmailExplanation['next_attempt']> => {
      const { record_json } = await system.intake.ExplainEmail({ reader: reader({ mode: 'test' }), id })
      return JSON.parse(record_json).next_attempt
    }
    const at = isoTime(noon + 11 * dayMs)
    assert.deepEqual(await next(), { at, reason: 'scheduled', detail: `It is scheduled for ${at}.` })
    await advance(system, dayMs)
    assert.deepEqual([(await next()).at, (await next()).reason], [at, 'due'])
    await claimed(system)
    assert.equal((await next()).reason, 'in_progress')
  })
})

describe('the validation of a test message', () => {
  it('judges times by the clock for test keys, and by the real time for live ones', async () => {
    await using system = await ahead()
    const problems = async (mode: 'live' | 'test', at: number): Promise<string[]> => {
      const sent = { caller: caller({ mode }), mail: mail({ sendAt: { at } }) }
      return (await system.intake.Validate(sent)).problems.map(({ code }) => code)
    }
    assert.deepEqual(await problems('test', noon + 9 * dayMs), ['in_the_past'])
    assert.deepEqual(await problems('test', noon + 40 * dayMs), [])
    assert.deepEqual(await problems('test', noon + 41 * dayMs), ['too_far_ahead'])
    assert.deepEqual(await problems('live', noon + 9 * dayMs), [])
    assert.deepEqual(await problems('live', noon + 40 * dayMs), ['too_far_ahead'])
  })
})

describe('a batch of test mail', () => {
  const mails = (count: number, over: Partial<MailRequest> = {}): BatchMail[] =>
    Array.from({ length: count }, (_, number) => ({ number, mail: mail(over) }))
  const batch = (over: Partial<SubmitBatchRequest>): SubmitBatchRequest => ({
    caller: testCaller,
    staged: null,
    mails: [],
    refusals: [],
    count: over.mails?.length ?? 0,
    isPermissive: false,
    idempotency: null,
    operation: 'POST /api/v1/emails/batch',
    requestId: 'req_1',
    ...over,
  })
  /** Asserts that all mail is on the clock, `count` in all. */
  const assertOnClock = async (system: System, offset: number, count: number): Promise<void> => {
    const all = await system.all()
    assert.equal(all.length, count)
    for (const { email, nextAt } of all) {
      assert.equal(email.clock?.offset, offset)
      assert.equal(nextAt, nextDueOf(email))
    }
  }

  for (const isPermissive of [false, true])
    it(`has the times of the clock, ${isPermissive ? 'permissive' : 'strict'}`, async () => {
      await using system = await ahead()
      const good = mails(2, { sendAt: { at: noon + 12 * dayMs } })
      const reply = await submitBatch(system.deps)(batch({ mails: good, isPermissive }))
      const { data } = JSON.parse(reply.bodyJson)
      for (const one of data) assert.equal((one.email ?? one).created_at, isoTime(noon + 10 * dayMs))
      await assertOnClock(system, 10 * dayMs, 2)
      assert.deepEqual(
        (await system.all()).map(({ nextAt }) => nextAt),
        [noon + 2 * dayMs, noon + 2 * dayMs],
      )
      const late = submitBatch(system.deps)(batch({ mails: mails(1, { sendAt: { at: noon + dayMs } }), isPermissive }))
      if (isPermissive) assert.match((await late).bodyJson, /in_the_past/)
      else await assert.rejects(late, /before the test clock/)
    })

  it('a test batch uses the clock at acceptance even if the clock moves while the batch is read', async () => {
    await using system = await ahead()
    const { deps } = system
    const first = await stageBatch(deps)({ caller: testCaller, staged: null, mails: mails(1), requestId: 'req_1' })
    await advance(system, dayMs)
    const [, second] = mails(2)
    assert.ok(second)
    const { staged } = await stageBatch(deps)({
      caller: testCaller,
      staged: first.staged,
      mails: [second],
      requestId: 'req_1',
    })
    const acceptBatch: typeof deps.emails.acceptBatch = async (...given) => {
      await advance(system, dayMs)
      return deps.emails.acceptBatch(...given)
    }
    const rest = mails(3).slice(2)
    await submitBatch({ ...deps, emails: { ...deps.emails, acceptBatch } })(batch({ staged, mails: rest, count: 3 }))
    await assertOnClock(system, 12 * dayMs, 3)
  })

  it('remembers its key by the real time', async () => {
    await using system = await ahead()
    const keyed = () => batch({ mails: mails(1, { sendAt: { inMs: 5 * dayMs } }), ...withKey('k') })
    const first = await submitBatch(system.deps)(keyed())
    await advance(system, 20 * dayMs)
    const again = await submitBatch(system.deps)(keyed())
    assert.deepEqual([again.replayed, again.bodyJson], [true, first.bodyJson])
    // 24 hours after its mail was to be sent by the real time when it was accepted.
    system.time.at += 6 * dayMs + 1
    await system.sweep()
    assert.equal(system.db.prepare('SELECT count(*) AS n FROM idempotency_keys').get()?.['n'], 0)
  })
})

describe('a repeated send of test mail', () => {
  it('is replayed after the clock was moved, and its key expires by the real time', async () => {
    await using system = await ahead()
    const once = () => system.intake.Submit({ ...request({ caller: testCaller }), ...withKey('k') })
    const first = await once()
    await advance(system, 100 * dayMs)
    assert.deepEqual([(await once()).replayed, (await once()).id], [true, first.id])
    system.time.at += dayMs + 1
    await system.sweep()
    assert.equal((await once()).replayed, false)
  })
})

describe('a test clock that is read', () => {
  it('sets the offset of mail that an earlier move missed', async () => {
    await using system = await testIntake()
    const id = await send(system, { sendAt: { inMs: hourMs } })
    const change = () => Promise.reject(new Fault('unavailable', 'away'))
    const dead = { ...system.deps, emails: { ...system.emails, change } }
    const moved = await advance({ ...system, deps: dead }, 2 * hourMs)
    assert.equal(moved.complete, false)
    const read = () => testClockService(system.deps).GetTestClock({ workspace })
    assert.equal((await read()).complete, false)
    assert.deepEqual(await claimed(system), [id])
  })

  it('is not moved again by a repeated move to the same time', async () => {
    await using system = await testIntake()
    const at = noon + dayMs
    const go = () =>
      testClockService(system.deps).MoveTestClock({ caller: testCaller, actor: 'key_1', client_address: '', at })
    await go()
    system.time.at += 1_000
    const again = await go()
    assert.deepEqual([again.now, again.ahead_ms], [at + 1_000, dayMs])
    assert.equal((await system.deps.testClocks.get(workspace))?.rev, 1)
    await advance(system, 1)
    await assert.rejects(go(), /goes forward only/)
  })
})

describe('live mail', () => {
  it('costs no read of the test clock', async () => {
    await using system = await ahead()
    const testClocks = { ...system.deps.testClocks, get: () => assert.fail('the clock was read') }
    const deps = { ...system.deps, testClocks }
    const intake = intakeService(deps)
    const live = mail({ sendAt: { inMs: hourMs } })
    const { id } = await intake.Submit(request({ mail: live }))
    await intake.Submit({ ...request({ mail: live }), ...withKey('k') })
    await intake.Validate({ caller: caller(), mail: live })
    await intake.RescheduleEmail({ reader: reader(), id, sendAt: { inMs: 2 * hourMs } })
    const batch = {
      caller: caller(),
      staged: null,
      refusals: [],
      isPermissive: false,
      idempotency: null,
      requestId: 'r',
    }
    const mails = [{ number: 0, mail: live }]
    await submitBatch(deps)({ ...batch, mails, count: 1, operation: 'POST /api/v1/emails/batch' })
    assert.equal((await system.all()).length, 3)
  })
})
