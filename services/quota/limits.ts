import type { Limits, LimitsChange } from '@postrider/contracts/services.ts'
import { auditEntry, auditedChange, auditState, byOperator } from '@postrider/domain/audit/entry.ts'
import type { Billing } from '@postrider/domain/billing/account.ts'
import { startPlan } from '@postrider/domain/billing/planChoice.ts'
import { isOperatorsChange, isPlanName, limitsProblems } from '@postrider/domain/quota/limitRules.ts'
import { type Allowance, allowanceAt } from '@postrider/domain/quota/plans.ts'
import { refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EntryOf } from '@postrider/ports/audit.ts'
import { changeBilling } from './billingState.ts'
import type { Deps } from './deps.ts'

/** Returns the plan and the overrides of a workspace. */
export const limitsOf = ({ monthly, daily, plan, spendingCapCents }: Allowance): Limits => ({
  monthly,
  daily,
  plan,
  spending_cap_cents: spendingCapCents,
})

type Changed = Partial<Pick<Allowance, 'monthly' | 'daily' | 'plan' | 'spendingCapCents'>>

const changeOf = ({ monthly, daily, plan, spending_cap_cents: cap }: LimitsChange): Changed => ({
  ...(monthly !== undefined && { monthly }),
  ...(daily !== undefined && { daily }),
  ...(plan !== undefined && isPlanName(plan) && { plan }),
  ...(cap !== undefined && { spendingCapCents: cap }),
})

/** Changes the given limits and the plan, immediately and with their audit entry. A spending cap is set by an owner. */
export const setLimits = async (
  deps: Pick<Deps, 'billing' | 'ledger' | 'now'>,
  request: LimitsChange,
): Promise<Limits> => {
  refuseAny(limitsProblems(request))
  const { plan, ...limits } = changeOf(request)
  const { allowance } = await changeBilling(
    deps,
    request.workspace,
    (billing, context) => {
      const limited = { ...billing, allowance: { ...billing.allowance, ...limits } }
      return plan === undefined ? limited : startPlan(limited, plan, context)
    },
    { entryOf: limitsEntry(request, deps.now()) },
  )
  return limitsOf(allowanceAt(allowance, deps.now()))
}

/** Returns the limits as the log has them: the cap in dollars, as the workspace's other settings. */
const limitsState = ({ spendingCapCents: cents, ...allowance }: Allowance) =>
  auditState(
    { ...allowance, spendingCapUsd: cents === null ? null : cents / 100 },
    { plan: true, monthly: true, daily: true, spendingCapUsd: true, pending: true, since: true },
  )

/** A gateway of release 0.1 names no owner. */
const actorOfCap = 'system'

const limitsEntry = (request: LimitsChange, at: number): EntryOf<Billing> => {
  const { workspace, client_address: clientAddress, actor = actorOfCap } = request
  const isByOperator = isOperatorsChange(request)
  const by = { ...(isByOperator ? byOperator(request.operator) : { actor }), at, clientAddress }
  const action = isByOperator ? 'workspace.limits' : 'workspace.update'
  return (before, after) => {
    const change = auditedChange(before.allowance, after.allowance, limitsState)
    return change && auditEntry(newId('aud'), by, { workspace, action, target: workspace, ...change })
  }
}
