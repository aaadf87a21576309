import assert from 'node:assert/strict'
import {
  adjustLine,
  countedSends,
  type DirectLine,
  type Entry,
  lineFor,
  planReservations,
  recountOf,
  releaseLine,
  reserveLine,
  restVoidLine,
  subtractsFromTotals,
  voidLineFor,
} from './entries.ts'
import { newAllowance } from './plans.ts'

const at = Date.UTC(2026, 10, 21, 12)
const entry = (over: Partial<Entry> = {}): Entry => ({ id: 'em_1', n: 3, day: '21', token: '3.a', at, ...over })
const release = entry({ id: 'em_1/0/release', n: -1, token: '-1.a' })
const lineOf = (one: Entry) => lineFor('ws_1', one)

describe('ledger line', () => {
  it('has the sends and token of its entry', () => {
    const line = { workspace: 'ws_1', day: '2026-11-21', kind: 'reserve', sends: 3, token: '3.a' }
    assert.deepEqual(lineOf(entry()), line)
    assert.deepEqual(lineOf(release), { ...line, kind: 'release', sends: -1, token: '-1.a' })
  })

  it('has no sends when the email never came', () => {
    assert.deepEqual(voidLineFor('ws_1', entry()), { ...lineOf(entry()), kind: 'void', sends: 0 })
  })

  for (const sends of [20, -20]) {
    it(`counts a correction by ${sends} for the month and for none of its days`, () => {
      const line = { workspace: 'ws_1', day: '2026-11-00', kind: 'adjust', sends, token: 'adj_1' }
      assert.deepEqual(adjustLine({ workspace: 'ws_1', month: '2026-11', id: 'adj_1', sends }), line)
    })
  }

  const reserved: DirectLine = { id: 'em_1', workspace: 'ws_1', day: '2026-11-21', kind: 'reserve', sends: 3 }
  const restOf = (sends: number) => ({ ...reserved, id: 'em_1/void', kind: 'void', sends })
  for (const [name, left, line] of [
    ['releases all sends of a void reservation', 3, restOf(-3)],
    ['releases the remaining sends of a void reservation', 1, restOf(-1)],
    ['does not exist for a void reservation whose sends were all released', 0, null],
  ] as const) {
    it(name, () => assert.deepEqual(restVoidLine(reserved, left), line))
  }
})

describe('sends of an entry and the line of its id', () => {
  const other = lineOf(entry({ token: '2.b', n: 2 }))
  for (const [name, one, line, counted, leaves] of [
    ['a reservation without a line', entry(), undefined, 3, true],
    ['a reservation with its own line', entry(), lineOf(entry()), 3, false],
    ["a reservation whose id has another entry's line", entry(), other, 5, true],
    ['a reservation that is void', entry(), voidLineFor('ws_1', entry()), 3, true],
    ['a release without a line', release, undefined, 0, false],
    ['a release with its own line', release, lineOf(release), 0, true],
    ["a release whose id has another entry's line", release, lineOf({ ...release, token: '-1.b' }), -1, false],
  ] as const) {
    it(`count ${counted} for ${name}`, () => assert.equal(countedSends(one, line), counted))
    it(`are ${leaves ? '' : 'not '}subtracted from the totals for ${name}`, () =>
      assert.equal(subtractsFromTotals(one, line), leaves))
  }
})

describe('plan of reservations', () => {
  const wanted = ['em_1', 'em_2', 'em_3'].map((id, index) => entry({ id, n: 4 - index, token: `${id}.token` }))
  const allowance = { ...newAllowance, daily: 10 }
  const month = (used: number, pending: Entry[] = []) => ({ used, days: { '21': used }, pending })

  it('accepts all reservations of a new month that fit', () => {
    const plan = planReservations(allowance, undefined, wanted)
    assert.deepEqual([plan.fitting, plan.refused.size, plan.pending.size], [wanted, 0, 0])
    assert.deepEqual(plan.after, { used: 9, days: { '21': 9 } })
  })

  it('refuses reservations that exceed the quota alone, and postpones those that exceed it only together with earlier ones', () => {
    const plan = planReservations(allowance, month(7), wanted)
    assert.deepEqual([...plan.refused.keys()], ['em_1'])
    assert.deepEqual(plan.fitting, [wanted[1]])
    assert.deepEqual(plan.after, { used: 10, days: { '21': 10 } })
  })

  it('takes over an entry that is pending and uses no quota for it', () => {
    const first = entry({ id: 'em_1', token: 'first' })
    const plan = planReservations(allowance, month(10, [first]), wanted.slice(0, 1))
    assert.deepEqual([...plan.pending], [['em_1', 'first']])
    assert.deepEqual([plan.fitting, plan.refused.size, plan.after.used], [[], 0, 10])
  })
})

describe('ledger line without an entry', () => {
  const reserved = reserveLine({ workspace: 'ws_1', id: 'em_1', count: 3, at }, '2026-11-21')

  it('has the sends of its reservation', () => {
    assert.deepEqual(reserved, { id: 'em_1', workspace: 'ws_1', day: '2026-11-21', kind: 'reserve', sends: 3 })
  })

  it('releases one send on the day of the reservation', () => {
    const line = { ...reserved, id: 'em_1/0/release', kind: 'release', sends: -1 }
    assert.deepEqual(releaseLine(reserved, 'em_1/0/release'), line)
  })
})

describe('recount of a month', () => {
  const sums = [
    ['2026-11-20', 5],
    ['2026-11-21', 2],
  ] as const

  it('adds lines, entries and corrections', () => {
    const corrections = [{ id: 'adj_1', n: -4 }]
    assert.deepEqual(recountOf({ sums, pending: [entry()], lines: new Map(), corrections }), {
      used: 6,
      days: { '20': 5, '21': 5, '00': -4 },
      adjusted: corrections,
    })
  })

  it('is the same with and without the line of an entry', () => {
    const counted = (lines: Parameters<typeof recountOf>[0]['lines']) =>
      recountOf({ sums, pending: [entry()], lines, corrections: [] })
    assert.deepEqual(counted(new Map([['em_1', lineOf(entry())]])), counted(new Map()))
  })

  it('counts a correction once that the month and the lines have', () => {
    const corrections = [
      { id: 'adj_1', n: 2 },
      { id: 'adj_1', n: 2 },
    ]
    const counted = recountOf({ sums: [], pending: [], lines: new Map(), corrections })
    assert.deepEqual(counted, { used: 2, days: { '00': 2 }, adjusted: [{ id: 'adj_1', n: 2 }] })
  })
})
