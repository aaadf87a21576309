import { capRule, maxCapCents } from '../billing/money.ts'
import type { Problem } from '../problem.ts'
import { type Override, type PlanName, planNames } from './plans.ts'
import { maxQuota } from './quota.ts'

/**
 * What the operator and an owner may set of a plan's limits. Paths are those of the API. An absent field stays as it
 * is.
 */
type LimitsRequest = {
  monthly?: Override
  daily?: Override
  plan?: string
  /** US cents; null: no cap. */
  spending_cap_cents?: number | null
}

/** Returns whether only the operator may make a change: an owner sets nothing but the spending cap. */
export const isOperatorsChange = ({ monthly, daily, plan }: LimitsRequest): boolean =>
  [monthly, daily, plan].some((given) => given !== undefined)

export const isPlanName = (text: string): text is PlanName => (planNames as string[]).includes(text)

const invalid = (path: string, message: string): Problem => ({ path, code: 'invalid_value', message })

/** Returns the problem of a name that is no plan. */
export const planProblems = (plan: string | undefined): Problem[] =>
  plan === undefined || isPlanName(plan) ? [] : [invalid('plan', `Must be one of ${planNames.join(', ')}.`)]

const isWhole = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max

const quotaProblems = (path: string, quota: Override = null): Problem[] =>
  typeof quota !== 'number' || isWhole(quota, maxQuota)
    ? []
    : [invalid(path, 'Use "plan", null or a whole number of sends.')]

/** Returns the problems of a change of limits. */
export const limitsProblems = ({ monthly, daily, plan, spending_cap_cents: cap = null }: LimitsRequest): Problem[] => [
  ...quotaProblems('limits.monthly', monthly),
  ...quotaProblems('limits.daily', daily),
  ...planProblems(plan),
  ...(cap === null || isWhole(cap, maxCapCents) ? [] : [invalid('spending_cap_usd', capRule)]),
]
