import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { connectRedis, type Redis } from '@postrider/adapters/redis/connect.ts'
import { redisLimiter } from '@postrider/adapters/redis/limiter.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { pino } from 'pino'

/** A connection whose log nobody reads. */
export const quietRedis = (url: string): Promise<Redis> =>
  connectRedis({ url, name: 'contract', log: pino({ level: 'silent' }) })

/** Its keys are removed by `sweep`. */
export const freshPrefix = (): string => `test:${process.pid}:${randomBytes(6).toString('hex')}:`

/** Removes what this process left behind. */
export const sweep = async ({ client }: Redis): Promise<void> => {
  for await (const keys of client.scanStream({ match: `test:${process.pid}:*`, count: 1_000 })) {
    if (keys.length > 0) await client.unlink(keys)
  }
}

/** One of the processes that share the buckets under a prefix. It is patient, and where Redis doesn't decide the test fails. */
export const limiterIn = (redis: Redis, prefix: string, clock: 'server' | 'given' = 'server'): Limiter & Disposable =>
  redisLimiter({
    redis,
    local: { take: () => Promise.reject(new Error('Redis didn’t decide')) },
    replicas: 1,
    degraded: () => {},
    log: pino({ level: 'silent' }),
    clock,
    prefix,
    answerMs: 10_000,
  })
