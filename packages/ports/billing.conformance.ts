import assert from 'node:assert/strict'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { emptyAccount, type InvoiceDraft } from '@postrider/domain/billing/account.ts'
import { adjustCharge } from '@postrider/domain/billing/charges.ts'
import { newAllowance } from '@postrider/domain/quota/plans.ts'
import { dayMs, neverMs } from '@postrider/domain/time.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { Audit, AuditEntry } from './audit.ts'
import type { BillingStore } from './billing.ts'
import type { CountedLedger } from './ledger.conformance.ts'

/** The stores of one database. */
export type BillingStores = { billing: BillingStore; ledger: CountedLedger; audit: Audit }

type Open = () => BillingStores | Promise<BillingStores>

const at = Date.UTC(2026, 10, 21)

const entryFor = (workspace: string): AuditEntry => ({
  id: newId('aud'),
  workspace,
  at,
  actor: 'operator',
  clientAddress: '',
  action: 'plan.update',
  target: workspace,
  before: { plan: 'free' },
  after: { plan: 'pro' },
})

const entriesOf = async ({ audit }: BillingStores, workspace: string): Promise<AuditEntry[]> =>
  audit.list({
    ...noAuditFilter,
    workspace,
    limit: 10,
  })

const draft = (over: Partial<InvoiceDraft> = {}): InvoiceDraft => ({
  id: newId('in'),
  workspace: 'ws_1',
  month: '2026-11',
  start: at,
  end: Date.UTC(2026, 11),
  lines: [],
  totalCents: 0,
  status: 'open',
  issuedAt: at,
  ...over,
})

const charge = (n: number, workspace = 'ws_1') =>
  adjustCharge({ workspace, month: '2026-11', n, at, description: 'Test' }, { quantity: 1, unitCents: n })

/** Declares the tests that every billing store must pass. */
export const billingConformance = (adapter: string, open: Open) =>
  describe(`billing in ${adapter}`, () => {
    describe('states', () => states(open))
    describe('lines and invoices', () => invoices(open))
    describe('work of the job', () => job(open))
  })

const states = (open: Open): void => {
  const account = emptyAccount('2026-11')
  it('are written with their plan and audit entry, once for each revision', async () => {
    const stores = await open()
    const { billing, ledger } = stores
    const workspace = newId('ws')
    assert.deepEqual(await billing.read(workspace), { allowance: newAllowance, account: null, rev: 0 })
    const pending = { plan: 'free', at } as const
    const first = { workspace, rev: 0, account, allowance: { plan: 'pro', pending } as const, dueAt: at }
    assert.equal(await billing.change(first, entryFor(workspace)), true)
    assert.equal(await billing.change(first, entryFor(workspace)), false)
    const stored = await billing.read(workspace)
    assert.deepEqual([stored.account, stored.rev, stored.allowance.plan], [account, 1, 'pro'])
    assert.deepEqual((await ledger.allowance(workspace)).pending, pending)
    assert.equal((await entriesOf(stores, workspace)).length, 1)
    const second = { ...first, rev: 1, account: { ...account, paidCents: 7 }, allowance: { pending: null } }
    assert.equal(await billing.change(second, null), true)
    assert.equal(await billing.change(second, null), false)
    assert.equal((await billing.read(workspace)).account?.paidCents, 7)
    assert.equal((await ledger.allowance(workspace)).pending, null)
  })

  it('stay with a limit that the ledger changes', async () => {
    const { billing, ledger } = await open()
    const workspace = newId('ws')
    await billing.change({ workspace, rev: 0, account, allowance: { plan: 'pro' }, dueAt: at }, null)
    await ledger.setAllowance(workspace, { monthly: 5 })
    const { allowance, account: stored, rev } = await billing.read(workspace)
    assert.deepEqual([allowance.plan, allowance.monthly, stored, rev], ['pro', 5, account, 1])
  })

  it('apply to the next reservation', async () => {
    const { billing, ledger } = await open()
    const workspace = newId('ws')
    const send = (id: string) => ledger.reserve({ workspace, id, count: 101, at })
    assert.equal((await send('em_1')).kind, 'refused')
    await billing.change({ workspace, rev: 0, account, allowance: { plan: 'pro' }, dueAt: at }, null)
    assert.equal((await send('em_2')).kind, 'reserved')
  })

  it('invoices that two processes write at the same time are written once', async () => {
    const { billing } = await open()
    const workspace = newId('ws')
    const change = (n: number) =>
      billing.change({ workspace, rev: 0, account: { ...account, paidCents: n }, allowance: {}, dueAt: at }, null)
    assert.equal((await Promise.all([1, 2, 3, 4].map(change))).filter(Boolean).length, 1)
  })
}

