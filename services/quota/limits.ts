import type { Limits__Output } from '@postrider/contracts/gen/postrider/quota/v1/Limits.ts'
import type { SetLimitsRequest__Output } from '@postrider/contracts/gen/postrider/quota/v1/SetLimitsRequest.ts'
import { type Allowance, type PlanName, plans } from '@postrider/domain/quota/plans.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { type Problem, refuseAny } from '@postrider/kit/fault.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'

const limitText = (limit: number | null | 'plan'): string => (limit === null ? 'none' : String(limit))

/** Returns the overrides of a workspace as the API writes them. */
export const limitsRecord = ({ monthly, daily }: Allowance): Limits__Output => ({
  monthly: limitText(monthly),
  daily: limitText(daily),
})

/** Far more sends than an installation makes, and far below the largest exact integer. */
const highestLimit = 1_000_000_000_000
const highestCapUsd = 1_000_000

/** @returns undefined: the text is not a limit */
const parseLimit = (text: string): number | null | 'plan' | undefined => {
  if (text === 'plan') return 'plan'
  if (text === 'none') return null
  const limit = /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN
  return limit <= highestLimit ? limit : undefined
}

/** @returns undefined: the text is not an amount */
const parseCap = (text: string): number | null | undefined => {
  if (text === 'none') return null
  const cap = /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN
  return cap <= highestCapUsd ? cap : undefined
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
          `Use an amount in US dollars with at most two decimals, from 0 to ${highestCapUsd}.`,
        ),
      ]
    : []),
]

/** Returns the given fields parsed. Call it only when there are no problems: then no field is undefined. */
const changeOf = ({ monthly, daily, plan, spending_cap_usd }: SetLimitsRequest__Output): Partial<Allowance> => ({
  ...(monthly === undefined ? {} : { monthly: parseLimit(monthly) ?? null }),
  ...(daily === undefined ? {} : { daily: parseLimit(daily) ?? null }),
  ...(plan !== undefined && isPlan(plan) ? { plan } : {}),
  ...(spending_cap_usd === undefined ? {} : { spendingCapUsd: parseCap(spending_cap_usd) ?? null }),
})

/**
 * Changes the given limits. Changes by the operator are recorded in the audit log here; a spending cap alone is set by
 * the owner, and the caller records that.
 */
export const setLimits = async (
  { ledger, now, audit }: { ledger: Pick<Ledger, 'setAllowance'>; now: Clock; audit: Audit | undefined },
  request: SetLimitsRequest__Output,
): Promise<Limits__Output> => {
  refuseAny(problemsOf(request))
  const change = changeOf(request)
  const allowance = await ledger.setAllowance(request.workspace, change)
  const { spendingCapUsd, ...byOperator } = change
  if (Object.keys(byOperator).length > 0)
    await audit?.record({
      workspace: request.workspace,
      at: now(),
      actor: 'operator',
      action: 'workspace.limits',
      target: '',
      detail: spendingCapUsd === undefined ? byOperator : { ...byOperator, spendingCapUsd },
    })
  return limitsRecord(allowance)
}
