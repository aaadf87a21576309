import type { Bucket } from '@postrider/domain/rateLimit/gcra.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'

/**
 * What a workspace may cost over time, next to the rate of its requests: one request can make an RSA key, which needs some
 * 60 ms of CPU time, or ask the DNS servers of a stranger a hundred questions. Each process has budgets of its own.
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
  /** Most domains of a workspace. */
  domains: number
}

/** Questions of a domain whose records are all missing. */
const questionsOfCheck = 100
/** Enough to check each of 100 broken domains twice immediately, and then one of them each second. */
const leastDomains = 100

export const budgets = ({ limiter, now, domains }: BudgetsOptions): Budgets => {
  const most = Math.max(domains, leastDomains)
  const keys = (workspace: string): Bucket => ({ key: `domain-keys:${workspace}`, rate: 0.1, burst: 2 * most })
  const questions = (workspace: string): Bucket => ({
    key: `domain-questions:${workspace}`,
    rate: Math.max(most, questionsOfCheck),
    burst: 2 * most * questionsOfCheck,
  })
  return {
    takeKeys: async (workspace) => {
      const { admitted, retryAfterMs } = await limiter.take([keys(workspace)], 1, now())
      if (!admitted) throw tooMany(retryAfterMs)
    },
    mayCheck: async (workspace) => (await limiter.take([questions(workspace)], 0, now())).admitted,
    countQuestions: async (workspace, count) => {
      await limiter.take([questions(workspace)], count, now())
    },
  }
}

const tooMany = (retryAfterMs: number): Fault =>
  new Fault(
    'rate_limited',
    'Too many DKIM keys were created for this workspace; retry after the time in Retry-After.',
    {
      retryAfterMs,
    },
  )
