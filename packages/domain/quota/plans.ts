import { centsOf } from '../billing/money.ts'

/** The price of a plan and the sends it includes. One send is one recipient. */
export type Plan = {
  /** Name as people read it. */
  name: string
  /** Price of a month in US cents. */
  priceCents: number
  /** Sends included per UTC month; null: no monthly limit. */
  monthly: number | null
  /** Sends allowed per UTC day; null: no daily limit. */
  daily: number | null
  /** The price of each started block of sends past `monthly`; null: sends past `monthly` are refused. */
  overage: { blockSends: number; blockCents: number } | null
}

/**
 * The plans of the specification, section 2.5, and `unlimited` for an operator's own use. The order is that of
 * upgrades: a change to a later plan is an upgrade, a change to an earlier one a downgrade.
 */
export const plans = {
  free: { name: 'Free', priceCents: 0, monthly: 3_000, daily: 100, overage: null },
  pro: {
    name: 'Pro',
    priceCents: 2_000,
    monthly: 50_000,
    daily: null,
    overage: { blockSends: 1_000, blockCents: 100 },
  },
  unlimited: { name: 'Unlimited', priceCents: 0, monthly: null, daily: null, overage: null },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

export const planNames = Object.keys(plans) as PlanName[]

/** The plans that an owner can choose; `unlimited` is set by the operator only. */
export const offeredPlans = ['free', 'pro'] as const satisfies readonly PlanName[]

/** Returns whether a change from one plan to another is an upgrade. */
export const isUpgrade = (from: PlanName, to: PlanName): boolean => planNames.indexOf(to) > planNames.indexOf(from)

/** An operator's limit: a number, null for no limit, `plan` for the plan's own. */
export type Override = number | null | 'plan'

/** A workspace's plan with the operator's overrides. */
export type Allowance = {
  plan: PlanName
  monthly: Override
  daily: Override
  /** Maximum overage in US cents that the owner pays for in a month; null: no cap. Sends past it are refused. */
  spendingCapCents: number | null
  /** The plan that replaces `plan` from a time on, the start of a month; null or absent: none. */
  pending?: { plan: PlanName; at: number } | null
  /** When the workspace began with a plan that has a price; absent: it was not recorded. */
  since?: number
}

/** Returns the allowance that is in effect at a time. */
export const allowanceAt = (allowance: Allowance, at: number): Allowance => {
  const { pending } = allowance
  return !pending || at < pending.at ? allowance : { ...allowance, plan: pending.plan, pending: null }
}

/** The allowance of a workspace until one is set. */
export const newAllowance: Allowance = { plan: 'free', monthly: 'plan', daily: 'plan', spendingCapCents: null }

/**
 * The stored form of an allowance. Processes of releases without the plan `unlimited` read it as `pro`, which also
 * refuses no send; they would fail on an unknown name.
 */
export type StoredAllowance = Omit<Allowance, 'plan' | 'spendingCapCents'> & {
  plan: Exclude<PlanName, 'unlimited'>
  unlimited?: boolean
  /** Dollars with at most two decimals, as release 0.1 stores it. */
  spendingCapUsd: number | null
}

/** Returns the fields to store for a change of an allowance. */
export const storedChange = ({
  plan,
  spendingCapCents: cents,
  ...others
}: Partial<Allowance>): Partial<StoredAllowance> => {
  const changed = { ...others, ...(cents === undefined ? {} : { spendingCapUsd: cents === null ? null : cents / 100 }) }
  if (plan === undefined) return changed
  const isUnlimited = plan === 'unlimited'
  return { ...changed, plan: isUnlimited ? 'pro' : plan, unlimited: isUnlimited }
}

/** Returns the allowance of its stored form. */
export const readAllowance = ({ unlimited = false, spendingCapUsd: usd, ...stored }: StoredAllowance): Allowance => ({
  ...stored,
  plan: unlimited ? 'unlimited' : stored.plan,
  spendingCapCents: usd === null ? null : centsOf(usd),
})

/**
 * Returns the stored plan of every allowance whose effective plan is `plan`, so that a store finds them; null: there is
 * none. The free plan is also that of workspaces without an allowance, and of those whose downgrade took effect and is
 * not stored yet.
 */
export const storedPlanOf = (plan: PlanName): StoredAllowance['plan'] | null => (plan === 'free' ? null : 'pro')

/** Returns whether a workspace with this plan is due for billing: its plan may have a price. */
export const isBilled = (plan: PlanName): boolean => storedPlanOf(plan) !== null

/** The stored plans of workspaces that are due for billing, so that a store finds them. */
export const billedStoredPlans: readonly StoredAllowance['plan'][] = [
  ...new Set(planNames.map(storedPlanOf).filter((plan) => plan !== null)),
]

/** `limit`: included sends. `max`: sends past which the ledger refuses; null: it never refuses. */
export type Limits = { monthly: { limit: number | null; max: number | null }; daily: { limit: number | null } }

/**
 * Returns the limits that result from a plan and its overrides.
 * @param allowance of the time in question: `allowanceAt`
 */
export const limitsOf = (allowance: Allowance): Limits => {
  const { monthly, daily, overage }: Plan = plans[allowance.plan]
  const limit = allowance.monthly === 'plan' ? monthly : allowance.monthly
  return {
    monthly: { limit, max: maxSendsOf(limit, overage, allowance.spendingCapCents) },
    daily: { limit: allowance.daily === 'plan' ? daily : allowance.daily },
  }
}

/**
 * Returns the sends of a month past which the ledger refuses; null: it never refuses.
 * @param limit the monthly limit
 */
export const maxSendsOf = (limit: number | null, overage: Plan['overage'], capCents: number | null): number | null => {
  if (limit === null || overage === null) return limit
  if (capCents === null) return null
  return limit + Math.floor(capCents / overage.blockCents) * overage.blockSends
}

/** Returns whether a month of this allowance can have sends whose price the spending cap limits. */
export const isCapped = ({ plan, spendingCapCents }: Allowance): boolean =>
  spendingCapCents !== null && plans[plan].overage !== null

/** Returns the sends past the monthly limit, the started blocks of them, and their price in US cents. */
export const overageOf = (overage: Plan['overage'], limit: number | null, used: number) => {
  if (overage === null || limit === null || used <= limit) return { sends: 0, blocks: 0, amountCents: 0 }
  const blocks = Math.ceil((used - limit) / overage.blockSends)
  return { sends: used - limit, blocks, amountCents: blocks * overage.blockCents }
}
