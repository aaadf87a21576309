import assert from 'node:assert/strict'
import type { PendingReservation, Reservation } from '@postrider/domain/quota/quota.ts'
import type { Ledger } from './ledger.ts'

/** A ledger with a second way to get its numbers. */
export type CountedLedger = Ledger & {
  /** Counts a month (`YYYY-MM`) again from its lines and its reservations without a line. */
  recount(workspace: string, month: string): Promise<{ used: number; days: Record<string, number> }>
}

const at = Date.UTC(2026, 10, 21, 12)

const reservation = (over: Partial<Reservation> = {}): Reservation => ({
  workspace: 'ws_1',
  id: 'em_1',
  count: 1,
  at,
  ...over,
})

/** Takes a reservation that fits. */
export const reserveFitting = async (ledger: Ledger, entry: Reservation) => {
  const outcome = await ledger.reserve(entry)
  assert(outcome.kind === 'reserved', `${entry.id} does not fit`)
  return outcome
}

/** Reserves and commits, as an accepted email does. */
const send = async (ledger: Ledger, over: Partial<Reservation> = {}): Promise<void> => {
  const entry = reservation(over)
  const { token } = await reserveFitting(ledger, entry)
  await ledger.commit({ ...entry, token })
}

const sumOf = async <Item>(items: readonly Item[], count: (item: Item) => Promise<number>): Promise<number> =>
  (await Promise.all(items.map(count))).reduce((sum, one) => sum + one, 0)

const used = async (ledger: Ledger, time = at): Promise<[month: number, day: number]> => {
  const { monthly, daily } = await ledger.usage('ws_1', time)
  return [monthly.used, daily.used]
}

type Open = () => CountedLedger | Promise<CountedLedger>

/** Declares the tests that every ledger must pass. */
export const ledgerConformance = (adapter: string, open: Open) =>
  describe(`ledger in ${adapter}`, () => {
    describe('reservations', () => reservations(open))
    describe('plans', () => plans(open))
    describe('releases', () => releases(open))
    describe('settlement', () => settlement(open))
    describe('months and days', () => rollover(open))
  })

const reservations = (open: Open): void => {
  it('counts a reservation in the month and the day', async () => {
    const ledger = await open()
    const { standing } = await reserveFitting(ledger, reservation({ count: 3 }))
    assert.deepEqual(standing, { monthly: { limit: 3_000, used: 3 }, daily: { limit: 100, used: 3 } })
    assert.deepEqual(await used(ledger), [3, 3])
  })

  it('uses no additional quota for a repeated reservation', async () => {
    const ledger = await open()
    await send(ledger, { count: 3 })
    const { standing } = await reserveFitting(ledger, reservation({ count: 3 }))
    assert.equal(standing.daily.used, 3)
    await send(ledger, { count: 3 })
    assert.deepEqual(await ledger.recount('ws_1', '2026-11'), { used: 3, days: { '2026-11-21': 3 } })
  })

  it('refuses a reservation that does not fit completely, with the quota, the sends left and the time of the reset', async () => {
    const ledger = await open()
    await send(ledger, { count: 97 })
    const daily = { quota: 'daily', limit: 100, resetsAt: Date.UTC(2026, 10, 22), spendingCapCents: null } as const
    assert.deepEqual(await ledger.reserve(reservation({ id: 'em_2', count: 5 })), {
      kind: 'refused',
      refusal: { ...daily, left: 3 },
    })
    assert.deepEqual(await used(ledger), [97, 97])
    await send(ledger, { id: 'em_3', count: 3 })
    assert.deepEqual(await ledger.reserve(reservation({ id: 'em_4' })), {
      kind: 'refused',
      refusal: { ...daily, left: 0 },
    })
  })

  it('accepts exactly as many concurrent reservations as fit', async () => {
    const ledger = await open()
    const entries = Array.from({ length: 300 }, (_, index) =>
      reservation({ id: `em_${index}`, count: 1 + (index % 3) }),
    )
    const taken = await sumOf(entries, async (entry) => {
      const outcome = await ledger.reserve(entry)
      if (outcome.kind === 'refused') return 0
      await ledger.commit({ ...entry, token: outcome.token })
      return entry.count
    })
    assert.equal(taken, 100)
    assert.deepEqual(await used(ledger), [100, 100])
  })

  it('counts each workspace separately', async () => {
    const ledger = await open()
    await send(ledger, { count: 100 })
    await send(ledger, { workspace: 'ws_2', id: 'em_2', count: 100 })
    assert.deepEqual(await used(ledger), [100, 100])
  })

  it('returns the days of the month that have sends, oldest first', async () => {
    const ledger = await open()
    await send(ledger, { id: 'em_1', count: 2, at: Date.UTC(2026, 10, 21) })
    await send(ledger, { id: 'em_2', count: 1, at: Date.UTC(2026, 10, 3) })
    await send(ledger, { id: 'em_3', count: 1, at: Date.UTC(2026, 9, 31) })
    const { history } = await ledger.usage('ws_1', at)
    assert.deepEqual(history, [
      { date: '2026-11-03', sends: 1 },
      { date: '2026-11-21', sends: 2 },
    ])
  })
}

