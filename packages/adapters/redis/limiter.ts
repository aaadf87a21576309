import type { Bucket, Verdict } from '@postrider/domain/rateLimit/gcra.ts'
import { judge, microseconds } from '@postrider/domain/rateLimit/gcra.ts'
import type { Log } from '@postrider/kit/log.ts'
import { inSpan, type SpanOptions } from '@postrider/kit/trace.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { breaker } from './breaker.ts'
import { answeredWithin, type Redis } from './connect.ts'
import { takeOf } from './takeScript.ts'

/** In a cluster of Redis servers the braces keep a tenant's buckets on one of them, as one script needs. */
const redisKey = (prefix: string, key: string): string => {
  const slash = key.indexOf('/')
  return slash < 0 ? `${prefix}{${key}}` : `${prefix}{${key.slice(0, slash)}}${key.slice(slash)}`
}

/** What one of several replicas may admit by itself. One at once is the least, so together they may admit one each. */
const shareOf = ({ key, rate, burst }: Bucket, replicas: number): Bucket => ({
  key,
  rate: rate / replicas,
  burst: Math.max(1, Math.floor(burst / replicas)),
})

/** The local limiter's verdict, told of the buckets as the caller knows them. */
const takeShare = async (
  { local, replicas }: { local: Limiter; replicas: number },
  ...[buckets, cost, now]: Parameters<Limiter['take']>
): Promise<Verdict> => {
  const shares = buckets.map((bucket) => shareOf(bucket, replicas))
  const verdict = await local.take(shares, cost, now)
  return { ...verdict, tightest: buckets.find(({ key }) => key === verdict.tightest.key) ?? verdict.tightest }
}

const span: SpanOptions = {
  name: 'EVALSHA',
  kind: 'client',
  attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA' },
}

/**
 * GCRA in Redis, for all replicas together, by the server's clock.
 *
 * While Redis fails, hangs or is away, `local` decides with this replica's share of every rate and burst: nothing is ever
 * admitted without a limit, log-ins and sign-ups neither. What a change between the two gives away is a burst at most, as
 * does a Redis that lost its keys: their buckets are full.
 *
 * @param replicas how many processes share these buckets
 * @param degraded told true when the local limiter takes over, false when Redis decides again
 * @param clock `given`: time is the `now` of each take, as tests need
 * @param prefix of all keys
 * @param answerMs longest wait for one answer
 * @param probeEveryMs how often Redis is tried while the local limiter decides
 */
export const redisLimiter = ({
  redis,
  local,
  replicas,
  degraded,
  log,
  clock = 'server',
  prefix = 'postrider:limit:',
  answerMs = 50,
  probeEveryMs = 1_000,
}: {
  redis: Pick<Redis, 'client'>
  local: Limiter
  replicas: number
  degraded: (is: boolean) => void
  log: Pick<Log, 'info' | 'warn'>
  clock?: 'server' | 'given'
  prefix?: string
  answerMs?: number
  probeEveryMs?: number
}): Limiter & Disposable => {
  const askRedis = async (buckets: readonly Bucket[], cost: number, now: number): Promise<number[]> => {
    if (redis.client.status !== 'ready') throw new Error('there is no connection')
    const keys = buckets.map(({ key }) => redisKey(prefix, key))
    const time = clock === 'given' ? Math.floor(now * microseconds) : null
    return answeredWithin(answerMs, takeOf(redis.client, { keys, buckets, cost, time }))
  }

  const changed = (reason: string | null): void => {
    degraded(reason !== null)
    if (reason === null) log.info('limiter.restored: Redis decides again')
    else log.warn({ reason }, 'limiter.degraded: this process limits by itself, with its share of the rates')
  }

  // It writes, so a server that may only be read is no answer.
  const probe = () => askRedis([{ key: 'probe', rate: 1_000, burst: 1_000 }], 1, 0)
  const guard = breaker({ probe, probeEveryMs, changed })

  return {
    take: async (buckets, cost, now) => {
      const debts = await guard.ask(() => inSpan(span, () => askRedis(buckets, cost, now)))
      if (debts === null) return takeShare({ local, replicas }, buckets, cost, now)
      return judge(buckets, debts, cost).verdict
    },
    [Symbol.dispose]: guard[Symbol.dispose],
  }
}