const invoices = (open: Open): void => {
  it('keep the first line of an id', async () => {
    const { billing } = await open()
    await billing.addLines([charge(0), charge(1)])
    await billing.addLines([{ ...charge(1), description: 'Other' }, charge(2)])
    assert.deepEqual(await billing.lines('ws_1'), [charge(0), charge(1), charge(2)])
  })

  it('number invoices without gaps, even if they are repeated and added at the same time', async () => {
    const { billing } = await open()
    const drafts = Array.from({ length: 8 }, () => draft())
    await Promise.all([...drafts, ...drafts].map(billing.addInvoice))
    const found = await billing.invoices({ before: '', limit: 100 })
    assert.deepEqual(
      found.map(({ seq }) => seq),
      [8, 7, 6, 5, 4, 3, 2, 1],
    )
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set(drafts.map(({ id }) => id)))
  })

  it('return an invoice with its lines to its workspace and to the operator only', async () => {
    const { billing } = await open()
    await billing.addLines([charge(1), charge(2)])
    const one = draft({ lines: [charge(1).id, charge(2).id] })
    await billing.addInvoice(one)
    const { totalCents: _, ...fields } = one
    const invoice = { ...fields, lines: [charge(1), charge(2)], seq: 1, reason: '', paidAt: null }
    assert.deepEqual(await billing.invoice(one.id, 'ws_1'), invoice)
    assert.deepEqual(await billing.invoice(one.id, null), invoice)
    assert.equal(await billing.invoice(one.id, 'ws_2'), null)
  })

  it('list by workspace, status and month, in pages', async () => {
    const { billing } = await open()
    const [a, b, c] = [draft(), draft({ workspace: 'ws_2', status: 'paid' }), draft({ month: '2026-12' })]
    for (const one of [a, b, c]) await billing.addInvoice(one)
    const ids = async (query: object) =>
      (await billing.invoices({ before: '', limit: 100, ...query })).map(({ id }) => id)
    assert.deepEqual(await ids({ workspace: 'ws_1' }), [c.id, a.id])
    assert.deepEqual(await ids({ status: 'paid' }), [b.id])
    assert.deepEqual(await ids({ month: '2026-11' }), [b.id, a.id])
    assert.deepEqual(await ids({ before: c.id, limit: 1 }), [b.id])
    assert.deepEqual(await ids({ before: 'inv_none' }), [])
  })

  it('change the status of an invoice once, with its audit entry', async () => {
    const stores = await open()
    const { billing } = stores
    const workspace = newId('ws')
    const one = draft({ workspace })
    await billing.addInvoice(one)
    const change = { id: one.id, from: ['open'], to: 'paid', at: at + 1, reason: 'transfer' } as const
    const paid = await billing.setStatus(change, entryFor(workspace))
    assert.deepEqual([paid?.status, paid?.paidAt, paid?.reason], ['paid', at + 1, 'transfer'])
    assert.equal(await billing.setStatus({ ...change, to: 'void' }, entryFor(workspace)), null)
    assert.equal((await entriesOf(stores, workspace)).length, 1)
    assert.equal(await billing.setStatus({ ...change, id: 'inv_none' }, null), null)
  })
}

