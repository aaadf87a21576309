/** The amounts of a run. `short` checks that the bench works, `full` measures. */
export type Plan = {
  pairs: number
  warmUp: number
  /** Messages at 1, 16 and 64 connections; afterwards their sum is delivered. */
  accept: readonly { connections: number; count: number }[]
  bothMs: number
}

/** `queued`: emails in the queue while memory and the start after a kill are measured. */
export type StandalonePlan = Plan & { queued: number }

/** `scaled`: emails in the queue that one, two and three dispatchers deliver. */
export type ClusterPlan = Plan & { scaled: number }

const accept = (at1: number, at16: number, at64: number): Plan['accept'] => [
  { connections: 1, count: at1 },
  { connections: 16, count: at16 },
  { connections: 64, count: at64 },
]

export const standalonePlans: Record<'short' | 'full', StandalonePlan> = {
  full: { pairs: 5, warmUp: 500, accept: accept(1_000, 5_000, 14_000), bothMs: 16_000, queued: 100_000 },
  short: { pairs: 1, warmUp: 300, accept: accept(300, 1_000, 2_700), bothMs: 4_000, queued: 10_000 },
}

export const clusterPlans: Record<'short' | 'full', ClusterPlan> = {
  full: { pairs: 3, warmUp: 2_000, accept: accept(300, 2_700, 7_000), bothMs: 16_000, scaled: 4_000 },
  short: { pairs: 1, warmUp: 1_000, accept: accept(100, 900, 3_000), bothMs: 5_000, scaled: 1_500 },
}
