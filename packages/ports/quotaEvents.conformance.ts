import assert from 'node:assert/strict'
import type { PublicEvent } from '@postrider/domain/events/event.ts'
import { afterAllIds } from '@postrider/domain/ids.ts'
import type { EventFeed } from './eventFeed.ts'
import { reserveFitting } from './ledger.conformance.ts'
import type { Ledger } from './ledger.ts'

export type QuotaEventStores = { ledger: Ledger; feed: EventFeed }
type Open = (now: () => number) => QuotaEventStores | Promise<QuotaEventStores>

const at = Date.UTC(2026, 10, 21, 12)
const workspace = 'ws_1'

/** Returns all events of quotas of the workspace, oldest first. */
export const quotaEventsOf = async (
  { feed }: Pick<QuotaEventStores, 'feed'>,
  of = workspace,
): Promise<PublicEvent[]> => {
  const query = { workspace: of, mode: null, order: 'desc' as const, after: null, until: at * 2, limit: 1_000 }
  const page = await feed.readEvents({ ...query, after: { at: query.until, id: afterAllIds } })
  return page.events.filter(({ type }) => type.startsWith('quota.')).toReversed()
}

const shown = (events: readonly PublicEvent[]) =>
  events.map(({ type, data }) => `${type} ${data['period']} ${data['limit']}`).toSorted()

/** Declares the tests that a ledger must pass with the feed of its store. */
export const quotaEventsConformance = (name: string, open: Open) =>
  describe(`events of quotas in ${name}`, () => {
    let sends = 0
    const send = (ledger: Ledger, count: number, time = at) =>
      reserveFitting(ledger, { workspace, id: `em_${++sends}`, count, at: time })

    it('are stored by the send that reaches 80 % and 100 %, once', async () => {
      const stores = await open(() => at + 5)
      await stores.ledger.setAllowance(workspace, { monthly: null, daily: 10 })
      await send(stores.ledger, 7)
      assert.deepEqual(await quotaEventsOf(stores), [])
      await send(stores.ledger, 1)
      const [warning, ...others] = await quotaEventsOf(stores)
      assert.deepEqual(others, [])
      assert.deepEqual(
        { ...warning, id: '' },
        {
          id: '',
          type: 'quota.warning',
          at: at + 5,
          workspace,
          mode: 'live',
          data: {
            period: 'daily',
            starts_at: '2026-11-21T00:00:00.000Z',
            resets_at: '2026-11-22T00:00:00.000Z',
            limit: 10,
            used: 8,
            remaining: 2,
            threshold_percent: 80,
          },
        },
      )
      assert.match(warning?.id ?? '', /^evt_[0-9a-z]{26}$/)
      await send(stores.ledger, 1)
      await send(stores.ledger, 1)
      const refused = await stores.ledger.reserve({ workspace, id: 'em_refused', count: 1, at })
      assert.equal(refused.kind, 'refused')
      assert.deepEqual(shown(await quotaEventsOf(stores)), ['quota.exhausted daily 10', 'quota.warning daily 10'])
    })

    it('are both stored by one send that reaches both, for the month and the day', async () => {
      const stores = await open(() => at)
      await stores.ledger.setAllowance(workspace, { monthly: 12, daily: 12 })
      await send(stores.ledger, 12)
      assert.deepEqual(shown(await quotaEventsOf(stores)), [
        'quota.exhausted daily 12',
        'quota.exhausted monthly 12',
        'quota.warning daily 12',
        'quota.warning monthly 12',
      ])
    })

    it('are stored once although sends are released and made again', async () => {
      const stores = await open(() => at)
      const { ledger } = stores
      await ledger.setAllowance(workspace, { monthly: 10, daily: null })
      for (let round = 0; round < 3; round += 1) {
        const entry = { workspace, id: `em_round_${round}`, count: 10, at }
        const { token } = await reserveFitting(ledger, entry)
        await ledger.commit({ ...entry, token })
        await ledger.release({ ...entry, recipients: Array.from({ length: 10 }, (_, index) => index) })
      }
      assert.deepEqual(shown(await quotaEventsOf(stores)), ['quota.exhausted monthly 10', 'quota.warning monthly 10'])
    })

    it('occur again for another limit in the same month, and in another period', async () => {
      const stores = await open(() => at)
      const { ledger } = stores
      await ledger.setAllowance(workspace, { monthly: 10, daily: 5 })
      await send(ledger, 5)
      await send(ledger, 5, at + 86_400_000)
      assert.equal((await quotaEventsOf(stores)).length, 6)
      await ledger.setAllowance(workspace, { monthly: 20, daily: null })
      await send(ledger, 5)
      assert.equal((await quotaEventsOf(stores)).length, 6)
      await send(ledger, 1)
      assert.equal((await quotaEventsOf(stores)).length, 7)
      await ledger.setAllowance(workspace, { monthly: 10, daily: null })
      await send(ledger, 10, Date.UTC(2026, 11, 1))
      const all = await quotaEventsOf(stores)
      assert.equal(all.length, 9)
      assert.equal(new Set(all.map(({ id }) => id)).size, 9)
    })

    it('are stored at the next send if a limit was lowered below the used sends', async () => {
      const stores = await open(() => at)
      const { ledger } = stores
      await ledger.setAllowance(workspace, { monthly: 100, daily: null })
      await send(ledger, 50)
      await ledger.setAllowance(workspace, { monthly: 40 })
      for (const id of ['em_a', 'em_b']) {
        assert.equal((await ledger.reserve({ workspace, id, count: 1, at })).kind, 'refused')
      }
      assert.deepEqual(shown(await quotaEventsOf(stores)), ['quota.exhausted monthly 40', 'quota.warning monthly 40'])
    })

    it('name the included sends of a plan with overage, and the end of the spending cap', async () => {
      const stores = await open(() => at)
      const { ledger } = stores
      await ledger.setAllowance(workspace, { plan: 'pro', monthly: 100, spendingCapCents: 100 })
      await send(ledger, 100)
      await send(ledger, 900)
      assert.equal((await quotaEventsOf(stores)).length, 2)
      await send(ledger, 100)
      assert.deepEqual(shown(await quotaEventsOf(stores)), [
        'quota.exhausted monthly 100',
        'quota.exhausted monthly 1100',
        'quota.warning monthly 100',
      ])
    })

    it('have none without a limit', async () => {
      const stores = await open(() => at)
      await stores.ledger.setAllowance(workspace, { plan: 'unlimited' })
      await send(stores.ledger, 1_000_000)
      assert.deepEqual(await quotaEventsOf(stores), [])
    })

    it('are stored once each by concurrent sends', async () => {
      const stores = await open(() => at)
      const { ledger } = stores
      await ledger.setAllowance(workspace, { monthly: 50, daily: null })
      const outcomes = await Promise.all(
        Array.from({ length: 70 }, (_, number) => ledger.reserve({ workspace, id: `em_c${number}`, count: 1, at })),
      )
      assert.equal(outcomes.filter(({ kind }) => kind === 'reserved').length, 50)
      assert.deepEqual(shown(await quotaEventsOf(stores)), ['quota.exhausted monthly 50', 'quota.warning monthly 50'])
    })
  })
