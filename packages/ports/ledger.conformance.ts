import assert from 'node:assert/strict'
import type { Reservation } from '@postrider/domain/quota/quota.ts'
import type { Ledger, Pending } from './ledger.ts'

const at = Date.UTC(2026, 10, 21, 12)

const reservation = (over: Partial<Reservation> = {}): Reservation => ({
  workspace: 'ws_1',
  id: 'em_1',
  count: 1,
  at,
  ...over,
})

/** Reserves and commits, as a send that works out does. */
const send = async (ledger: Ledger, over: Partial<Reservation> = {}): Promise<void> => {
  const entry = reservation(over)
  const { token } = await ledger.reserve(entry)
  await ledger.commit({ ...entry, token })
}

const used = async (ledger: Ledger, time = at): Promise<[month: number, day: number]> => {
  const { monthly, daily } = await ledger.usage('ws_1', time)
  return [monthly.used, daily.used]
}

type Open = () => Ledger | Promise<Ledger>

/** The exam of a ledger. */
export const ledgerConformance = (adapter: string, open: Open) =>
  describe(`the ledger in ${adapter}`, () => {
    describe('reserving', () => reserving(open))
    describe('plans', () => plans(open))
    describe('giving back', () => givingBack(open))
    describe('settling', () => settling(open))
    describe('months and days', () => rollover(open))
  })

const reserving = (open: Open): void => {
  it('a reservation is taken from the month and the day', async () => {
    const ledger = await open()
    const { monthly, daily } = await ledger.reserve(reservation({ count: 3 }))
    assert.deepEqual({ monthly, daily }, { monthly: { limit: 3_000, used: 3 }, daily: { limit: 100, used: 3 } })
    assert.deepEqual(await used(ledger), [3, 3])
  })

  it('a repeated reservation takes nothing more', async () => {
    const ledger = await open()
    await send(ledger, { count: 3 })
    const { daily } = await ledger.reserve(reservation({ count: 3 }))
    assert.equal(daily.used, 3)
    await send(ledger, { count: 3 })
    assert.deepEqual(await ledger.recount('ws_1', '2026-11'), { used: 3, days: { '2026-11-21': 3 } })
  })

  it('what doesn’t fit wholly takes nothing, and the refusal names the quota, its rest and its end', async () => {
    const ledger = await open()
    await send(ledger, { count: 97 })
    await assert.rejects(ledger.reserve(reservation({ id: 'em_2', count: 5 })), {
      code: 'quota_exceeded',
      message: 'This takes 5 sends and the daily quota of 100 sends has 3 left; it resets at 2026-11-22T00:00:00.000Z.',
      headers: { 'Quota-Limit': '100', 'Quota-Remaining': '3', 'Quota-Reset': '43200' },
    })
    assert.deepEqual(await used(ledger), [97, 97])
    await send(ledger, { id: 'em_3', count: 3 })
    await assert.rejects(ledger.reserve(reservation({ id: 'em_4' })), {
      message: 'The daily quota of 100 sends is used up; it resets at 2026-11-22T00:00:00.000Z.',
    })
  })

  it('of many at once exactly as many as fit are taken', async () => {
    const ledger = await open()
    const results = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) => send(ledger, { id: `em_${index}`, count: 1 + (index % 3) })),
    )
    const taken = results.reduce((sum, { status }, index) => (status === 'fulfilled' ? sum + 1 + (index % 3) : sum), 0)
    assert.equal(taken, 100)
    assert.deepEqual(await used(ledger), [100, 100])
  })

  it('workspaces have nothing to do with each other', async () => {
    const ledger = await open()
    await send(ledger, { count: 100 })
    await send(ledger, { workspace: 'ws_2', id: 'em_2', count: 100 })
    assert.deepEqual(await used(ledger), [100, 100])
  })

  it('the history has each day with sends, oldest first', async () => {
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
  it('a workspace starts on the free plan, and what the operator sets stays', async () => {
    const ledger = await open()
    const fresh = { plan: 'free', monthly: 'plan', daily: 'plan', spendingCapUsd: null } as const
    assert.deepEqual(await ledger.allowance('ws_1'), fresh)
    assert.deepEqual(await ledger.setAllowance('ws_1', { daily: null }), { ...fresh, daily: null })
    await ledger.setAllowance('ws_1', { plan: 'pro' })
    assert.deepEqual(await ledger.allowance('ws_1'), { ...fresh, plan: 'pro', daily: null })
    assert.deepEqual(await ledger.allowance('ws_2'), fresh)
  })

  it('free mail ends at 3,000 a month', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { daily: null })
    await send(ledger, { count: 3_000 })
    await assert.rejects(ledger.reserve(reservation({ id: 'em_2' })), {
      message: 'The monthly quota of 3000 sends is used up; it resets at 2026-12-01T00:00:00.000Z.',
    })
  })

  it('pro mail goes on past 50,000 a month, without a daily cap', async () => {
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

  it('a spending cap ends pro mail at the last block it pays for', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { plan: 'pro', spendingCapUsd: 2.5 })
    await send(ledger, { count: 52_000 })
    await assert.rejects(ledger.reserve(reservation({ id: 'em_2' })), {
      code: 'quota_exceeded',
      message:
        'The monthly quota (with the spending cap of 2.5 USD) of 52000 sends is used up; it resets at 2026-12-01T00:00:00.000Z.',
    })
  })

  it('an override is a limit of its own, 0 too, and null is none', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { daily: 0 })
    await assert.rejects(ledger.reserve(reservation()), { code: 'quota_exceeded' })
    await ledger.setAllowance('ws_1', { daily: null, monthly: null })
    const { monthly, daily } = await ledger.reserve(reservation({ count: 9_000 }))
    assert.deepEqual([monthly.limit, daily.limit], [null, null])
  })
}

