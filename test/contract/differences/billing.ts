import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoBilling } from '@postrider/adapters/mongo/billing/billing.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteBilling } from '@postrider/adapters/sqlite/billing/billing.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { emptyAccount, type InvoiceDraft } from '@postrider/domain/billing/account.ts'
import { adjustCharge, type Charge } from '@postrider/domain/billing/charges.ts'
import { invoiceStatuses } from '@postrider/domain/billing/invoices.ts'
import type { Allowance, Override } from '@postrider/domain/quota/plans.ts'
import type { PendingReservation } from '@postrider/domain/quota/quota.ts'
import { dayMs, hourMs, minuteMs, monthOf } from '@postrider/domain/time.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { BillingStores } from '@postrider/ports/billing.conformance.ts'
import fc from 'fast-check'
import { countedMongoLedger, countedSqliteLedger } from '../../support/countedLedgers.ts'
import { type Comparison, inAnyOrder, type Moment, newIdOf, operationsOn, plain, timeOf } from './compare.ts'

/** A reservation of an email. The token is each store's own. */
type Reserved = PendingReservation & { state: 'pending' | 'kept' | 'void' }

/** `lastDueAt`: when the billing that was changed last is due. */
type Stores = BillingStores & { reserved: Map<number, Reserved>; lastDueAt: number }

const operation = operationsOn<Stores>()

const workspaces = ['ws_1', 'ws_2']
const workspace = fc.constantFrom(...workspaces)
const email = fc.nat({ max: 4 })
const monthStart = Date.UTC(2026, 11, 1)
const months = ['2026-11', '2026-12', '2027-01']

const entryOf = (moment: Moment, of: string) =>
  anEntry({ id: newIdOf('aud', moment), workspace: of, at: timeOf(moment) })

const withoutTokens = (found: readonly PendingReservation[]) => found.map(({ token: _, ...rest }) => rest)

const reserve = async (
  { ledger, reserved }: Stores,
  given: { email: number; count: number },
  moment: Moment,
): Promise<unknown> => {
  const known = reserved.get(given.email)
  if (known?.state === 'void') return null
  const of = workspaces[given.email % workspaces.length] ?? ''
  const entry = known ?? { workspace: of, id: `em_${given.email}`, count: given.count, at: timeOf(moment) }
  const outcome = await ledger.reserve({ workspace: of, id: entry.id, count: entry.count, at: entry.at })
  if (outcome.kind === 'refused') return outcome
  if (!known) reserved.set(given.email, { ...entry, token: outcome.token, state: 'pending' })
  return outcome.standing
}

const settle = async (
  { ledger, reserved }: Stores,
  given: { exists: boolean; limit: number },
  moment: Moment,
): Promise<unknown> => {
  const found = await ledger.pending(timeOf(moment), given.limit)
  const released: boolean[] = []
  for (const one of found) {
    released.push(await ledger.settle(one, given.exists))
    const known = reserved.get(Number(one.id.slice('em_'.length)))
    if (known) known.state = given.exists ? 'kept' : 'void'
  }
  return [withoutTokens(found), released]
}

const change: { [Name in keyof Allowance]?: fc.Arbitrary<Allowance[Name]> } = {
  plan: fc.constantFrom('free', 'pro', 'unlimited'),
  monthly: fc.constantFrom<Override[]>('plan', null, 8, 20),
  daily: fc.constantFrom<Override[]>('plan', null, 5),
  spendingCapCents: fc.constantFrom(null, 0, 150),
  pending: fc.constantFrom(null, { plan: 'free', at: monthStart }),
}
const allowance = fc.record(change, { requiredKeys: [] }) as fc.Arbitrary<Partial<Allowance>>

