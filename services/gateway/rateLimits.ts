import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Bucket, Verdict } from '@postrider/domain/rateLimit/gcra.ts'
import type { LimitClass } from '@postrider/kit/route.ts'
import { serializeList, serializeString } from 'structured-headers'

type Rate = { rate: number; burst: number }

export type RateLimits = { key: Record<LimitClass, Rate>; workspace: Rate }

/** The buckets a request takes from, by the name each has in the headers; none: the operator lifted the limit. */
export type NamedBucket = Bucket & { name: string }

/** The operator's rate, or the defaults with it: 0 stands for no limit. A rate alone brings a burst of twice its size. */
const overridden = ({ rate, burst }: Caller, fallback: Rate): Rate | null => {
  if (rate === 0 || burst === 0) return null
  if (rate === undefined) return burst === undefined ? fallback : { rate: fallback.rate, burst }
  return { rate, burst: burst ?? Math.max(1, Math.ceil(rate * 2)) }
}

/** A session counts as a key of its own. */
export const bucketsOf = (caller: Caller, limit: LimitClass, limits: RateLimits): NamedBucket[] => {
  const own = overridden(caller, limits.key[limit])
  const shared = overridden(caller, limits.workspace)
  if (!own || !shared) return []
  return [
    { name: limit, key: `${caller.workspace}/key:${caller.key_id || caller.user_id}:${limit}`, ...own },
    { name: 'workspace', key: `${caller.workspace}/workspace`, ...shared },
  ]
}

/** How long a whole burst takes to come back, in whole seconds. */
const windowSeconds = ({ rate, burst }: Rate): number => Math.max(1, Math.ceil(burst / rate))

/** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): each quota and its window. */
const policyHeader = (buckets: readonly NamedBucket[]): string =>
  serializeList(
    buckets.map((bucket) => [
      bucket.name,
      new Map([
        ['q', bucket.burst],
        ['w', windowSeconds(bucket)],
      ]),
    ]),
  )

/** `RateLimit`: the policy with the least left, what is left, and the seconds until it is whole again. */
export const standingHeader = (name: string, { remaining, resetMs }: Verdict): string => {
  const left = Math.max(0, Math.floor(remaining))
  return `${serializeString(name)};r=${left};t=${Math.max(0, Math.ceil(resetMs / 1_000))}`
}

/** Policies are few and their header is the same for every request under one: it is written once. */
export const makePolicyHeader = (mostKept = 1_000): ((buckets: readonly NamedBucket[]) => string) => {
  const written = new Map<string, string>()
  return (buckets) => {
    const policy = buckets.map(({ name, rate, burst }) => `${name} ${rate} ${burst}`).join()
    const known = written.get(policy)
    if (known !== undefined) return known
    if (written.size >= mostKept) written.clear()
    const header = policyHeader(buckets)
    written.set(policy, header)
    return header
  }
}
