import type { Limits__Output } from '@postrider/contracts/gen/postrider/quota/v1/Limits.ts'
import type { SetLimitsRequest__Output } from '@postrider/contracts/gen/postrider/quota/v1/SetLimitsRequest.ts'
import { auditEntry, auditedChange, auditState, byOperator } from '@postrider/domain/audit/entry.ts'
import type { Billing } from '@postrider/domain/billing/account.ts'
import { maxCapCents, parseCap, usdText } from '@postrider/domain/billing/money.ts'
import { startPlan } from '@postrider/domain/billing/planChoice.ts'
import { type Allowance, allowanceAt, type PlanName, plans } from '@postrider/domain/quota/plans.ts'
import { maxQuota } from '@postrider/domain/quota/quota.ts'
import { type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EntryOf } from '@postrider/ports/audit.ts'
import { changeBilling } from './billingState.ts'
import type { Deps } from './deps.ts'

const limitText = (limit: number | null | 'plan'): string => (limit === null ? 'none' : String(limit))

/** Returns the plan and the overrides of a workspace as the API writes them. */
export const limitsRecord = ({ monthly, daily, plan, spendingCapCents }: Allowance): Limits__Output => ({
  monthly: limitText(monthly),
  daily: limitText(daily),
  plan,
  ...(spendingCapCents === null ? {} : { spending_cap_usd: usdText(spendingCapCents) }),
})

/** @returns undefined: the text is not a limit */
const parseLimit = (text: string): number | null | 'plan' | undefined => {
  if (text === 'plan') return 'plan'
  if (text === 'none') return null
  const limit = /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN
  return limit <= maxQuota ? limit : undefined
}

const isPlan = (text: string): text is PlanName => Object.hasOwn(plans, text)

const invalidValue = (path: string, message: string): Problem => ({ path, code: 'invalid_value', message })

const limitMessage = 'Use "plan", null or a whole number of sends.'

const problemsOf = ({ monthly, daily, plan, spending_cap_usd }: SetLimitsRequest__Output): Problem[] => [
  ...(monthly !== undefined && parseLimit(monthly) === undefined ? [invalidValue('limits.monthly', limitMessage)] : []),
  ...(daily !== undefined && parseLimit(daily) === undefined ? [invalidValue('limits.daily', limitMessage)] : []),
  ...(plan !== undefined && !isPlan(plan)
    ? [invalidValue('plan', `Use one of the plans: ${Object.keys(plans).join(', ')}.`)]
    : []),
  ...(spending_cap_usd !== undefined && parseCap(spending_cap_usd) === undefined
    ? [
        invalidValue(
          'spending_cap_usd',
          `Use an amount in US dollars with at most two decimals, from 0 to ${maxCapCents / 100}.`,
        ),
      ]
    : []),
]

type Changed = Partial<Pick<Allowance, 'monthly' | 'daily' | 'plan' | 'spendingCapCents'>>

/** Returns the given fields parsed. Call it only when there are no problems: then no field is undefined. */
const changeOf = ({ monthly, daily, plan, spending_cap_usd }: SetLimitsRequest__Output): Changed => ({
  ...(monthly === undefined ? {} : { monthly: parseLimit(monthly) ?? null }),
  ...(daily === undefined ? {} : { daily: parseLimit(daily) ?? null }),
  ...(plan !== undefined && isPlan(plan) ? { plan } : {}),
  ...(spending_cap_usd === undefined ? {} : { spendingCapCents: parseCap(spending_cap_usd) ?? null }),
})

/** Changes the given limits and the plan, immediately and with their audit entry. A spending cap is set by an owner. */
export const setLimits = async (
  deps: Pick<Deps, 'billing' | 'ledger' | 'now'>,
  request: SetLimitsRequest__Output,
): Promise<Limits__Output> => {
  refuseAny(problemsOf(request))
  const { plan, ...limits } = changeOf(request)
  const { allowance } = await changeBilling(
    deps,
    request.workspace,
    (billing, moment) => {
      const limited = { ...billing, allowance: { ...billing.allowance, ...limits } }
      return plan === undefined ? limited : startPlan(limited, plan, moment)
    },
    { entryOf: limitsEntry(request, deps.now()) },
  )
  return limitsRecord(allowanceAt(allowance, deps.now()))
}

/** Returns the limits as the log has them: the cap in dollars, as the workspace's other settings. */
const limitsState = ({ spendingCapCents: cents, ...allowance }: Allowance) =>
  auditState(
    { ...allowance, spendingCapUsd: cents === null ? null : cents / 100 },
    { plan: true, monthly: true, daily: true, spendingCapUsd: true, pending: true, since: true },
  )

/** A gateway of release 0.1 names no owner. */
const actorOfCap = 'system'

const limitsEntry = (request: SetLimitsRequest__Output, at: number): EntryOf<Billing> => {
  const { workspace, client_address: clientAddress, actor = actorOfCap } = request
  const isByOperator = [request.plan, request.monthly, request.daily].some((given) => given !== undefined)
  const by = { ...(isByOperator ? byOperator(request.operator) : { actor }), at, clientAddress }
  const action = isByOperator ? 'workspace.limits' : 'workspace.update'
  return (before, after) => {
    const change = auditedChange(before.allowance, after.allowance, limitsState)
    return change && auditEntry(newId('aud'), by, { workspace, action, target: workspace, ...change })
  }
}
