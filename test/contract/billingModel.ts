import assert from 'node:assert/strict'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import type { Override } from '@postrider/domain/quota/plans.ts'
import { monthAfter, monthOf, startOfMonth } from '@postrider/domain/time.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { BillingStores } from '@postrider/ports/billing.conformance.ts'
import fc from 'fast-check'
import { seeded } from '../faults/random.ts'
import { billingRig } from '../support/billingRig.ts'

type Operation =
  | { kind: 'send'; count: number; isHung: boolean }
  | { kind: 'cancel'; email: number; recipients: number }
  | { kind: 'plan'; plan: 'free' | 'pro' }
  | { kind: 'cap'; cap: number | null }
  | { kind: 'operatorPlan'; plan: PlanName }
  | { kind: 'limits'; monthly?: Override; daily?: Override }
  | { kind: 'adjustSends'; sends: number }
  | { kind: 'adjustAmount'; cents: number }
  | { kind: 'settle'; isThere: boolean }
  | { kind: 'wait'; hours: number }
  | { kind: 'close' }

const included = 1_000
/** Sends and price of the plans, as the specification has them. */
const specified = {
  free: { price: 0, monthly: 3_000, daily: 100, hasOverage: false },
  pro: { price: 2_000, monthly: 50_000, daily: Number.POSITIVE_INFINITY, hasOverage: true },
  unlimited: { price: 0, monthly: Number.POSITIVE_INFINITY, daily: Number.POSITIVE_INFINITY, hasOverage: false },
} as const
type PlanName = keyof typeof specified
const start = Date.UTC(2028, 0, 30, 22)
const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** Maximum lifetime of an email, with its schedule and its retries: later nothing is released. */
const maxLifeMs = 40 * 24 * hourMs

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('send' as const),
        count: fc.constantFrom(1, 2, 500, 999, 1_000, 1_001),
        isHung: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('cancel' as const),
        email: fc.nat({ max: 9 }),
        recipients: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('plan' as const),
        plan: fc.constantFrom('free' as const, 'pro' as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('cap' as const),
        cap: fc.constantFrom(null, 0, 50, 100, 250, 10_000),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('operatorPlan' as const),
        plan: fc.constantFrom('free' as const, 'pro' as const, 'unlimited' as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          kind: fc.constant('limits' as const),
          monthly: fc.constantFrom('plan' as const, null, 0, 1_000, 1_001, 2_000),
          daily: fc.constantFrom('plan' as const, null, 0, 1_000, 1_500),
        },
        { requiredKeys: ['kind'] },
      ),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('adjustSends' as const),
        sends: fc.constantFrom(-2_000, -500, -1, 1, 999, 1_000, 1_001),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('adjustAmount' as const),
        cents: fc.constantFrom(-5_000, -1_999, -1, 1, 350),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const), isThere: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 23, 24 * 9, 24 * 31) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
  ),
  { maxLength: 30, size: 'max' },
)

/** Pays for a plan in at least three months. Each has an invoice, with every seed of crashes. */
const threeMonths: Operation[] = [
  { kind: 'plan', plan: 'pro' },
  { kind: 'wait', hours: 24 * 31 },
  { kind: 'close' },
  { kind: 'send', count: 1_001, isHung: false },
  { kind: 'wait', hours: 24 * 31 },
  { kind: 'close' },
]

/** Ends a call before or after its effect, as a crash of the process does. */
class Crash extends Error {}

/** Returns a store that crashes in one of `one` calls, half of the time after the effect. */
const crashing = <Store extends object>(store: Store, random: () => number, one: { in: number }): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        const dice = random() * one.in
        if (dice < 0.5) throw new Crash()
        const result = await method(...args)
        if (dice < 1) throw new Crash()
        return result
      }
    },
  })

type Sent = {
  id: string
  month: string
  at: number
  count: number
  token: string
  given: number
  state: 'hung' | 'kept' | 'void'
}

/** What the ledger and the invoices have to come to, computed from the rules of the contract and not from our code. */
type Model = {
  now: number
  plan: PlanName
  /** The plan that applies from a month on; null: no downgrade waits. */
  pending: { plan: PlanName; from: string } | null
  cap: number | null
  /** The operator's limits; `plan`: that of the plan. */
  monthly: number | 'plan'
  daily: number | 'plan'
  /** Corrections of sends by month, and of money. */
  adjusted: Map<string, number>
  amounts: number[]
  /** Cents of plans by month. */
  plans: Map<string, number>
  /** The plan and the limit at the end of each month that ended. */
  endedWith: Map<string, { plan: PlanName; limit: number }>
  sent: Sent[]
}

