import { Fault } from '@postrider/kit/fault.ts'
import type { LimitClass } from '@postrider/kit/route.ts'
import type { Step } from '../context.ts'
import type { RouteDeps } from '../deps.ts'
import { bucketsOf, makePolicyHeader, standingHeader } from '../rateLimits.ts'

/**
 * Takes one request from the key's bucket and the workspace's, and tells in headers where they stand. Whatever becomes of
 * the request, it counts.
 * @throws Fault `rate_limited`
 */
export const limitRate = (limit: LimitClass, { limiter, now, config }: RouteDeps): Step => {
  const policyHeader = makePolicyHeader()
  return async function limitRate(context, next) {
    const caller = context.state.asker?.caller
    const buckets = caller ? bucketsOf(caller, limit, config.limits.rates) : []
    if (buckets.length === 0) return next()
    const verdict = await limiter.take(buckets, 1, now())
    const tightest = buckets.find(({ key }) => key === verdict.tightest.key) ?? buckets[0]
    context.res.setHeader('RateLimit-Policy', policyHeader(buckets))
    context.res.setHeader('RateLimit', standingHeader(tightest?.name ?? limit, verdict))
    if (verdict.admitted) return next()
    const { rate, burst } = verdict.tightest
    const whose = tightest?.name === 'workspace' ? 'This workspace' : 'This key'
    const detail = `${whose} may make ${rate} such requests a second, ${burst} at once; wait as Retry-After says.`
    throw new Fault('rate_limited', detail, { retryAfterMs: verdict.retryAfterMs })
  }
}