const plans = (open: Open): void => {
  it('gives a new workspace the free plan and stores each change of it', async () => {
    const ledger = await open()
    const fresh = { plan: 'free', monthly: 'plan', daily: 'plan', spendingCapCents: null } as const
    assert.deepEqual(await ledger.allowance('ws_1'), fresh)
    assert.deepEqual(await ledger.setAllowance('ws_1', { daily: null }), { ...fresh, daily: null })
    await ledger.setAllowance('ws_1', { plan: 'pro' })
    assert.deepEqual(await ledger.allowance('ws_1'), { ...fresh, plan: 'pro', daily: null })
    assert.deepEqual(await ledger.allowance('ws_2'), fresh)
  })

  it('deletes an allowance, after which the free plan applies, and no other workspace changes', async () => {
    const ledger = await open()
    const fresh = await ledger.allowance('ws_1')
    const other = await ledger.setAllowance('ws_2', { plan: 'unlimited' })
    await ledger.setAllowance('ws_1', { plan: 'pro', daily: 7 })
    await ledger.deleteAllowance('ws_1')
    await ledger.deleteAllowance('ws_1')
    assert.deepEqual([await ledger.allowance('ws_1'), await ledger.allowance('ws_2')], [fresh, other])
  })

  it('refuses no send on the unlimited plan, but honors an override', async () => {
    const ledger = await open()
    const unlimited = { plan: 'unlimited', monthly: 'plan', daily: 'plan', spendingCapCents: null } as const
    assert.deepEqual(await ledger.setAllowance('ws_1', { plan: 'unlimited' }), unlimited)
    assert.deepEqual(await ledger.allowance('ws_1'), unlimited)
    await send(ledger, { count: 200_000 })
    const { monthly, daily } = await ledger.usage('ws_1', at)
    assert.deepEqual([monthly.limit, daily.limit], [null, null])
    assert.deepEqual(await ledger.setAllowance('ws_1', { monthly: 200_001 }), { ...unlimited, monthly: 200_001 })
    assert.equal((await ledger.reserve(reservation({ id: 'em_2', count: 2 }))).kind, 'refused')
    assert.deepEqual(await ledger.setAllowance('ws_1', { plan: 'free', monthly: 'plan' }), {
      ...unlimited,
      plan: 'free',
    })
  })

  it('refuses more than 3,000 sends a month on the free plan', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { daily: null })
    await send(ledger, { count: 3_000 })
    const refusal = { quota: 'monthly', limit: 3_000, left: 0, resetsAt: Date.UTC(2026, 11), spendingCapCents: null }
    assert.deepEqual(await ledger.reserve(reservation({ id: 'em_2' })), { kind: 'refused', refusal })
  })

  it('accepts sends past 50,000 a month on the pro plan, without a daily limit', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { plan: 'pro' })
    await send(ledger, { count: 50_000 })
    await send(ledger, { id: 'em_2', count: 5_000 })
    const { monthly, daily } = await ledger.usage('ws_1', at)
    assert.deepEqual(
      { monthly, daily },
      { monthly: { limit: 50_000, used: 55_000 }, daily: { limit: null, used: 55_000 } },
    )
  })

  it('refuses sends on the pro plan past the last block that the spending cap pays for', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { plan: 'pro', spendingCapCents: 250 })
    await send(ledger, { count: 52_000 })
    const refusal = { quota: 'monthly', limit: 52_000, left: 0, resetsAt: Date.UTC(2026, 11), spendingCapCents: 250 }
    assert.deepEqual(await ledger.reserve(reservation({ id: 'em_2' })), { kind: 'refused', refusal })
  })

  it('uses an override instead of the plan: 0 refuses all sends, null removes the limit', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { daily: 0 })
    assert.equal((await ledger.reserve(reservation())).kind, 'refused')
    await ledger.setAllowance('ws_1', { daily: null, monthly: null })
    const { standing } = await reserveFitting(ledger, reservation({ count: 9_000 }))
    assert.deepEqual([standing.monthly.limit, standing.daily.limit], [null, null])
  })
}

