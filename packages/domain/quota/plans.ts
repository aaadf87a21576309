/** What a plan costs and how much of it may be sent; one send is one recipient. `overage` null: refused past the limit. */
export type Plan = {
  priceUsd: number
  /** Sends a UTC month. */
  monthly: number
  /** Sends a UTC day; null: no cap. */
  daily: number | null
  /** Past the monthly sends, each started block of so many costs so much. */
  overage: { blockSends: number; blockUsd: number } | null
}

/** The plans of the specification, section 2.5. */
export const plans = {
  free: { priceUsd: 0, monthly: 3_000, daily: 100, overage: null },
  pro: { priceUsd: 20, monthly: 50_000, daily: null, overage: { blockSends: 1_000, blockUsd: 1 } },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

export const planNames = Object.keys(plans) as PlanName[]

/** What was sent past the monthly sends, and what it costs. */
export const overageOf = (plan: PlanName, limit: number | null, used: number) => {
  const { overage }: Plan = plans[plan]
  if (overage === null || limit === null || used <= limit) return { sends: 0, blocks: 0, amountUsd: 0 }
  const blocks = Math.ceil((used - limit) / overage.blockSends)
  return { sends: used - limit, blocks, amountUsd: blocks * overage.blockUsd }
}