const ofLedger = {
  reserve: operation({ email, count: fc.integer({ min: 1, max: 4 }) }, reserve, 6),
  commit: operation(
    { email },
    async ({ ledger, reserved }, given) => {
      const known = reserved.get(given.email)
      if (!known || known.state === 'void') return null
      await ledger.commit(known)
      known.state = 'kept'
      return true
    },
    3,
  ),
  release: operation(
    { email, recipients: fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 3 }) },
    async ({ ledger, reserved }, given) => {
      const known = reserved.get(given.email)
      if (known?.state !== 'kept') return
      await ledger.release({ workspace: known.workspace, id: known.id, at: known.at, recipients: given.recipients })
    },
    3,
  ),
  settle: operation({ exists: fc.boolean(), limit: fc.constantFrom(1, 10) }, settle, 2),
  usage: operation({ workspace, backMs: fc.constantFrom(0, dayMs, 30 * dayMs) }, ({ ledger }, given, { now }) =>
    ledger.usage(given.workspace, now - given.backMs),
  ),
  adjust: operation(
    { workspace, id: fc.constantFrom('adj_1', 'adj_2', 'adj_3'), sends: fc.constantFrom(-3, 2, 5) },
    // A repeated correction has the same id and the same sends.
    ({ ledger }, given, { now }) =>
      ledger.adjust({ ...given, id: `${given.id}_${given.workspace}_${given.sends}`, at: now }),
    2,
  ),
  isSettled: operation({ workspace, month: fc.constantFrom(...months) }, ({ ledger }, given) =>
    ledger.isSettled(given.workspace, given.month),
  ),
  setAllowance: operation(
    { workspace, allowance, isAudited: fc.boolean() },
    async ({ ledger }, given, moment) => {
      const entry = (before: Allowance, after: Allowance) => {
        const shown = { before: plain(before), after: plain(after) } as Pick<
          ReturnType<typeof anEntry>,
          'before' | 'after'
        >
        return { ...entryOf(moment, given.workspace), ...shown }
      }
      return ledger.setAllowance(given.workspace, given.allowance, given.isAudited ? entry : undefined)
    },
    2,
  ),
  // Only a workspace whose creation failed loses its allowance. It has no sends and no billing.
  deleteAllowance: operation({ workspace }, async ({ ledger, billing, reserved }, given) => {
    const { account } = await billing.read(given.workspace)
    if (reserved.size === 0 && account === null) await ledger.deleteAllowance(given.workspace)
  }),
}

const number = fc.nat({ max: 3 })

const charge = (of: string, n: number): Charge =>
  adjustCharge(
    { workspace: of, month: months[n % 2] ?? '', n, at: monthStart + n, description: 'Test' },
    { quantity: 1, unitCents: n },
  )

const draft = (n: number): InvoiceDraft => {
  const of = workspaces[n % 2] ?? ''
  return {
    id: `in_${n}`,
    workspace: of,
    month: months[n % 2] ?? '',
    start: monthStart - dayMs,
    end: monthStart,
    lines: [charge(of, n).id, charge(of, (n + 1) % 4).id],
    totalCents: 2 * n + 1,
    status: n === 3 ? 'paid' : 'open',
    issuedAt: monthStart + n,
  }
}

const owner = fc.constantFrom('a', 'b')

