import assert from 'node:assert/strict'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { newDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { webhookEndpoint } from '@postrider/ports/webhooksFixtures.conformance.ts'
import fc from 'fast-check'
import { caller, mail, noon, request, testIntake, workspace } from '../../test/support/testIntake.ts'
import type { IntakeDeps } from './intake.ts'
import { testClockService } from './moveTestClock.ts'
import { submit } from './submit.ts'
import { sweepOnce } from './sweep.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]
const other = 'ws_01m7yr6cabfzvahf8pz72f0kb5'
const testCaller = caller({ mode: 'test' })

type System = Awaited<ReturnType<typeof testIntake>>

const moveOf = (deps: IntakeDeps, byMs: number) =>
  testClockService(deps).MoveTestClock({ caller: testCaller, actor: 'key_1', client_address: '', advance_ms: byMs })

const readAll = async ({ emails }: System, of: string): Promise<StoredEmail[]> =>
  (await emails.list({ ...noFilter, workspace: of, limit: 100, now: noon })).emails

/** Asserts that all waiting test mail has the offset of the clock of the workspace. */
const assertFollowed = async (system: System, offset: number): Promise<void> => {
  for (const { email, nextAt } of await readAll(system, workspace)) {
    if (email.mode === 'live') continue
    assert.equal(email.clock?.offset ?? 0, offset)
    assert.equal(nextAt, nextDueOf(email))
    assert.equal(nextAt, (email.scheduledAt ?? 0) - offset)
  }
}

describe('a move of the test clock', () => {
  it('moves neither live mail nor mail of another workspace, for random schedules', async () => {
    const step = fc.oneof(
      fc.record({ moveMs: fc.integer({ min: 1, max: 10 * 24 * hourMs }) }),
      fc.record({
        inMs: fc.integer({ min: minuteMs, max: 29 * 24 * hourMs }),
        mode: fc.constantFrom('live' as const, 'test' as const),
        of: fc.constantFrom(workspace, other),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        await using system = await testIntake()
        const send = submit(system.deps)
        let offset = 0
        for (const one of steps) {
          system.time.at += 1_000
          if ('moveMs' in one) {
            const untouched = async () => [
              ...(await readAll(system, other)),
              ...(await readAll(system, workspace)).filter(({ email }) => email.mode === 'live'),
            ]
            const before = await untouched()
            offset += one.moveMs
            assert.equal((await moveOf(system.deps, one.moveMs)).ahead_ms, offset)
            assert.deepEqual(await untouched(), before)
          } else {
            const { inMs, mode, of } = one
            const { id } = await send(
              request({ caller: caller({ workspace: of, mode }), mail: mail({ sendAt: { inMs } }) }),
            )
            const stored = await system.stored(id)
            const ahead = mode === 'test' && of === workspace ? offset : 0
            assert.equal(stored.email.scheduledAt, system.time.at + ahead + inMs)
            assert.equal(stored.nextAt, system.time.at + inMs)
            assert.equal(stored.email.createdAt, system.time.at)
          }
        }
        await assertFollowed(system, offset)
      }),
      { numRuns: 25 },
    )
  })

  for (const isAfter of [false, true])
    it(`is completed by the sweep if the process dies at any write, ${isAfter ? 'after' : 'before'} it is stored`, async () => {
      for (let writes = 1, hasDied = true; hasDied; writes++) {
        await using system = await testIntake()
        const send = submit(system.deps)
        for (const inMs of [hourMs, 2 * hourMs, 50 * hourMs])
          await send(request({ caller: testCaller, mail: mail({ sendAt: { inMs } }) }))
        const endpoint = webhookEndpoint({ workspace, mode: 'test' })
        const [endpoints, deliveries] = [sqliteWebhookEndpoints(system.db), sqliteWebhookDeliveries(system.db)]
        await endpoints.insert(endpoint, 10, anEntry())
        const event = { id: 'evt_01m7yr6cabfzvahf8pz72f0kb4', type: 'email.bounced', at: noon, mode: 'test' } as const
        const delivery = { ...newDelivery(endpoint, event, noon), nextAt: noon + 3 * hourMs }
        await deliveries.insert([{ delivery, leaseUntil: null }])

        let left = writes
        hasDied = false
        const dying =
          <Given extends unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
          async (...given: Given): Promise<Result> => {
            left -= 1
            if (left > 0) return write(...given)
            hasDied = true
            if (left === 0 && isAfter) await write(...given)
            throw new Error('the process died')
          }
        const { testClocks, emails } = system.deps
        const dead: IntakeDeps = {
          ...system.deps,
          testClocks: { ...testClocks, move: dying(testClocks.move) },
          emails: { ...emails, change: dying(emails.change) },
          webhooks: { endpoints, deliveries: { ...deliveries, follow: dying(deliveries.follow) } },
        }
        await moveOf(dead, 40 * hourMs).catch(() => {})
        const isMoved = (await testClocks.get(workspace)) !== null
        assert.equal(isMoved, writes > 1 || isAfter || !hasDied)
        // No process ran for an hour.
        system.time.at += hourMs
        await sweepOnce(system.sweepDeps)
        const offset = isMoved ? 40 * hourMs : 0
        await assertFollowed(system, offset)
        assert.equal((await deliveries.get(endpoint.id, delivery.id))?.delivery.nextAt, noon + 3 * hourMs - offset)
      }
    })

  it('sets the offset of mail that was accepted while the clock was moved', async () => {
    await using system = await testIntake()
    const { emails } = system.deps
    const insert: typeof emails.insert = async (...given) => {
      await moveOf(system.deps, hourMs)
      return emails.insert(...given)
    }
    const send = submit({ ...system.deps, emails: { ...emails, insert } })
    await send(request({ caller: testCaller, mail: mail({ sendAt: { inMs: 2 * hourMs } }) }))
    await assertFollowed(system, hourMs)
  })

  it('adds up with concurrent moves', async () => {
    await using system = await testIntake()
    const moved = await Promise.all(Array.from({ length: 20 }, () => moveOf(system.deps, hourMs)))
    assert.deepEqual(
      moved.map(({ ahead_ms }) => ahead_ms / hourMs).toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  it('is not an error when the store becomes unavailable after it, and reports the number of remaining emails', async () => {
    await using system = await testIntake()
    await submit(system.deps)(request({ caller: testCaller }))
    const behindClock = () => Promise.reject(new Fault('unavailable', 'The store is unavailable.'))
    const away = { ...system.deps, emails: { ...system.deps.emails, behindClock } }
    assert.equal((await moveOf(away, minuteMs)).complete, false)
    const moved = await moveOf(system.deps, hourMs - minuteMs)
    assert.deepEqual([moved.complete, moved.due_emails, moved.due_webhooks], [false, 1, 0])
    const clock = await testClockService(system.deps).GetTestClock({ workspace })
    assert.deepEqual([clock.now, clock.complete, clock.due_emails], [noon + hourMs, false, 1])
  })

  it('is refused for a suspended workspace', async () => {
    await using system = await testIntake()
    const request = { caller: caller({ mode: 'test', suspended: true }), actor: '', client_address: '', advance_ms: 1 }
    await assert.rejects(testClockService(system.deps).MoveTestClock(request), { code: 'forbidden' })
    assert.equal(await system.deps.testClocks.get(workspace), null)
  })
})