const releases = (open: Open): void => {
  it('releases one send for each released recipient, once', async () => {
    const ledger = await open()
    await send(ledger, { count: 3 })
    const release = { workspace: 'ws_1', id: 'em_1', recipients: [0, 2], at }
    await ledger.release(release)
    await ledger.release(release)
    await ledger.release({ ...release, recipients: [2] })
    assert.deepEqual(await used(ledger), [1, 1])
    assert.deepEqual(await ledger.recount('ws_1', '2026-11'), { used: 1, days: { '2026-11-21': 1 } })
  })

  it('releases sends to the month and day of the reservation', async () => {
    const ledger = await open()
    await send(ledger, { at: Date.UTC(2026, 9, 31, 23, 59) })
    await ledger.release({ workspace: 'ws_1', id: 'em_1', recipients: [0], at: Date.UTC(2026, 9, 31, 23, 59) })
    assert.deepEqual(await used(ledger), [0, 0])
    assert.deepEqual(await used(ledger, Date.UTC(2026, 9, 31)), [0, 0])
  })

  it('releases nothing of an email that is not reserved or belongs to another workspace', async () => {
    const ledger = await open()
    await send(ledger, { count: 2 })
    await ledger.release({ workspace: 'ws_1', id: 'em_9', recipients: [0], at })
    await ledger.release({ workspace: 'ws_2', id: 'em_1', recipients: [0], at })
    assert.deepEqual(await used(ledger), [2, 2])
    await ledger.release({ workspace: 'ws_1', id: 'em_1', recipients: [0, 1, 2, 3], at })
    assert.deepEqual(await used(ledger), [0, 0])
  })

  it('releases no more than was reserved when releases are concurrent', async () => {
    const ledger = await open()
    await send(ledger, { id: 'em_9', count: 5 })
    await send(ledger, { count: 2 })
    const releases = [[0], [1, 2], [3], [0, 1, 2, 3]]
    await Promise.all(releases.map((recipients) => ledger.release({ workspace: 'ws_1', id: 'em_1', recipients, at })))
    assert.deepEqual(await used(ledger), [5, 5])
    assert.equal((await ledger.recount('ws_1', '2026-11')).used, 5)
  })
}

/** Settles older reservations, as a sweep that finds all of their emails or none. @returns how many were released */
const settle = async (ledger: Ledger, before: number, emailExists: boolean): Promise<number> => {
  let released = 0
  for (const entry of await ledger.pending(before, 100)) if (await ledger.settle(entry, emailExists)) released += 1
  return released
}

const settlement = (open: Open): void => {
  it('releases an old reservation without an email, once', async () => {
    const ledger = await open()
    const entry = reservation({ count: 4 })
    const { token } = await reserveFitting(ledger, entry)
    assert.deepEqual(await ledger.pending(at, 100), [], 'not older than the limit')
    const [pending = assert.fail('nothing is pending'), ...more] = await ledger.pending(at + 1, 100)
    assert.deepEqual([pending, ...more], [{ ...entry, token }])
    assert.equal(await ledger.settle(pending, false), true)
    assert.equal(await ledger.settle(pending, false), false)
    assert.deepEqual(await ledger.pending(at + 1, 100), [])
    assert.deepEqual(await used(ledger), [0, 0])
    assert.deepEqual(await ledger.recount('ws_1', '2026-11'), { used: 0, days: {} })
  })

  it('does not release an old reservation whose email exists', async () => {
    const ledger = await open()
    const entry = reservation({ count: 4 })
    const { token } = await reserveFitting(ledger, entry)
    assert.equal(await settle(ledger, at + 1, true), 0)
    assert.deepEqual(await ledger.pending(at + 1, 100), [])
    await ledger.commit({ ...entry, token })
    assert.deepEqual(await used(ledger), [4, 4])
    assert.equal((await ledger.recount('ws_1', '2026-11')).used, 4)
  })

  it('does not list a committed or released reservation as pending', async () => {
    const ledger = await open()
    const released = reservation({ id: 'em_2', count: 2 })
    await send(ledger)
    await ledger.reserve(released)
    await ledger.release({ ...released, recipients: [1] })
    assert.deepEqual(await ledger.pending(at + 1, 100), [])
    assert.deepEqual(await used(ledger), [2, 2])
  })

  it('does not release a reservation that was committed after it was listed, even if settled as without an email', async () => {
    const ledger = await open()
    const entry = reservation({ count: 2 })
    const { token } = await reserveFitting(ledger, entry)
    const [pending = assert.fail('nothing is pending')] = await ledger.pending(at + 1, 100)
    await ledger.commit({ ...entry, token })
    assert.equal(await ledger.settle(pending, false), false)
    assert.deepEqual(await used(ledger), [2, 2])
  })

  it('lists the oldest pending reservations of all workspaces, up to the limit', async () => {
    const ledger = await open()
    for (const [workspace, id, hour] of [
      ['ws_1', 'em_1', 5],
      ['ws_2', 'em_2', 3],
      ['ws_1', 'em_3', 1],
      ['ws_2', 'em_4', 2],
      ['ws_3', 'em_5', 4],
    ] as const)
      await ledger.reserve(reservation({ workspace, id, at: Date.UTC(2026, 10, 21, hour) }))
    const ids = (pending: PendingReservation[]): string[] => pending.map(({ id }) => id)
    assert.deepEqual(ids(await ledger.pending(at, 3)), ['em_3', 'em_4', 'em_2'])
    assert.deepEqual(ids(await ledger.pending(Date.UTC(2026, 10, 21, 3), 3)), ['em_3', 'em_4'])
  })

  it('releases a reservation once when several sweeps run', async () => {
    const ledger = await open()
    await send(ledger, { id: 'em_9', count: 9 })
    for (let number = 0; number < 5; number += 1) await ledger.reserve(reservation({ id: `em_${number}`, count: 2 }))
    const counts = await Promise.all(Array.from({ length: 4 }, () => settle(ledger, at + 1, false)))
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      5,
    )
    assert.deepEqual(await used(ledger), [9, 9])
  })

  it('neither releases, commits nor repeats a reservation that was taken back', async () => {
    const ledger = await open()
    const entry = reservation({ count: 2 })
    const { token } = await reserveFitting(ledger, entry)
    await settle(ledger, at + 1, false)
    await ledger.release({ ...entry, recipients: [0, 1] })
    await ledger.commit({ ...entry, token })
    assert.deepEqual(await used(ledger), [0, 0])
    await send(ledger, entry)
    assert.deepEqual(await used(ledger), [0, 0])
    assert.equal((await ledger.recount('ws_1', '2026-11')).used, 0)
  })
}

