import assert from 'node:assert/strict'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { firstCheckAt, following, movedClock, unmovedClock } from '@postrider/domain/email/testClock.ts'
import { followingDelivery } from '@postrider/domain/webhooks/testClock.ts'
import type { AuditEntry } from './audit.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { EmailStore } from './emails.ts'
import { claimAt, content, email, leaseMs, recipient } from './emailsFixtures.conformance.ts'
import type { TestClockStore } from './testClocks.ts'
import type { WebhookDeliveryStore } from './webhookDeliveries.ts'
import { webhookDelivery } from './webhooksFixtures.conformance.ts'

type ClockStores = {
  clocks: TestClockStore
  emails: EmailStore
  deliveries: WebhookDeliveryStore
  entries(): Promise<readonly AuditEntry[]>
}
type Open = () => ClockStores | Promise<ClockStores>

/** Declares the tests of the operations that a move of a test clock needs from stores. `open` returns empty ones. */
export const testClocksConformance = (name: string, open: Open) =>
  describe(`test clocks in ${name}`, () => {
    describe('the clock', () => clockTests(open))
    describe('emails', () => emailTests(open))
    describe('deliveries', () => deliveryTests(open))
  })

const moved = (workspace: string, byMs: number, now: number, before = unmovedClock(workspace)) => {
  const result = movedClock(before, { byMs }, now)
  return 'clock' in result ? result.clock : assert.fail(result.problem)
}

const clockTests = (open: Open) => {
  it('is moved once from the state that was read, with its audit entry', async () => {
    const { clocks, entries: lines } = await open()
    assert.equal(await clocks.get('ws_1'), null)
    const first = moved('ws_1', 500, 1_000)
    const entry = anEntry()
    assert.equal(await clocks.move(first, entry), true)
    assert.equal(await clocks.move(first, anEntry()), false)
    assert.deepEqual(await clocks.get('ws_1'), first)
    const second = moved('ws_1', 700, 2_000, first)
    assert.equal(await clocks.move({ ...second, rev: 3 }, anEntry()), false)
    const again = anEntry()
    assert.equal(await clocks.move(second, again), true)
    assert.equal(await clocks.move(second, anEntry()), false)
    assert.deepEqual(await clocks.get('ws_1'), { workspace: 'ws_1', offset: 1_200, movedAt: 2_000, rev: 2 })
    assert.equal(await clocks.get('ws_2'), null)
    assert.deepEqual((await lines()).map(({ id }) => id).toSorted(), [entry.id, again.id].toSorted())
  })

  it('is moved by one of many concurrent processes', async () => {
    const { clocks } = await open()
    for (const [before, offset] of [
      [undefined, 10],
      [moved('ws_1', 10, 1_000), 20],
    ] as const) {
      const next = moved('ws_1', 10, 1_000, before)
      const won = await Promise.all(Array.from({ length: 8 }, () => clocks.move(next, anEntry())))
      assert.equal(won.filter(Boolean).length, 1)
      assert.equal((await clocks.get('ws_1'))?.offset, offset)
    }
  })

  it('is to be followed a moment after its move, in order, until a check ends it', async () => {
    const { clocks } = await open()
    const ofWorkspace = (workspace: string, at: number) => moved(workspace, 1, at)
    const [first, second, third] = [ofWorkspace('ws_1', 1_000), ofWorkspace('ws_2', 2_000), ofWorkspace('ws_3', 3_000)]
    for (const clock of [third, first, second]) await clocks.move(clock, anEntry())
    const due = async (at: number, limit = 10) => (await clocks.toFollow(at, limit)).map((one) => one.workspace)
    assert.deepEqual(await due(firstCheckAt(1_000) - 1), [])
    assert.deepEqual(await due(firstCheckAt(2_000)), ['ws_1', 'ws_2'])
    assert.deepEqual(await due(firstCheckAt(9_000), 2), ['ws_1', 'ws_2'])
    await clocks.followed(first, firstCheckAt(2_500.25))
    await clocks.followed(second, null)
    assert.deepEqual(await due(firstCheckAt(9_000)), ['ws_1', 'ws_3'])
    assert.deepEqual(await clocks.get('ws_1'), first)
    // A move in between is not undone by the check that began before it.
    const again = moved('ws_2', 1, 4_000, second)
    await clocks.move(again, anEntry())
    await clocks.followed(second, null)
    assert.deepEqual(await due(firstCheckAt(9_000)), ['ws_1', 'ws_3', 'ws_2'])
  })
}

