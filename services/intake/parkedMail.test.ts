import assert from 'node:assert/strict'
import { auditEntryOf } from '@postrider/adapters/sqlite/audit/list.ts'
import { maxDeaths } from '@postrider/domain/email/leases.ts'
import type { Position } from '@postrider/domain/position.ts'
import { anAttempt } from '../../test/support/anEmail.ts'
import { noon, reader, testIntake, workspace } from '../../test/support/testIntake.ts'
import { parkedMail } from './parkedMail.ts'

type System = Awaited<ReturnType<typeof testIntake>>

const claim = ({ emails, time }: System) =>
  emails.claim({ lane: 'transactional', now: time.at, limit: 10, leaseMs: 30_000 })

/** Lets workers die until the mail that is due is parked. */
const park = async (system: System): Promise<void> => {
  for (let deaths = 0; deaths < maxDeaths; deaths++) {
    await claim(system)
    await system.emails.clearLeases()
  }
  assert.deepEqual(await claim(system), [])
}

/** Records an attempt of the first claim that sent the final dot and has no reply. */
const sendWithoutReply = async (system: System): Promise<void> => {
  const [claimed] = await claim(system)
  assert.ok(claimed)
  const attempts = [anAttempt({ at: noon, recipients: [0, 1], committed: [0, 1] })]
  const email = { ...claimed.email, attempts }
  await system.emails.write(email.id, claimed.fence, { email, nextAt: noon, done: false })
  await system.emails.clearLeases()
}

const requestFor = (id: string) => ({ id, client_address: '203.0.113.9' })
const list = ({ intake }: System, limit = 10, before: Position | null = null) => intake.ListParked({ limit, before })

const linesOf = ({ db }: System) =>
  db
    .prepare('SELECT * FROM audit_log ORDER BY seq')
    .all()
    .map(auditEntryOf)
    .map(({ workspace, actor, clientAddress, action, target, before, after }) => {
      return [workspace, actor, clientAddress, action, target, before, after]
    })