const givingBack = (open: Open): void => {
  it('a release gives back one send for each recipient, once', async () => {
    const ledger = await open()
    await send(ledger, { count: 3 })
    const release = { workspace: 'ws_1', id: 'em_1', recipients: [0, 2], at }
    await ledger.release(release)
    await ledger.release(release)
    await ledger.release({ ...release, recipients: [2] })
    assert.deepEqual(await used(ledger), [1, 1])
    assert.deepEqual(await ledger.recount('ws_1', '2026-11'), { used: 1, days: { '2026-11-21': 1 } })
  })

  it('a release goes to the month and day of its reservation', async () => {
    const ledger = await open()
    await send(ledger, { at: Date.UTC(2026, 9, 31, 23, 59) })
    await ledger.release({ workspace: 'ws_1', id: 'em_1', recipients: [0], at: Date.UTC(2026, 9, 31, 23, 59) })
    assert.deepEqual(await used(ledger), [0, 0])
    assert.deepEqual(await used(ledger, Date.UTC(2026, 9, 31)), [0, 0])
  })

  it('what wasn’t reserved, or not by this workspace, gives nothing back', async () => {
    const ledger = await open()
    await send(ledger, { count: 2 })
    await ledger.release({ workspace: 'ws_1', id: 'em_9', recipients: [0], at })
    await ledger.release({ workspace: 'ws_2', id: 'em_1', recipients: [0], at })
    assert.deepEqual(await used(ledger), [2, 2])
    await ledger.release({ workspace: 'ws_1', id: 'em_1', recipients: [0, 1, 2, 3], at })
    assert.deepEqual(await used(ledger), [0, 0])
  })

  it('of releases at once no more is given back than was reserved', async () => {
    const ledger = await open()
    await send(ledger, { id: 'em_9', count: 5 })
    await send(ledger, { count: 2 })
    const releases = [[0], [1, 2], [3], [0, 1, 2, 3]]
    await Promise.all(releases.map((recipients) => ledger.release({ workspace: 'ws_1', id: 'em_1', recipients, at })))
    assert.deepEqual(await used(ledger), [5, 5])
    assert.equal((await ledger.recount('ws_1', '2026-11')).used, 5)
  })
}

/** Settles what is older, as a sweeper would that finds every email there or none. @returns how many were taken back */
const settle = async (ledger: Ledger, before: number, there: boolean): Promise<number> => {
  let takenBack = 0
  for (const entry of await ledger.pending(before, 100)) if (await ledger.settle(entry, there)) takenBack += 1
  return takenBack
}

