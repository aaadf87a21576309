import { type Allowance, newAllowance } from '../quota/plans.ts'
import { dayMs } from '../time.ts'
import type { BillingAccount } from './account.ts'

/**
 * Treatment of a workspace by billing. `deleted`: it gets its last invoice. `abandoned`: a sign-up that failed left a
 * plan, which is removed. `none`: there is nothing to bill.
 */
export type BillingKind = 'billed' | 'deleted' | 'abandoned' | 'none'

/** A plan without a workspace is removed after this time, when its sign-up has certainly ended. */
const abandonedMs = dayMs

/**
 * A workspace that was never billed is due a day after its plan began: until then its sign-up may have failed, and
 * nothing bills or removes it. A plan of unknown age is due.
 * @returns the time before which the plan began, if the workspace has been due since before `before`
 */
export const unbilledSince = (before: number): number => before - abandonedMs

/**
 * Returns how billing treats a workspace. A workspace whose deletion is due counts as deleted, because it cannot be
 * restored.
 * @param stored.workspace null: no workspace has that id, because it was deleted or its sign-up did not end
 */
export const billingKind = (
  stored: {
    workspace: { deletesAt: number | null } | null
    account: BillingAccount | null
    allowance: Pick<Allowance, 'plan' | 'since'>
  },
  now: number,
): BillingKind => {
  const { workspace, account, allowance } = stored
  if (workspace !== null) return workspace.deletesAt !== null && workspace.deletesAt <= now ? 'deleted' : 'billed'
  if (account !== null) return 'deleted'
  const { plan, since = 0 } = allowance
  return plan !== newAllowance.plan && since < now - abandonedMs ? 'abandoned' : 'none'
}
