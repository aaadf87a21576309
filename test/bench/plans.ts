import type { Plan } from './measure.ts'

/** `queued`: mails that wait while memory and the start after a kill are measured. */
export type StandalonePlan = Plan & { queued: number }

/** `scaled`: mails in the queue that one, two and three dispatchers deliver. */
export type ClusterPlan = Plan & { scaled: number }

type Sizes<One> = Record<'short' | 'full', One>

export const plans: Sizes<StandalonePlan> = {
  full: {
    pairs: 5,
    warmUp: 500,
    accept: [
      { connections: 1, count: 1_000 },
      { connections: 16, count: 5_000 },
      { connections: 64, count: 14_000 },
    ],
    bothMs: 16_000,
    queued: 100_000,
  },
  short: {
    pairs: 1,
    warmUp: 300,
    accept: [
      { connections: 1, count: 300 },
      { connections: 16, count: 1_000 },
      { connections: 64, count: 2_700 },
    ],
    bothMs: 4_000,
    queued: 10_000,
  },
}

export const clusterPlans: Sizes<ClusterPlan> = {
  full: {
    pairs: 3,
    warmUp: 2_000,
    accept: [
      { connections: 1, count: 300 },
      { connections: 16, count: 2_700 },
      { connections: 64, count: 7_000 },
    ],
    bothMs: 16_000,
    scaled: 4_000,
  },
  short: {
    pairs: 1,
    warmUp: 1_000,
    accept: [
      { connections: 1, count: 100 },
      { connections: 16, count: 900 },
      { connections: 64, count: 3_000 },
    ],
    bothMs: 5_000,
    scaled: 1_500,
  },
}
