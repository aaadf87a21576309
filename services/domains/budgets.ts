import { domainBuckets } from '@postrider/domain/rateLimit/buckets.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'

/**
 * Limits of the cost of a workspace over time, next to the rate of its requests: one request can make an RSA key, which
 * needs some 60 ms of CPU time, or send a hundred queries to the DNS servers of a third party. Each process has its own
 * budgets.
 */
export type Budgets = {
  /** Counts a request that makes keys. @throws Fault `rate_limited` */
  takeKeys(workspace: string): Promise<void>
  /** Returns whether the workspace may have a check made immediately. */
  mayCheck(workspace: string): Promise<boolean>
  /** Counts the questions of a check. */
  countQuestions(workspace: string, questions: number): Promise<void>
}

type BudgetsOptions = {
  limiter: Pick<Limiter, 'take'>
  now: Clock
  /** Maximum number of domains of a workspace. */
  domains: number
}

export const budgets = ({ limiter, now, domains }: BudgetsOptions): Budgets => {
  const bucketsOf = (workspace: string) => domainBuckets(workspace, domains)
  return {
    takeKeys: async (workspace) => {
      const { admitted, retryAfterMs } = await limiter.take([bucketsOf(workspace).keys], 1, now())
      if (!admitted) throw tooManyFault(retryAfterMs)
    },
    mayCheck: async (workspace) => (await limiter.take([bucketsOf(workspace).questions], 0, now())).admitted,
    countQuestions: async (workspace, count) => {
      await limiter.take([bucketsOf(workspace).questions], count, now())
    },
  }
}

const tooManyFault = (retryAfterMs: number): Fault =>
  new Fault(
    'rate_limited',
    'Too many DKIM keys were created for this workspace; retry after the time in Retry-After.',
    {
      retryAfterMs,
    },
  )