const rollover = (open: Open): void => {
  const cases: [name: string, full: number, next: number][] = [
    ['a day', Date.UTC(2026, 10, 21, 23, 59, 59, 999), Date.UTC(2026, 10, 22)],
    ['a month', Date.UTC(2026, 10, 30, 23, 59, 59, 999), Date.UTC(2026, 11, 1)],
    ['a year', Date.UTC(2026, 11, 31, 23, 59, 59, 999), Date.UTC(2027, 0, 1)],
    ['the day before a leap day', Date.UTC(2028, 1, 28, 23, 59, 59, 999), Date.UTC(2028, 1, 29)],
    ['a leap day', Date.UTC(2028, 1, 29, 23, 59, 59, 999), Date.UTC(2028, 2, 1)],
    ['the day clocks go forward in Europe', Date.UTC(2026, 2, 29, 23, 59, 59, 999), Date.UTC(2026, 2, 30)],
  ]
  for (const [name, full, next] of cases) {
    it(`resets the daily quota exactly at the end of ${name}`, async () => {
      const ledger = await open()
      await send(ledger, { count: 100, at: full })
      const refusal = { quota: 'daily', limit: 100, left: 0, resetsAt: next, spendingCapCents: null }
      assert.deepEqual(await ledger.reserve(reservation({ id: 'em_2', at: full })), { kind: 'refused', refusal })
      await send(ledger, { id: 'em_3', count: 100, at: next })
      assert.equal((await used(ledger, next))[1], 100)
    })
  }

  it('resets the monthly quota at the end of the month', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { daily: null })
    await send(ledger, { count: 3_000, at: Date.UTC(2026, 10, 30, 23, 59) })
    await send(ledger, { id: 'em_2', count: 3_000, at: Date.UTC(2026, 11, 1) })
    assert.deepEqual(await used(ledger), [3_000, 0])
  })

  it('counts an email that is repeated after midnight once, on the day of acceptance', async () => {
    const ledger = await open()
    const entry = reservation({ at: Date.UTC(2026, 10, 30, 23, 59, 59, 999) })
    await ledger.reserve(entry)
    await send(ledger, entry)
    assert.deepEqual(await used(ledger, Date.UTC(2026, 11, 1)), [0, 0])
    assert.deepEqual(await used(ledger, entry.at), [1, 1])
  })

  it('charges the day of each send when the clock is set back an hour', async () => {
    const ledger = await open()
    await send(ledger, { id: 'em_1', at: Date.UTC(2026, 10, 22, 0, 30) })
    await send(ledger, { id: 'em_2', at: Date.UTC(2026, 10, 21, 23, 30) })
    assert.deepEqual(await used(ledger, Date.UTC(2026, 10, 22)), [2, 1])
    assert.deepEqual(await used(ledger), [2, 1])
  })
}