const ofBilling = {
  changeBilling: operation(
    {
      workspace,
      allowance,
      cents: number,
      dueMs: fc.constantFrom(-hourMs, 0, dayMs),
      isStale: number,
      isAudited: fc.boolean(),
    },
    async (stores, given, moment) => {
      const { billing } = stores
      stores.lastDueAt = timeOf(moment) + given.dueMs
      const { account, rev } = await billing.read(given.workspace)
      const changed = { ...(account ?? emptyAccount(monthOf(moment.now))), paidCents: given.cents }
      return billing.change(
        {
          workspace: given.workspace,
          rev: given.isStale === 0 ? rev + 1 : rev,
          account: given.cents === 0 ? changed : { ...changed, newLines: [charge(given.workspace, given.cents)] },
          allowance: given.allowance,
          dueAt: stores.lastDueAt,
        },
        given.isAudited ? entryOf(moment, given.workspace) : null,
      )
    },
    4,
  ),
  read: operation({ workspace }, ({ billing }, given) => billing.read(given.workspace)),
  addLines: operation({ workspace, numbers: fc.array(number, { maxLength: 3 }) }, ({ billing }, given) =>
    billing.addLines(given.numbers.map((n) => charge(given.workspace, n))),
  ),
  addInvoice: operation(
    { number },
    async ({ billing }, given) => {
      const one = draft(given.number)
      await billing.addLines([charge(one.workspace, given.number), charge(one.workspace, (given.number + 1) % 4)])
      await billing.addInvoice(one)
    },
    3,
  ),
  invoice: operation({ number, workspace: fc.option(workspace, { nil: null }) }, ({ billing }, given) =>
    billing.invoice(`in_${given.number}`, given.workspace),
  ),
  invoices: operation(
    {
      workspace: fc.option(workspace, { nil: null }),
      status: fc.option(fc.constantFrom(...invoiceStatuses), { nil: null }),
      month: fc.option(fc.constantFrom(...months), { nil: null }),
      before: fc.option(number, { nil: null }),
      limit: fc.constantFrom(1, 2, 10),
    },
    ({ billing }, given) =>
      billing.invoices({
        ...(given.workspace !== null && { workspace: given.workspace }),
        ...(given.status !== null && { status: given.status }),
        ...(given.month !== null && { month: given.month }),
        before: given.before === null ? '' : `in_${given.before}`,
        limit: given.limit,
      }),
    3,
  ),
  setStatus: operation(
    {
      number,
      from: fc.subarray([...invoiceStatuses], { minLength: 1 }),
      to: fc.constantFrom(...invoiceStatuses),
      isAudited: fc.boolean(),
    },
    ({ billing }, given, moment) =>
      billing.setStatus(
        { id: `in_${given.number}`, from: given.from, to: given.to, at: timeOf(moment), reason: `${moment.step}` },
        given.isAudited ? entryOf(moment, draft(given.number).workspace) : null,
      ),
    2,
  ),
  due: operation(
    { backMs: fc.constantFrom(0, hourMs, 2 * dayMs) },
    async ({ billing, lastDueAt }, given, { now }) => [
      inAnyOrder(await billing.due(now, 100)),
      inAnyOrder(await billing.due(lastDueAt, 100)),
      await billing.countDue(now - given.backMs),
      await billing.countDue(lastDueAt),
    ],
    2,
  ),
  lease: operation({ owner }, ({ billing }, given, { now }) => billing.lease(given.owner, now, now + minuteMs)),
  endLease: operation({ owner }, ({ billing }, given) => billing.endLease(given.owner)),
  event: operation({ id: fc.constantFrom('evt_1', 'evt_2') }, async ({ billing }, given, { now }) => [
    await billing.hasEvent(given.id),
    await billing.addEvent(given.id, now),
  ]),
  notice: operation({ number, isMailed: fc.boolean(), limit: fc.constantFrom(1, 10) }, async ({ billing }, given) => {
    const id = `in_${given.number}/1`
    const page = given.number === 1 ? { url: 'https://pay.example', until: monthStart } : null
    const of = { id, workspace: 'ws_1', invoice: `in_${given.number}`, number: 'PR-1', amountCents: 5 }
    const notice = { ...of, at: monthStart + given.number, reason: 'declined' as const, page, nextAt: null }
    await (given.isMailed ? billing.removeNotice(id) : billing.addNotice(notice))
    return billing.notices(given.limit)
  }),
}

const contents = async ({ ledger, billing, audit }: Stores, _: undefined, moment: Moment): Promise<unknown> => {
  const of = async (one: string) => ({
    billing: await billing.read(one),
    allowance: await ledger.allowance(one),
    lines: inAnyOrder(await billing.lines(one)),
    usage: await Promise.all([moment.now, monthStart - 1, monthStart].map((at) => ledger.usage(one, at))),
    recount: await Promise.all(months.map((month) => ledger.recount(one, month))),
    settled: await Promise.all(months.map((month) => ledger.isSettled(one, month))),
  })
  return {
    of: await Promise.all(workspaces.map(of)),
    pending: withoutTokens(await ledger.pending(Number.MAX_SAFE_INTEGER, 100)),
    invoices: await billing.invoices({ before: '', limit: 100 }),
    audit: await audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 }),
  }
}

export const billingDifferences: Comparison<Stores> = {
  name: 'the ledger of sends and billing',
  sqlite: (db) => {
    const allowances = sqliteAllowances(db)
    return {
      ledger: countedSqliteLedger(db, allowances),
      billing: sqliteBilling(db, allowances),
      audit: sqliteAudit(db),
      reserved: new Map(),
      lastDueAt: monthStart,
    }
  },
  mongo: (db) => ({
    ledger: countedMongoLedger(db),
    billing: mongoBilling(db),
    audit: mongoAudit(db),
    reserved: new Map(),
    lastDueAt: monthStart,
  }),
  operations: { ...ofLedger, ...ofBilling },
  waits: [1_000, minuteMs, hourMs, dayMs, 3 * dayMs, -1_000],
  contents,
  maxOperations: 40,
}
