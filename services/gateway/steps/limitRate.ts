import type { Caller } from '@postrider/contracts/services.ts'
import { keyFamilyOf } from '@postrider/domain/accounts/apiKey.ts'
import type { RateBucket, Verdict } from '@postrider/domain/rateLimit/gcra.ts'
import { effectiveRate, type Rate } from '@postrider/domain/rateLimit/override.ts'
import { boundedMap } from '@postrider/kit/boundedMap.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { serializeList, serializeString } from 'structured-headers'
import type { LimitClass, RateLimits } from '../config.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'

/**
 * Takes one request from the buckets of the key and of the workspace and reports their state in headers. Every request
 * counts, even if it fails later.
 * @param cost 0: only decides; the request counts itself later, with `takeRate`
 * @throws Fault `rate_limited`
 */
export const limitRate = (limit: LimitClass, deps: RouteDeps, cost = 1): Step => {
  const take = takeRate(limit, deps)
  return async function limitRate(context, next) {
    await take(context, cost)
    return next()
  }
}

export type LimitDeps = Pick<RouteDeps, 'limiter' | 'elapsed' | 'config'>

/**
 * Returns a function that takes `cost` from the buckets of a request, if they admit a request that costs 1.
 * @throws Fault `rate_limited`
 */
export const takeRate = (limit: LimitClass, { limiter, elapsed, config }: LimitDeps) => {
  const policyHeader = makePolicyHeader()
  return async (context: Context, cost: number): Promise<void> => {
    const caller = context.state.identity?.caller
    const buckets = caller ? bucketsOf(caller, limit, config.limits.rates) : []
    if (buckets.length === 0) return
    const verdict = await limiter.take(buckets, cost, elapsed())
    const tightest = buckets.find(({ key }) => key === verdict.tightest.key) ?? buckets[0]
    context.res.setHeader('RateLimit-Policy', policyHeader(buckets))
    context.res.setHeader('RateLimit', stateHeader(tightest?.name ?? limit, verdict))
    if (verdict.admitted) return
    const detail = `${rateText(buckets, verdict)}; wait for the time in Retry-After.`
    throw new Fault('rate_limited', detail, { retryAfterMs: verdict.retryAfterMs })
  }
}

/** Returns the limit that a verdict is about, as a sentence without its end. */
export const rateText = (buckets: readonly NamedBucket[], { tightest: { key, rate, burst } }: Verdict): string => {
  const owner = buckets.find((bucket) => bucket.key === key)?.name === 'workspace' ? 'This workspace' : 'This key'
  return `${owner} may make ${rate} such requests per second and ${burst} in a burst`
}

/** A bucket with its name in the headers. */
type NamedBucket = RateBucket & { name: string }

/**
 * Returns the buckets that a request takes from; none: the operator lifted the limit. A session counts as one key, and
 * so do keys that replaced each other.
 */
export const bucketsOf = (caller: Caller, limit: LimitClass, limits: RateLimits): NamedBucket[] => {
  const own = effectiveRate(caller, limits.key[limit])
  const shared = effectiveRate(caller, limits.workspace)
  if (!own || !shared) return []
  return [
    { name: limit, key: `${caller.workspace}/key:${keyFamilyOf(caller) || caller.userId}:${limit}`, ...own },
    { name: 'workspace', key: `${caller.workspace}/workspace`, ...shared },
  ]
}

/** Seconds until a used-up burst is available again. */
const windowSeconds = ({ rate, burst }: Rate): number => Math.max(1, Math.ceil(burst / rate))

/** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): each quota and its window. */
const policyText = (buckets: readonly NamedBucket[]): string =>
  serializeList(
    buckets.map((bucket) => [
      bucket.name,
      new Map([
        ['q', bucket.burst],
        ['w', windowSeconds(bucket)],
      ]),
    ]),
  )

/** `RateLimit`: the policy with the least left, the requests left, and the seconds until it is full again. */
const stateHeader = (name: string, { remaining, resetMs }: Verdict): string => {
  const left = Math.max(0, Math.floor(remaining))
  return `${serializeString(name)};r=${left};t=${Math.max(0, Math.ceil(resetMs / 1_000))}`
}

const maxPolicies = 1_000

/** Policies are few, and each has the same header for every request, so the header is cached. */
const makePolicyHeader = (): ((buckets: readonly NamedBucket[]) => string) => {
  const headers = boundedMap<string>(maxPolicies)
  return (buckets) => {
    const policy = buckets.map(({ name, rate, burst }) => `${name} ${rate} ${burst}`).join()
    const known = headers.get(policy)
    if (known !== undefined) return known
    const header = policyText(buckets)
    headers.set(policy, header)
    return header
  }
}
