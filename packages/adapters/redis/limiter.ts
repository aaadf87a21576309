import {
  gcra,
  microseconds,
  type RateBucket,
  shareOfBucket,
  verdictOnShares,
} from '@postrider/domain/rateLimit/gcra.ts'
import type { Log } from '@postrider/kit/log.ts'
import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'
import type { ProcessParts } from '@postrider/kit/openProcess.ts'
import type { Readiness } from '@postrider/kit/readiness.ts'
import { inSpan, type SpanOptions } from '@postrider/kit/trace.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { memoryLimiter } from '../memory/limiter.ts'
import { breaker } from './breaker.ts'
import { connectRedis, type Redis, repliedWithin } from './connect.ts'
import { joinedWrites } from './joinedWrites.ts'
import { takeDebts } from './takeScript.ts'

/** Declares the metrics of the Redis limiter. */
export const limiterMetrics = (registry: MetricRegistry) => ({
  limiterDegraded: metricsIn(registry).gauge({
    name: 'postrider_rate_limiter_degraded',
    help: '1: Redis does not respond; this process applies its share of each rate limit',
  }),
  limiterLocal: metricsIn(registry).counter({
    name: 'postrider_rate_limiter_local_total',
    help: 'Requests that this process limited by its share because Redis did not respond in time',
  }),
})

export type OpenLimiterOptions = Omit<ProcessParts, 'readiness'> & {
  config: { REDIS_URL: string; POSTRIDER_REPLICAS: number }
  /** Shows in its health whether Redis works. Requests come also without it. */
  readiness?: Pick<Readiness, 'watches'>
}

/** Opens the rate limiter that all replicas share. A process starts without Redis too, in degraded mode. */
export const openLimiter = async (options: OpenLimiterOptions): Promise<Limiter> => {
  const { open, name, config, metrics, log, readiness } = options
  const redis = open.use(await connectRedis({ url: config.REDIS_URL, name, log }))
  const { limiterDegraded, limiterLocal } = limiterMetrics(metrics.registry)
  const onDegraded = (is: boolean): void => limiterDegraded.set(is ? 1 : 0)
  const onLocal = (): void => limiterLocal.inc()
  const replicas = config.POSTRIDER_REPLICAS
  const local = memoryLimiter({ elapsed: performance.now.bind(performance) })
  const limiter = open.use(redisLimiter({ redis, local, replicas, onDegraded, onLocal, log }))
  readiness?.watches('redis', limiter.check)
  return limiter
}

/** `check` fails while Redis does not admit requests, as for a read-only server. */
export type RedisLimiter = Limiter & AsyncDisposable & { check(): Promise<void> }

export type RedisLimiterOptions = {
  redis: Pick<Redis, 'client'>
  /** Decides in degraded mode. */
  local: Limiter
  /** Number of processes that share the buckets. */
  replicas: number
  /** Called with true when degraded mode begins, and with false when it ends. */
  onDegraded: (is: boolean) => void
  /** Called when `local` decides a call, in degraded mode or because one response was late. */
  onLocal?: () => void
  log: Pick<Log, 'info' | 'warn'>
  /** `caller`: time is the `now` of each call, for tests. */
  clock?: 'server' | 'caller'
  /** Prefix of all keys. */
  prefix?: string
  /** Returns the maximum wait for one response. */
  replyMs?: () => number
  /** Time between two probes in degraded mode. */
  probeEveryMs?: number
}

/**
 * Creates the limiter on Redis: GCRA for all replicas together, by the server's clock.
 *
 * Degraded mode: if Redis does not respond in time, `local` decides the call with this replica's share of each rate and
 * burst, so nothing is admitted without a limit, logins and sign-ups included. After three failures in a row no call
 * waits for Redis, until a probe succeeds. A change between the modes admits at most one additional burst, and so does
 * a Redis that lost its keys, since a bucket without a key is full.
 */
export const redisLimiter = ({
  redis,
  local,
  replicas,
  onDegraded,
  onLocal = () => {},
  log,
  clock = 'server',
  prefix = 'postrider:limit:',
  replyMs = () => defaultReplyMs,
  probeEveryMs = 1_000,
}: RedisLimiterOptions): RedisLimiter => {
  const joinWrites = joinedWrites(log)
  const take = async (
    buckets: readonly RateBucket[],
    cost: number,
    now: number,
    maxMs = replyMs(),
  ): Promise<number[]> => {
    if (redis.client.status !== 'ready') throw new Error('not connected')
    const keys = buckets.map(({ key }) => redisKey(prefix, key))
    const time = clock === 'caller' ? Math.floor(now * microseconds) : null
    joinWrites(redis.client)
    return repliedWithin(maxMs, takeDebts(redis.client, { keys, buckets, cost, time }))
  }

  const redisBreaker = breaker({
    // A write, so that a read-only server does not pass.
    probe: () => take([probed], 1, 0),
    probeEveryMs,
    onChange: (reason) => {
      onDegraded(reason !== null)
      if (reason === null) log.info('limiter.restored')
      else log.warn({ reason }, 'limiter.degraded')
    },
  })

  return {
    take: async (buckets, cost, now) => {
      const debts = await redisBreaker.run(() => inSpan(span, () => take(buckets, cost, now)))
      if (debts !== null) return gcra(buckets, debts, cost).verdict
      onLocal()
      const shares = buckets.map((bucket) => shareOfBucket(bucket, replicas))
      return verdictOnShares(buckets, await local.take(shares, cost, now))
    },
    check: async () => {
      await take([probed], 1, 0, checkMs)
    },
    [Symbol.asyncDispose]: redisBreaker[Symbol.asyncDispose],
  }
}

const defaultReplyMs = 50

const probed: RateBucket = { key: 'probe', rate: 1_000, burst: 1_000 }

/** Maximum wait of a check, which is shown to a person: a late response is not yet a server that does not work. */
const checkMs = 900

const span: SpanOptions = {
  name: 'EVALSHA',
  kind: 'client',
  attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA' },
}

/**
 * Returns the key in Redis. In a Redis cluster the braces place a tenant's buckets on one server, as a script requires.
 */
const redisKey = (prefix: string, key: string): string => {
  const slash = key.indexOf('/')
  return slash < 0 ? `${prefix}{${key}}` : `${prefix}{${key.slice(0, slash)}}${key.slice(slash)}`
}