describe('parked mail for the operator', () => {
  it('is listed in pages with what a decision needs', async () => {
    await using system = await testIntake()
    const first = await system.send({ onUnknown: 'hold' })
    await sendWithoutReply(system)
    await park(system)
    system.time.at += 60_000
    const second = await system.send()
    await park(system)
    const page = await list(system, 1)
    assert.deepEqual([page.emails.map(({ id }) => id), page.hasMore], [[second], true])
    const rest = await list(system, 1, page.position)
    assert.deepEqual(
      [rest.hasMore, rest.emails],
      [
        false,
        [
          {
            id: first,
            workspace,
            mode: 'live',
            category: 'transactional',
            status: 'queued',
            created_at: noon,
            parked_at: noon,
            on_unknown: 'hold',
            attempts: 1,
            last_attempt_at: noon,
            may_have_arrived: true,
            recipients: 2,
            domains: ['example.com'],
          },
        ],
      ],
    )
    assert.equal(page.emails[0]?.may_have_arrived, false)
    assert.deepEqual(await list(system, 1, rest.position), { emails: [], position: null, hasMore: false })
  })

  it('is due immediately without deaths, rings, and has an audit entry when it is released', async () => {
    await using system = await testIntake()
    const id = await system.send()
    await park(system)
    const { email } = await system.stored(id)
    system.rung.length = 0
    const released = await system.intake.ReleaseParked(requestFor(id))
    assert.deepEqual([released.id, released.parked_at, released.status], [id, null, 'queued'])
    assert.deepEqual(system.rung, [id])
    assert.deepEqual((await list(system)).emails, [])
    const [claimed] = await claim(system)
    assert.deepEqual([claimed?.email, claimed?.deaths], [email, 0])
    assert.equal(await system.used(), 2)
    const state = { status: 'queued' }
    assert.deepEqual(linesOf(system), [[workspace, 'operator', '203.0.113.9', 'email.release', id, state, state]])
  })

  it('waits for its scheduled time when it is released before', async () => {
    await using system = await testIntake()
    const scheduledAt = noon + 3_600_000
    const id = await system.send({ sendAt: { at: scheduledAt } })
    system.time.at = scheduledAt
    await park(system)
    // As after a clock of the store that was ahead: the mail was due, and now is not.
    system.time.at = noon
    const released = await system.intake.ReleaseParked(requestFor(id))
    assert.deepEqual([released.parked_at, released.status], [null, 'scheduled'])
    assert.equal((await system.stored(id)).nextAt, scheduledAt)
    assert.deepEqual(await claim(system), [])
    system.time.at = scheduledAt
    assert.deepEqual(
      (await claim(system)).map(({ email, deaths }) => [email.id, deaths]),
      [[id, 0]],
    )
  })

  it('has failed, releases its sends once, and has an audit entry when it is dropped', async () => {
    await using system = await testIntake()
    const [other, id] = [await system.send({ sendAt: { at: noon + 3_600_000 } }), await system.send()]
    await park(system)
    const result = await system.intake.DropParked(requestFor(id))
    assert.deepEqual([result.status, result.parked_at, result.recipients], ['failed', null, 0])
    const stored = await system.stored(id)
    assert.deepEqual(
      [stored.nextAt, stored.email.owed, stored.email.recipients.map(({ status }) => status)],
      [null, [], ['failed', 'failed']],
    )
    assert.deepEqual(
      stored.email.events.slice(-2).map(({ type, cause }) => [type, cause]),
      [0, 1].map(() => ['email.failed', { kind: 'request', actor: 'operator' }]),
    )
    assert.equal(await system.used(), 2)
    assert.deepEqual(linesOf(system), [
      [workspace, 'operator', '203.0.113.9', 'email.drop', id, { status: 'queued' }, { status: 'failed' }],
    ])
    await assert.rejects(system.intake.DropParked(requestFor(id)), { code: 'conflict' })
    await system.sweep()
    assert.equal(await system.used(), 2)
    assert.notEqual((await system.stored(other)).nextAt, null)
  })

  it('releases its sends after a crash before the refund when it was dropped', async () => {
    await using system = await testIntake()
    const id = await system.send()
    await park(system)
    const quota = { ...system.deps.quota, Release: () => Promise.reject(new Error('crash')) }
    await assert.rejects(parkedMail({ ...system.deps, quota }).DropParked(requestFor(id)), /crash/)
    assert.deepEqual([await system.used(), (await system.stored(id)).email.owed], [2, [0, 1]])
    await system.sweep()
    assert.deepEqual([await system.used(), (await system.stored(id)).email.owed], [0, []])
  })

  it('is not refunded if it may have arrived, and waits for its sender under hold', async () => {
    for (const [onUnknown, status] of [
      ['retry', 'failed'],
      ['hold', 'unknown'],
    ] as const) {
      await using system = await testIntake()
      const id = await system.send({ onUnknown })
      await sendWithoutReply(system)
      await park(system)
      const result = await system.intake.DropParked(requestFor(id))
      assert.deepEqual([result.status, await system.used()], [status, 2])
      if (onUnknown === 'retry') continue
      const resolved = await system.intake.ResolveEmail({ reader: reader(), id, as: 'delivered' })
      assert.equal(JSON.parse(resolved.record_json).status, 'delivered')
    }
  })

  it('is a conflict for other mail, and not found for another id', async () => {
    await using system = await testIntake()
    const id = await system.send()
    const { intake } = system
    for (const decide of [intake.ReleaseParked, intake.DropParked]) {
      await assert.rejects(decide(requestFor(id)), { code: 'conflict' })
      await assert.rejects(decide(requestFor('em_01h2xcejqtf2nbrexx3vqjhp41')), { code: 'not_found' })
    }
    await claim(system)
    await assert.rejects(intake.DropParked(requestFor(id)), { code: 'conflict' })
    assert.deepEqual(linesOf(system), [])
  })

  it('is either canceled or dropped when its sender cancels it at the same time', async () => {
    await using system = await testIntake()
    for (let round = 0; round < 6; round++) {
      const id = await system.send()
      await park(system)
      const race = [
        () => system.intake.CancelEmail({ reader: reader(), id }),
        () => system.intake.DropParked(requestFor(id)),
        () => system.intake.ReleaseParked(requestFor(id)),
      ]
      const turned = [...race.slice(round % 3), ...race.slice(0, round % 3)]
      await Promise.allSettled(turned.map((run) => run()))
      const { email, nextAt } = await system.stored(id)
      const ended = email.events.filter(({ type }) => type === 'email.failed' || type === 'email.canceled')
      assert.equal(new Set(ended.map(({ type }) => type)).size, nextAt === null ? 1 : 0)
      if (nextAt !== null) await system.intake.CancelEmail({ reader: reader(), id })
    }
    await system.sweep()
    assert.equal(await system.used(), 0)
  })
})
