/** The price of a plan and the sends it includes. One send is one recipient. */
export type Plan = {
  priceUsd: number
  /** Sends included per UTC month; null: no monthly limit. */
  monthly: number | null
  /** Sends allowed per UTC day; null: no daily limit. */
  daily: number | null
  /** The price of each started block of sends past `monthly`; null: sends past `monthly` are refused. */
  overage: { blockSends: number; blockUsd: number } | null
}

/** The plans of the specification, section 2.5, and `unlimited` for an operator's own use. */
export const plans = {
  free: { priceUsd: 0, monthly: 3_000, daily: 100, overage: null },
  pro: { priceUsd: 20, monthly: 50_000, daily: null, overage: { blockSends: 1_000, blockUsd: 1 } },
  unlimited: { priceUsd: 0, monthly: null, daily: null, overage: null },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

export const planNames = Object.keys(plans) as PlanName[]

/** A workspace's plan with the operator's overrides: `plan` = the plan's own limit, null = no limit. */
export type Allowance = {
  plan: PlanName
  monthly: number | null | 'plan'
  daily: number | null | 'plan'
  /** Largest overage that the owner pays for in a month; null: no cap. Sends past it are refused. */
  spendingCapUsd: number | null
}

/** The allowance of a workspace until one is set. */
export const newAllowance: Allowance = { plan: 'free', monthly: 'plan', daily: 'plan', spendingCapUsd: null }

/**
 * The stored form of an allowance. Processes of releases without the plan `unlimited` read it as `pro`, which also
 * refuses no send; they would fail on an unknown name.
 */
export type StoredAllowance = Omit<Allowance, 'plan'> & { plan: Exclude<PlanName, 'unlimited'>; unlimited?: boolean }

/** Returns the fields to store for a change of an allowance. */
export const storedChange = ({ plan, ...others }: Partial<Allowance>): Partial<StoredAllowance> => {
  if (plan === undefined) return others
  const isUnlimited = plan === 'unlimited'
  return { ...others, plan: isUnlimited ? 'pro' : plan, unlimited: isUnlimited }
}

/** Returns the allowance of its stored form. */
export const readAllowance = ({ unlimited = false, ...stored }: StoredAllowance): Allowance =>
  unlimited ? { ...stored, plan: 'unlimited' } : stored

/** `limit`: included sends. `most`: sends past which the ledger refuses; null: it never refuses. */
export type Limits = { monthly: { limit: number | null; most: number | null }; daily: { limit: number | null } }

/** Returns the limits that a plan and its overrides come to. */
export const limitsOf = (allowance: Allowance): Limits => {
  const { monthly, daily, overage }: Plan = plans[allowance.plan]
  const limit = allowance.monthly === 'plan' ? monthly : allowance.monthly
  return {
    monthly: { limit, most: limit === null ? null : mostOf(limit, overage, allowance.spendingCapUsd) },
    daily: { limit: allowance.daily === 'plan' ? daily : allowance.daily },
  }
}

const mostOf = (limit: number, overage: Plan['overage'], capUsd: number | null): number | null => {
  if (overage === null) return limit
  if (capUsd === null) return null
  return limit + Math.floor(capUsd / overage.blockUsd) * overage.blockSends
}

/** Returns the sends past the monthly limit and their price. */
export const overageOf = (plan: PlanName, limit: number | null, used: number) => {
  const { overage }: Plan = plans[plan]
  if (overage === null || limit === null || used <= limit) return { sends: 0, blocks: 0, amountUsd: 0 }
  const blocks = Math.ceil((used - limit) / overage.blockSends)
  return { sends: used - limit, blocks, amountUsd: blocks * overage.blockUsd }
}