const job = (open: Open): void => {
  it('finds due billing, and plans that were never billed', async () => {
    const { billing, ledger } = await open()
    const account = emptyAccount('2026-11')
    const add = (workspace: string, dueAt: number) =>
      billing.change({ workspace, rev: 0, account, allowance: { plan: 'pro' }, dueAt }, null)
    await add('ws_due', at)
    await add('ws_later', at + 1)
    await add('ws_never', neverMs)
    await ledger.setAllowance('ws_new', { plan: 'pro' })
    await ledger.setAllowance('ws_free', { monthly: 5 })
    assert.deepEqual((await billing.due(at, 10)).toSorted(), ['ws_due', 'ws_new'])
    assert.equal((await billing.due(at, 1)).length, 1)
    assert.equal((await billing.countDue(at + 1)) > (await billing.countDue(at)), true)
    await ledger.deleteAllowance('ws_new')
    assert.deepEqual(await billing.due(at, 10), ['ws_due'])
  })

  // Regression: in SQLite it stayed due.
  it('does not find a plan that was never billed and is Free again', async () => {
    const { billing, ledger } = await open()
    await ledger.setAllowance('ws_new', { plan: 'pro' })
    await ledger.setAllowance('ws_new', { plan: 'free' })
    assert.deepEqual([await billing.due(at, 10), await billing.countDue(at)], [[], 0])
    await ledger.setAllowance('ws_new', { plan: 'pro' })
    assert.deepEqual([await billing.due(at, 10), await billing.countDue(at)], [['ws_new'], 1])
  })

  // Regression: SQLite counted it from the first moment, MongoDB never, so that a first close that failed had no alert.
  it('counts a plan that was never billed as due a day after it began', async () => {
    const { billing, ledger } = await open()
    await ledger.setAllowance('ws_new', { plan: 'pro', since: at })
    await ledger.setAllowance('ws_free', { monthly: 5, since: at })
    assert.deepEqual(await billing.due(at, 10), ['ws_new'])
    assert.deepEqual([await billing.countDue(at + dayMs), await billing.countDue(at + dayMs + 1)], [0, 1])
    await ledger.setAllowance('ws_old', { plan: 'pro' })
    assert.equal(await billing.countDue(at), 1)
    const account = emptyAccount('2026-11')
    const billed = { rev: 0, account, allowance: {}, dueAt: at + 5 }
    for (const workspace of ['ws_new', 'ws_old']) await billing.change({ ...billed, workspace }, null)
    assert.deepEqual([await billing.countDue(at + 5), await billing.countDue(at + 6)], [0, 2])
  })

  it('gives the lease to one owner until it ends', async () => {
    const { billing } = await open()
    assert.equal(await billing.lease('a', 0, 10), true)
    assert.equal(await billing.lease('b', 9, 20), false)
    assert.equal(await billing.lease('a', 9, 15), true)
    assert.equal(await billing.lease('b', 14, 20), false)
    assert.equal(await billing.lease('b', 15, 25), true)
    await billing.endLease('a')
    assert.equal(await billing.lease('a', 16, 30), false)
    await billing.endLease('b')
    assert.equal(await billing.lease('a', 16, 30), true)
  })

  it('records a payment event once', async () => {
    const { billing } = await open()
    assert.equal(await billing.hasEvent('evt_1'), false)
    assert.equal(await billing.addEvent('evt_1', at), true)
    assert.equal(await billing.addEvent('evt_1', at), false)
    assert.equal(await billing.hasEvent('evt_1'), true)
  })

  it('stores a notice once, and returns the oldest ones until they are removed', async () => {
    const { billing } = await open()
    const otherFields = {
      workspace: 'ws_1',
      invoice: 'inv_1',
      number: 'PR-000001',
      amountCents: 7,
      nextAt: null,
    } as const
    const notice = { ...otherFields, reason: 'declined', page: { url: 'https://pay.example/', until: at } } as const
    const [one, other] = [
      { ...notice, id: 'inv_1/0', at },
      { ...notice, id: 'inv_1/1', at: at - 1, page: null },
    ]
    for (const each of [one, other, one, { ...one, amountCents: 8 }]) await billing.addNotice(each)
    assert.deepEqual(await billing.notices(10), [other, one])
    assert.deepEqual(await billing.notices(1), [other])
    await billing.removeNotice(other.id)
    await billing.removeNotice(other.id)
    assert.deepEqual(await billing.notices(10), [one])
  })

  it('releases sends that a correction released already', async () => {
    const { ledger } = await open()
    const workspace = newId('ws')
    const reserve = async () => {
      const entry = { workspace, id: newId('em'), count: 2, at }
      const outcome = await ledger.reserve(entry)
      assert(outcome.kind === 'reserved')
      return { ...entry, token: outcome.token }
    }
    const [sent, lost] = [await reserve(), await reserve()]
    await ledger.commit(sent)
    assert.equal(await ledger.adjust({ workspace, id: newId('adj'), sends: -3, at }), true)
    await ledger.release({ workspace, id: sent.id, at, recipients: [0, 1] })
    assert.equal(await ledger.settle(lost, false), true)
    assert.equal((await ledger.usage(workspace, at)).monthly.used, -3)
    assert.deepEqual(await ledger.recount(workspace, '2026-11'), { used: -3, days: {} })
    assert.equal(await ledger.isSettled(workspace, '2026-11'), true)
    assert.equal(await ledger.adjust({ workspace, id: newId('adj'), sends: -1, at }), false)
    assert.equal(await ledger.adjust({ workspace, id: newId('adj'), sends: 1, at }), true)
  })

  it('adds a correction of sends once, to the month only', async () => {
    const { ledger } = await open()
    const workspace = newId('ws')
    const adjust = (id: string, sends: number) => ledger.adjust({ workspace, id, sends, at })
    assert.equal(await adjust('adj_1', 5), true)
    assert.equal(await adjust('adj_1', 5), true)
    assert.equal(await adjust('adj_2', -6), false)
    assert.equal(await adjust('adj_3', -2), true)
    const usage = await ledger.usage(workspace, at)
    assert.deepEqual([usage.monthly.used, usage.daily.used, usage.history], [3, 0, []])
    assert.deepEqual(await ledger.recount(workspace, '2026-11'), { used: 3, days: {} })
    assert.equal(await ledger.isSettled(workspace, '2026-11'), true)
    const entry = { workspace, id: newId('em'), count: 1, at }
    const outcome = await ledger.reserve(entry)
    assert.equal(await ledger.isSettled(workspace, '2026-11'), false)
    assert.equal(await ledger.isSettled(workspace, '2026-10'), true)
    assert(outcome.kind === 'reserved')
    await ledger.commit({ ...entry, token: outcome.token })
    assert.equal(await ledger.isSettled(workspace, '2026-11'), true)
  })
}
