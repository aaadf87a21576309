import assert from 'node:assert/strict'
import { dayOf, monthOf } from '@postrider/domain/time.ts'
import { newId } from '@postrider/kit/ids.ts'
import fc from 'fast-check'
import { type CountedLedger, reserveFitting } from './ledger.conformance.ts'
import type { Ledger } from './ledger.ts'

type Operation =
  | { kind: 'reserve' | 'commit'; email: number; count: number; day: number }
  | { kind: 'release'; email: number; recipients: number[] }
  | { kind: 'settle'; emails: boolean[] }

/** The model of a ledger: reservations by email and the sends released of each. */
type Model = Map<number, Entry>
type Entry = { count: number; day: number; token: string; given: Set<number>; pending: boolean; voided: boolean }

const emailCount = 6
const limit = 12
const firstDay = Date.UTC(2026, 10, 28)
/** Returns a time on one of four days, two in each of two months. */
const timeOf = (day: number): number => firstDay + (day + 1) * 86_400_000
/** The days and months of these times, formatted once for all sequences. */
const times = [0, 1, 2, 3].map(timeOf)
const [days, months] = [times.map(dayOf), times.map(monthOf)]

const email = fc.integer({ min: 0, max: emailCount - 1 })
const reservation = { email, count: fc.integer({ min: 1, max: 5 }), day: fc.integer({ min: 0, max: 3 }) }
const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('reserve' as const), ...reservation }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('commit' as const), ...reservation }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('release' as const),
        email,
        recipients: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        emails: fc.array(fc.boolean(), { minLength: emailCount, maxLength: emailCount }),
      }),
    },
  ),
  { maxLength: 25, size: 'max' },
)

/** Every operation twice in random order, as after crashes, retries and races. */
const replayed = operations.chain((list) => fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length }))

/** Returns the sends of the entries whose number of the day fits. */
const usedOf = (model: Model, fits: (day: number) => boolean): number => {
  let used = 0
  for (const { count, day, given, voided } of model.values()) if (!voided && fits(day)) used += count - given.size
  return used
}

/**
 * Declares a test that runs random operations on a ledger and on the model and compares all balances.
 * @param runs number of random sequences
 * @param perLedger number of sequences on one ledger; a store may read all months of it to find pending reservations
 */
export const ledgerModelConformance = (
  adapter: string,
  open: () => CountedLedger | Promise<CountedLedger>,
  { runs, perLedger }: { runs: number; perLedger: number },
) =>
  describe(`ledger in ${adapter}, compared with a model`, () => {
    it(`has the model's balances after ${runs} sequences of repeated and shuffled operations`, async () => {
      let [ledger, count] = [await open(), 0]
      await fc.assert(
        fc.asyncProperty(replayed, async (list) => {
          if (count > 0 && count % perLedger === 0) ledger = await open()
          count += 1
          await runSequence(ledger, list)
        }),
        { numRuns: runs },
      )
    }).timeout(100 * runs + 300_000)
  })

const runSequence = async (ledger: CountedLedger, list: Operation[]): Promise<void> => {
  const workspace = newId('ws')
  const ids = Array.from({ length: emailCount }, () => newId('em'))
  const idOf = (number: number): string => ids[number] ?? ''
  const model: Model = new Map()
  await ledger.setAllowance(workspace, { daily: limit })
  for (const operation of list) await perform(ledger, model, { workspace, idOf, ids }, operation)
  await compare(ledger, model, workspace)
  // Leaves no pending reservation for the next sequence. Where none was left, nothing has changed since the comparison.
  if ((await settle(ledger, () => true)) > 0) await compare(ledger, model, workspace)
}

type Names = { workspace: string; idOf(number: number): string; ids: string[] }

const perform = async (ledger: Ledger, model: Model, names: Names, operation: Operation): Promise<void> => {
  const { workspace, idOf, ids } = names
  switch (operation.kind) {
    case 'reserve':
      return reserve(ledger, model, names, operation)
    case 'commit': {
      const known = model.get(operation.email)
      // A commit comes from the caller that reserved, with the values that it reserved.
      if (!known) return
      known.pending = false
      const id = idOf(operation.email)
      return ledger.commit({ workspace, id, count: known.count, at: timeOf(known.day), token: known.token })
    }
    case 'release': {
      const known = model.get(operation.email)
      const { recipients } = operation
      await ledger.release({ workspace, id: idOf(operation.email), recipients, at: timeOf(known?.day ?? 0) })
      if (!known || known.voided) return
      known.pending = false
      for (const number of recipients) if (known.given.size < known.count) known.given.add(number)
      return
    }
    case 'settle':
      await settle(ledger, (id) => operation.emails[ids.indexOf(id)] ?? true)
      for (const [number, known] of model) {
        if (known.pending && operation.emails[number] === false) known.voided = true
        known.pending = false
      }
  }
}

const reserve = async (
  ledger: Ledger,
  model: Model,
  { workspace, idOf }: Names,
  { email: number, count, day }: { email: number; count: number; day: number },
): Promise<void> => {
  // A repeated request has the same id and time, but the count may differ, because suppressions change.
  const reservedDay = model.get(number)?.day ?? day
  const entry = { workspace, id: idOf(number), count, at: timeOf(reservedDay) }
  const usedThatDay = usedOf(model, (other) => other === reservedDay)
  const fits = model.has(number) || usedThatDay + count <= limit
  if (!fits) {
    assert.equal((await ledger.reserve(entry)).kind, 'refused')
    return
  }
  const { token } = await reserveFitting(ledger, entry)
  if (!model.has(number)) model.set(number, { count, day, token, given: new Set(), pending: true, voided: false })
}

/** @returns the number of reservations that were pending */
const settle = async (ledger: Ledger, emailExists: (id: string) => boolean): Promise<number> => {
  const pending = await ledger.pending(Infinity, emailCount)
  for (const entry of pending) await ledger.settle(entry, emailExists(entry.id))
  return pending.length
}

const compare = async (ledger: CountedLedger, model: Model, workspace: string): Promise<void> => {
  for (const month of new Set(months)) {
    const inMonth = usedOf(model, (day) => months[day] === month)
    const recount = await ledger.recount(workspace, month)
    assert.equal(recount.used, inMonth)
    for (const [day, at] of times.entries()) {
      if (months[day] !== month) continue
      const { monthly, daily } = await ledger.usage(workspace, at)
      const inDay = usedOf(model, (other) => other === day)
      assert.deepEqual([monthly.used, daily.used], [inMonth, inDay])
      assert.equal(recount.days[days[day] ?? ''] ?? 0, inDay)
    }
  }
}
