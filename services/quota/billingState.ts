import { type Billing, type BillingContext, hasNew, openBilling } from '@postrider/domain/billing/account.ts'
import { dueAt, rollMonths } from '@postrider/domain/billing/months.ts'
import type { Allowance } from '@postrider/domain/quota/plans.ts'
import { newId } from '@postrider/kit/ids.ts'
import { busyFault, retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { EntryOf } from '@postrider/ports/audit.ts'
import type { StoredBilling } from '@postrider/ports/billing.ts'
import type { Deps } from './deps.ts'

const billingContextAt = (now: number): BillingContext => ({ now, newInvoiceId: () => newId('in') })

/** A decision. `billing` is rolled to the present month; the same object back: nothing is to be changed. */
export type Decide = (billing: Billing, context: BillingContext) => Billing

export type ChangeOptions = {
  /** Returns the entry of the audit log that is stored with the change; absent: none. */
  entryOf?: EntryOf<Billing>
  /** Changes the stored billing before it is rolled to the present month; absent: nothing. */
  prepare?: (billing: Billing) => Billing
  /** When a job must read the state, unless that follows from it. */
  dueAt?: number
}

/**
 * Changes the billing of a workspace in one guarded write, then stores the lines and invoices that the decision made. A
 * crash in between leaves them in the state, from which the next change or the month's close stores them.
 * @returns the state after it
 */
export const changeBilling = async (
  deps: Pick<Deps, 'billing' | 'ledger' | 'now'>,
  workspace: string,
  decide: Decide,
  options: ChangeOptions = {},
): Promise<Billing> => {
  return retryOnConflict(
    async () => {
      const stored = await deps.billing.read(workspace)
      const context = billingContextAt(deps.now())
      const { prepare = (billing) => billing } = options
      const before = rollMonths(prepare(billingOf(workspace, stored, context)), context.now)
      const after = decide(before, context)
      if (isStored(stored, after) && options.dueAt === undefined) return after
      const change = {
        workspace,
        rev: stored.rev,
        account: after.account,
        allowance: changedFields(stored.allowance, after.allowance),
        dueAt: options.dueAt ?? dueAt(after),
      }
      const entry = after === before ? null : (options.entryOf?.(before, after) ?? null)
      if (await deps.billing.change(change, entry)) return storeNew(deps, after, stored.rev + 1)
      return undefined
    },
    { rounds: 'sharedRecord', onBusy: () => busyFault('plan') },
  )
}

/** Returns the billing of a workspace as it is now, and stores nothing. */
export const presentBilling = async (
  { billing, now }: Pick<Deps, 'billing' | 'now'>,
  workspace: string,
): Promise<Billing> => {
  const context = billingContextAt(now())
  return rollMonths(billingOf(workspace, await billing.read(workspace), context), context.now)
}

/** Returns the billing of a stored state; a workspace that was never billed gets one. */
const billingOf = (workspace: string, { allowance, account }: StoredBilling, context: BillingContext): Billing =>
  account === null ? openBilling(workspace, allowance, context) : { workspace, allowance, account }

/** Whether a state has nothing to write: also no line or invoice that an earlier change left. */
const isStored = ({ account, allowance }: StoredBilling, after: Billing): boolean =>
  account === after.account && allowance === after.allowance && !hasNew(account)

const changedFields = (before: Allowance, after: Allowance): Partial<Allowance> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name as keyof Allowance] !== value),
  ) as Partial<Allowance>

/** Stores what decisions left and takes it off the state. Repeatable, also by several processes at the same time. */
const storeNew = async (
  { billing, ledger }: Pick<Deps, 'billing' | 'ledger'>,
  state: Billing,
  rev: number,
): Promise<Billing> => {
  const { workspace, account } = state
  if (!hasNew(account)) return state
  await billing.addLines(account.newLines)
  for (const invoice of account.newInvoices) await billing.addInvoice(invoice)
  for (const adjustment of account.newSends ?? []) await ledger.adjust({ workspace, ...adjustment })
  for (const notice of account.newNotices ?? []) await billing.addNotice(notice)
  const after = { ...state, account: { ...account, newLines: [], newInvoices: [], newSends: [], newNotices: [] } }
  // If another change came first, it stores them again, which changes nothing, and takes them off.
  await billing.change({ workspace, rev, account: after.account, allowance: {}, dueAt: dueAt(after) }, null)
  return after
}