const settling = (open: Open): void => {
  it('an old reservation whose email never came is taken back, once', async () => {
    const ledger = await open()
    const entry = reservation({ count: 4 })
    const { token } = await ledger.reserve(entry)
    assert.deepEqual(await ledger.pending(at, 100), [], 'too young')
    const [pending = assert.fail('nothing is pending'), ...more] = await ledger.pending(at + 1, 100)
    assert.deepEqual([pending, ...more], [{ ...entry, token }])
    assert.equal(await ledger.settle(pending, false), true)
    assert.equal(await ledger.settle(pending, false), false)
    assert.deepEqual(await ledger.pending(at + 1, 100), [])
    assert.deepEqual(await used(ledger), [0, 0])
    assert.deepEqual(await ledger.recount('ws_1', '2026-11'), { used: 0, days: {} })
  })

  it('an old reservation whose email is there stays taken', async () => {
    const ledger = await open()
    const entry = reservation({ count: 4 })
    const { token } = await ledger.reserve(entry)
    assert.equal(await settle(ledger, at + 1, true), 0)
    assert.deepEqual(await ledger.pending(at + 1, 100), [])
    await ledger.commit({ ...entry, token })
    assert.deepEqual(await used(ledger), [4, 4])
    assert.equal((await ledger.recount('ws_1', '2026-11')).used, 4)
  })

  it('a reservation that was committed or released isn’t pending', async () => {
    const ledger = await open()
    const released = reservation({ id: 'em_2', count: 2 })
    await send(ledger)
    await ledger.reserve(released)
    await ledger.release({ ...released, recipients: [1] })
    assert.deepEqual(await ledger.pending(at + 1, 100), [])
    assert.deepEqual(await used(ledger), [2, 2])
  })

  it('one that was listed before it was committed stays taken, whoever says that its email isn’t there', async () => {
    const ledger = await open()
    const entry = reservation({ count: 2 })
    const { token } = await ledger.reserve(entry)
    const [pending = assert.fail('nothing is pending')] = await ledger.pending(at + 1, 100)
    await ledger.commit({ ...entry, token })
    assert.equal(await ledger.settle(pending, false), false)
    assert.deepEqual(await used(ledger), [2, 2])
  })

  it('the oldest are listed first, of all workspaces, and no more than asked for', async () => {
    const ledger = await open()
    for (const [workspace, id, hour] of [
      ['ws_1', 'em_1', 5],
      ['ws_2', 'em_2', 3],
      ['ws_1', 'em_3', 1],
      ['ws_2', 'em_4', 2],
      ['ws_3', 'em_5', 4],
    ] as const)
      await ledger.reserve(reservation({ workspace, id, at: Date.UTC(2026, 10, 21, hour) }))
    const ids = (pending: Pending[]): string[] => pending.map(({ id }) => id)
    assert.deepEqual(ids(await ledger.pending(at, 3)), ['em_3', 'em_4', 'em_2'])
    assert.deepEqual(ids(await ledger.pending(Date.UTC(2026, 10, 21, 3), 3)), ['em_3', 'em_4'])
  })

  it('several sweepers at once take a reservation back once', async () => {
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

  it('a reservation that was taken back gives nothing back again, and can’t be committed or made again', async () => {
    const ledger = await open()
    const entry = reservation({ count: 2 })
    const { token } = await ledger.reserve(entry)
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
    it(`the daily quota starts anew after ${name}, to the millisecond`, async () => {
      const ledger = await open()
      await send(ledger, { count: 100, at: full })
      await assert.rejects(ledger.reserve(reservation({ id: 'em_2', at: full })), {
        message: `The daily quota of 100 sends is used up; it resets at ${new Date(next).toISOString()}.`,
      })
      await send(ledger, { id: 'em_3', count: 100, at: next })
      assert.equal((await used(ledger, next))[1], 100)
    })
  }

  it('the monthly quota starts anew with the month', async () => {
    const ledger = await open()
    await ledger.setAllowance('ws_1', { daily: null })
    await send(ledger, { count: 3_000, at: Date.UTC(2026, 10, 30, 23, 59) })
    await send(ledger, { id: 'em_2', count: 3_000, at: Date.UTC(2026, 11, 1) })
    assert.deepEqual(await used(ledger), [3_000, 0])
  })

  it('mail accepted before midnight and retried after it is counted once, in the day of acceptance', async () => {
    const ledger = await open()
    const entry = reservation({ at: Date.UTC(2026, 10, 30, 23, 59, 59, 999) })
    await ledger.reserve(entry)
    await send(ledger, entry)
    assert.deepEqual(await used(ledger, Date.UTC(2026, 11, 1)), [0, 0])
    assert.deepEqual(await used(ledger, entry.at), [1, 1])
  })

  it('a clock that was set back an hour charges the day it tells, and no send twice', async () => {
    const ledger = await open()
    await send(ledger, { id: 'em_1', at: Date.UTC(2026, 10, 22, 0, 30) })
    await send(ledger, { id: 'em_2', at: Date.UTC(2026, 10, 21, 23, 30) })
    assert.deepEqual(await used(ledger, Date.UTC(2026, 10, 22)), [2, 1])
    assert.deepEqual(await used(ledger), [2, 1])
  })
}