const emailTests = (open: Open) => {
  const add = async ({ emails }: ClockStores, over: Partial<Email>, nextAt: number | null = 9_000): Promise<Email> => {
    const status = nextAt === null ? 'delivered' : 'deferred'
    const one = email({ mode: 'test', recipients: [recipient({ nextAt, status })], ...over })
    await emails.insert(one, content)
    return one
  }
  const at = { workspace: 'ws_1', offset: 5_000, now: 2_000, limit: 10 }
  const behind = async ({ emails }: ClockStores, over: Partial<typeof at> = {}) =>
    (await emails.behindClock({ ...at, ...over })).map((stored) => stored.email.id).toSorted()

  it('are behind a clock if they wait in its test mode with another offset', async () => {
    const stores = await open()
    const withoutOffset = await add(stores, {})
    const marketing = await add(stores, { category: 'marketing' })
    const elsewhere = await add(stores, { clock: { accepted: 0, offset: 4_999 } })
    const withOffset = await add(stores, { clock: { accepted: 0, offset: 5_000 } })
    await add(stores, { mode: 'live' })
    await add(stores, { workspace: 'ws_2' })
    await add(stores, {}, null)
    assert.deepEqual(await behind(stores), [withoutOffset.id, marketing.id, elsewhere.id].toSorted())
    assert.deepEqual(await behind(stores, { offset: 4_999 }), [withoutOffset.id, marketing.id].toSorted())
    assert.deepEqual(
      await behind(stores, { offset: 5_001 }),
      [withoutOffset.id, marketing.id, elsewhere.id, withOffset.id].toSorted(),
    )
    assert.deepEqual(await behind(stores, { offset: 0 }), [])
    assert.equal((await behind(stores, { limit: 2 })).length, 2)
  })

  it('are behind only while they are not leased', async () => {
    const stores = await open()
    const { id } = await add(stores, {}, 1_000)
    await claimAt(stores.emails, 1_500)
    assert.deepEqual(await behind(stores), [])
    // The worker died.
    assert.deepEqual(await behind(stores, { now: 1_500 + leaseMs }), [id])
  })

  it('are due by the new offset, and a change that was decided before is refused', async () => {
    const stores = await open()
    const { emails } = stores
    const { id } = await add(stores, {}, 6_500)
    assert.deepEqual(await claimAt(emails, 2_000), [])
    const [stored] = await emails.behindClock(at)
    assert.ok(stored)
    const after = following(stored.email, 5_000)
    const change = { email: after, nextAt: nextDueOf(after) }
    assert.equal(await emails.change(id, stored.fence, 2_000, change), true)
    assert.equal(await emails.change(id, stored.fence, 2_000, change), false)
    assert.deepEqual(await behind(stores), [])
    const found = await emails.get(id)
    assert.deepEqual([found?.nextAt, found?.email.recipients[0]?.nextAt], [1_500, 6_500])
    assert.deepEqual(
      (await claimAt(emails, 2_000)).map((claimed) => claimed.email.clock),
      [{ accepted: 0, offset: 5_000 }],
    )
  })

  it('are counted while they are due or in flight, without live mail', async () => {
    const stores = await open()
    const { emails } = stores
    const due = (now: number, max = 10) => emails.dueTestMail({ workspace: 'ws_1', now, max })
    await add(stores, {}, 1_000)
    await add(stores, { category: 'marketing' }, 2_000)
    await add(stores, {}, 9_000)
    await add(stores, { mode: 'live' }, 1_000)
    await add(stores, { workspace: 'ws_2' }, 1_000)
    assert.deepEqual([await due(999), await due(1_000), await due(2_000), await due(2_000, 1)], [0, 1, 2, 1])
    await claimAt(emails, 1_500)
    assert.equal(await due(2_000), 2)
  })
}

const deliveryTests = (open: Open) => {
  const at = { endpoints: ['wh_1', 'wh_2'], offset: 5_000, now: 2_000, limit: 10 }

  it('are behind a clock if they wait in test mode with another offset and no process has leased them', async () => {
    const { deliveries } = await open()
    const one = (endpoint: string, over: Parameters<typeof webhookDelivery>[1] = {}) =>
      webhookDelivery(endpoint, { mode: 'test', ...over })
    const [withoutOffset, other, leased] = [one('wh_1'), one('wh_2', { clockOffset: 1 }), one('wh_1')]
    const others = [
      one('wh_1', { clockOffset: 5_000 }),
      one('wh_3'),
      one('wh_1', { mode: 'live' }),
      one('wh_1', { status: 'delivered', nextAt: null, endedAt: 1_000 }),
    ]
    await deliveries.insert([
      ...[withoutOffset, other, ...others].map((delivery) => ({ delivery, leaseUntil: null })),
      { delivery: leased, leaseUntil: 3_000 },
    ])
    const behind = async (over: Partial<typeof at> = {}) =>
      (await deliveries.behindClock({ ...at, ...over })).map(({ delivery }) => delivery.id).toSorted()
    assert.deepEqual(await behind(), [withoutOffset.id, other.id].toSorted())
    assert.deepEqual(await behind({ now: 3_000 }), [withoutOffset.id, other.id, leased.id].toSorted())
    assert.equal((await behind({ limit: 1 })).length, 1)
    assert.deepEqual(await behind({ endpoints: ['wh_3'], offset: 0 }), [])
    const due = (now: number, max = 10) => deliveries.dueTests({ endpoints: at.endpoints, now, max })
    assert.deepEqual([await due(999), await due(1_000), await due(1_000, 2), await due(3_500)], [1, 4, 2, 4])
  })

  it('follow by one guarded write, which increments the fencing token', async () => {
    const { deliveries } = await open()
    const delivery = webhookDelivery('wh_1', { mode: 'test', nextAt: 6_000 })
    await deliveries.insert([{ delivery, leaseUntil: null }])
    const [found] = await deliveries.behindClock(at)
    assert.ok(found)
    const after = followingDelivery(found.delivery, 5_000)
    assert.equal(await deliveries.follow(delivery.id, found.fence, after, 2_000), true)
    assert.equal(await deliveries.follow(delivery.id, found.fence, after, 2_000), false)
    assert.deepEqual(await deliveries.behindClock(at), [])
    const claimed = await deliveries.claim({ now: 2_000, leaseMs, parts: [{ endpoint: 'wh_1', limit: 5 }] })
    assert.deepEqual(
      claimed.map((one) => one.delivery),
      [after],
    )
    const { fence = 0 } = claimed[0] ?? {}
    assert.equal(await deliveries.follow(delivery.id, fence, after, 2_000), false)
    assert.equal(await deliveries.write(delivery.id, fence, { ...after, nextAt: 2_500 }), true)
    assert.equal((await deliveries.get('wh_1', delivery.id))?.delivery.nextAt, 2_500)
  })
}