const sentIn = ({ sent }: Model, isCounted: (one: Sent) => boolean): number =>
  sent.reduce((sum, one) => sum + (one.state !== 'void' && isCounted(one) ? one.count - one.given : 0), 0)

const usedIn = (model: Model, month: string): number =>
  sentIn(model, (one) => one.month === month) + (model.adjusted.get(month) ?? 0)

/** A correction counts for no day. */
const usedToday = (model: Model): number =>
  sentIn(model, ({ at }) => Math.floor(at / dayMs) === Math.floor(model.now / dayMs))

const limitsIn = ({ plan, monthly, daily }: Model) => ({
  monthly: monthly === 'plan' ? specified[plan].monthly : monthly,
  daily: daily === 'plan' ? specified[plan].daily : daily,
})

const overageCents = (used: number, { plan, limit }: { plan: PlanName; limit: number }): number =>
  specified[plan].hasOverage && used > limit ? 100 * Math.ceil((used - limit) / 1_000) : 0

const daysIn = (at: number): [left: number, all: number] => {
  const date = new Date(at)
  const all = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return [all - date.getUTCDate() + 1, all]
}

const wait = (model: Model, hours: number): void => {
  const until = model.now + hours * hourMs
  for (let month = monthOf(model.now); month < monthOf(until); month = monthAfter(month)) {
    model.endedWith.set(month, { plan: model.plan, limit: limitsIn(model).monthly })
    const next = monthAfter(month)
    if (model.pending?.from === next) {
      model.plan = model.pending.plan
      model.pending = null
    }
    if (model.plan === 'pro') model.plans.set(next, 2_000)
  }
  model.now = until
}

/** Begins a plan immediately. A month is charged once, by days from the first day of its price on. */
const begin = (model: Model, plan: PlanName): void => {
  const month = monthOf(model.now)
  model.plan = plan
  model.pending = null
  const [left, all] = daysIn(model.now)
  const { price } = specified[plan]
  if (price > 0 && !model.plans.has(month)) model.plans.set(month, Math.floor((price * left) / all + 0.5))
}

const order: readonly PlanName[] = ['free', 'pro', 'unlimited']

const choose = (model: Model, plan: PlanName): void => {
  if (plan === model.plan) model.pending = null
  else if (order.indexOf(plan) > order.indexOf(model.plan)) begin(model, plan)
  else model.pending = { plan, from: monthAfter(monthOf(model.now)) }
}

/** Sends past which the month refuses. */
const maxIn = (model: Model): number => {
  const { monthly } = limitsIn(model)
  if (!specified[model.plan].hasOverage) return monthly
  return model.cap === null ? Number.POSITIVE_INFINITY : monthly + Math.floor(model.cap) * 1_000
}

type Rig = ReturnType<typeof billingRig>

/** Repeats an operation until it does not crash, as a client and the job do. */
const untilDone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (;;) {
    try {
      return await work()
    } catch (thrown) {
      if (!(thrown instanceof Crash)) throw thrown
    }
  }
}

/**
 * Declares a test that runs random sequences of sends, cancels, changes of plan and cap, and ends of months on the
 * quota service, of whose calls of the stores some crash before or after their effect, and compares the lines and
 * invoices with a model.
 */
export const billingModel = (adapter: string, open: () => BillingStores | Promise<BillingStores>, runs: number) =>
  describe(`billing in ${adapter}, compared with a model`, () => {
    it(`has the model's lines and invoices after ${runs} sequences with crashes`, async () => {
      const stores = await open()
      const invoices: number[] = []
      await fc.assert(
        fc.asyncProperty(operations, fc.integer(), async (list, seed) => {
          invoices.push(await runSequence(stores, list, seed))
        }),
        { numRuns: runs, examples: [[threeMonths, 1]] },
      )
      // The numbers of the installation have no gaps.
      const all = await stores.billing.invoices({ before: '', limit: 1_000_000 })
      assert.deepEqual(
        all.map(({ seq }) => seq),
        Array.from({ length: all.length }, (_, index) => all.length - index),
      )
      // The first sequence is the example. Whether a random one has invoices at all depends on its seed.
      assert.ok((invoices[0] ?? 0) >= 3, `${invoices[0]} invoices`)
    }).timeout(2_000 * runs + 300_000)
  })

const runSequence = async (stores: BillingStores, list: Operation[], seed: number): Promise<number> => {
  const workspace = newId('ws')
  const crash = { in: 12 }
  const random = seeded(seed)
  const rig = billingRig(
    { billing: crashing(stores.billing, random, crash), ledger: crashing(stores.ledger, random, crash) },
    { start },
  )
  const model: Model = {
    now: start,
    plan: 'free',
    pending: null,
    cap: null,
    monthly: included,
    daily: Number.POSITIVE_INFINITY,
    adjusted: new Map(),
    amounts: [],
    plans: new Map(),
    endedWith: new Map(),
    sent: [],
  }
  await untilDone(() => rig.quota.SetLimits({ workspace, monthly: included, daily: null }))
  for (const operation of list) await perform(rig, model, workspace, operation)
  // No crash any more: every month that has ended is closed, with all its sends settled.
  crash.in = Number.POSITIVE_INFINITY
  await settle(rig, model, workspace, true)
  wait(model, 1)
  rig.clock.at = model.now
  await rig.close()
  wait(model, 24 * 31)
  rig.clock.at = model.now
  await rig.close()
  return compare(stores, rig, model, workspace)
}

const perform = async (rig: Rig, model: Model, workspace: string, operation: Operation): Promise<void> => {
  const { quota } = rig
  switch (operation.kind) {
    case 'send':
      return send(rig, model, workspace, operation)
    case 'cancel': {
      const email = model.sent[operation.email]
      if (email?.state !== 'kept' || model.now - email.at > maxLifeMs) return
      const recipients = Array.from({ length: Math.min(operation.recipients, email.count) }, (_, index) => index)
      await untilDone(() => quota.Release({ workspace, id: email.id, recipients, at: email.at }))
      email.given = Math.max(email.given, recipients.length)
      return
    }
    case 'plan':
      await untilDone(() => rig.choose(workspace, operation.plan))
      return choose(model, operation.plan)
    case 'cap':
      await untilDone(() => quota.SetLimits({ workspace, spending_cap_cents: operation.cap }))
      model.cap = operation.cap === null ? null : operation.cap / 100
      return
    case 'operatorPlan':
      await untilDone(() => quota.SetLimits({ workspace, plan: operation.plan }))
      return begin(model, operation.plan)
    case 'limits': {
      const { kind: _, ...limits } = operation
      await untilDone(() => quota.SetLimits({ workspace, ...limits }))
      const read = (limit: Override) => limit ?? Number.POSITIVE_INFINITY
      if (limits.monthly !== undefined) model.monthly = read(limits.monthly)
      if (limits.daily !== undefined) model.daily = read(limits.daily)
      return
    }
    case 'adjustSends':
      return adjustSends(rig, model, workspace, operation.sends)
    case 'adjustAmount':
      await adjust(rig, workspace, { amount_cents: operation.cents })
      model.amounts.push(operation.cents)
      return
    case 'settle':
      return settle(rig, model, workspace, operation.isThere)
    case 'wait':
      wait(model, operation.hours)
      rig.clock.at = model.now
      return
    case 'close':
      await untilDone(rig.close)
  }
}

/** A correction with an idempotency key, which is repeated until it has a response. */
const adjust = async (
  { quota }: Rig,
  workspace: string,
  what: { sends?: number; amount_cents?: number },
): Promise<void> => {
  const idempotency_key = newId('adj')
  const request = {
    workspace,
    ...what,
    reason: 'Test',
    client_address: '',
    idempotency_key,
    fingerprint: Buffer.alloc(1),
  }
  await untilDone(() => quota.Adjust(request))
}

const adjustSends = async (rig: Rig, model: Model, workspace: string, sends: number): Promise<void> => {
  const month = monthOf(model.now)
  const isAllowed = sends > 0 || usedIn(model, month) + sends >= 0
  const done = await adjust(rig, workspace, { sends }).then(
    () => true,
    (thrown: { code?: string }) => {
      assert.equal(thrown.code, 'conflict')
      return false
    },
  )
  assert.equal(done, isAllowed, `a correction by ${sends} with ${usedIn(model, month)} used`)
  if (done) model.adjusted.set(month, (model.adjusted.get(month) ?? 0) + sends)
}

const send = async (
  { quota }: Rig,
  model: Model,
  workspace: string,
  { count, isHung }: { count: number; isHung: boolean },
): Promise<void> => {
  const month = monthOf(model.now)
  const entry = { workspace, id: newId('em'), count, at: model.now }
  const isInDay = usedToday(model) + count <= limitsIn(model).daily
  const doesFit = isInDay && usedIn(model, month) + count <= maxIn(model)
  const outcome = await untilDone(() => quota.Reserve(entry)).catch((thrown: { code?: string }) => {
    assert.equal(thrown.code, 'quota_exceeded')
    return null
  })
  assert.equal(outcome !== null, doesFit, `a send of ${count} with ${usedIn(model, month)} used`)
  if (outcome === null) return
  const { token } = outcome
  if (!isHung) await untilDone(() => quota.Commit({ ...entry, token }))
  model.sent.push({ ...entry, month, token, given: 0, state: isHung ? 'hung' : 'kept' })
}

const settle = async ({ quota }: Rig, model: Model, workspace: string, isThere: boolean): Promise<void> => {
  for (const one of model.sent.filter(({ state }) => state === 'hung')) {
    const { id, count, at, token } = one
    await untilDone(() => quota.Settle({ pending: { workspace, id, count, at, token }, there: isThere }))
    one.state = isThere ? 'kept' : 'void'
  }
}

const sumBy = (items: readonly { key: string; cents: number }[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(items, ({ key }) => key)]
      .map(([key, all]) => [key, all.reduce((sum, { cents }) => sum + cents, 0)] as const)
      .filter(([, cents]) => cents !== 0)
      .toSorted(),
  )

/** @returns the number of invoices */
const compare = async (stores: BillingStores, { errors }: Rig, model: Model, workspace: string): Promise<number> => {
  assert.deepEqual(
    errors.filter((one) => !(Reflect.get(one as object, 'err') instanceof Crash)),
    [],
  )
  const lines = await stores.billing.lines(workspace)
  const invoices = await stores.billing.invoices({ workspace, before: '', limit: 1_000 })
  const { account } = await stores.billing.read(workspace)
  const plans = lines
    .filter(({ kind }) => kind === 'plan')
    .map((line) => ({ key: line.month, cents: line.amountCents }))
  assert.deepEqual(sumBy(plans), sumBy([...model.plans].map(([key, cents]) => ({ key, cents }))))
  const overage = lines.filter(({ kind }) => kind !== 'plan').reduce((sum, { amountCents }) => sum + amountCents, 0)
  const wanted = [
    ...model.amounts,
    ...[...model.endedWith].map(([month, terms]) => overageCents(usedIn(model, month), terms)),
  ]
  assert.equal(
    overage,
    wanted.reduce((sum, cents) => sum + cents, 0),
  )
  // Each line is on one invoice, or waits for the next one.
  const billed = [
    ...invoices.flatMap((invoice) => invoice.lines.map(({ id }) => id)),
    ...(account?.unbilled ?? []).map(({ id }) => id),
  ]
  assert.deepEqual(billed.toSorted(), lines.map(({ id }) => id).toSorted())
  for (const invoice of invoices) assert.ok(invoice.lines.reduce((sum, line) => sum + line.amountCents, 0) > 0)
  for (const line of lines) assert.equal(line.amountCents, line.quantity * line.unitCents)
  await compareLog(stores, model, workspace)
  for (const month of new Set([...model.sent.map((one) => one.month), ...model.adjusted.keys()])) {
    const usage = await stores.ledger.usage(workspace, startOfMonth(month))
    assert.equal(usage.monthly.used, usedIn(model, month))
    assert.equal((await stores.ledger.recount(workspace, month)).used, usage.monthly.used)
  }
  return invoices.length
}

/** Each stored change of the cap and of the limits has one line, which begins where the line before it ended. */
const compareLog = async ({ audit, ledger }: BillingStores, model: Model, workspace: string): Promise<void> => {
  const entries = (await audit.list({ ...noAuditFilter, workspace, limit: 1_000 })).toReversed()
  const allowance = await ledger.allowance(workspace)
  const capUsd = allowance.spendingCapCents === null ? null : allowance.spendingCapCents / 100
  const stored = { spending_cap_usd: capUsd, monthly: allowance.monthly, daily: allowance.daily }
  for (const [name, last] of Object.entries(stored)) {
    const changes = entries.filter(({ after }) => after !== null && name in after)
    const values = changes.map(({ after }) => after?.[name])
    const first = name === 'spending_cap_usd' ? null : 'plan'
    assert.deepEqual(
      changes.map(({ before }) => before?.[name]),
      [first, ...values].slice(0, values.length),
    )
    assert.deepEqual([first, ...values].at(-1), last)
  }
  assert.equal(capUsd, model.cap)
}
