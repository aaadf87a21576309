import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { connectRedis, type Redis } from '@postrider/adapters/redis/connect.ts'
import { redisLimiter } from '@postrider/adapters/redis/limiter.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { pino } from 'pino'

/** Opens a connection that does not log. */
export const quietRedis = (url: string): Promise<Redis> =>
  connectRedis({ url, name: 'contract', log: pino({ level: 'silent' }) })

/** Returns a prefix that no other test uses. `removeTestKeys` removes its keys. */
export const newPrefix = (): string => `test:${process.pid}:${randomBytes(6).toString('hex')}:`

/** Removes the keys of this process's tests. */
export const removeTestKeys = async ({ client }: Redis): Promise<void> => {
  for await (const keys of client.scanStream({ match: `test:${process.pid}:*`, count: 1_000 })) {
    if (keys.length > 0) await client.unlink(keys)
  }
}

/**
 * Creates one of several limiters that share the buckets of a prefix. Its deadline is long, and it throws if Redis does
 * not decide.
 */
export const limiterIn = (
  redis: Redis,
  prefix: string,
  clock: 'server' | 'caller' = 'server',
): Limiter & AsyncDisposable =>
  redisLimiter({
    redis,
    local: { take: () => Promise.reject(new Error('Redis did not decide')) },
    replicas: 1,
    onDegraded: () => {},
    log: pino({ level: 'silent' }),
    clock,
    prefix,
    replyMs: () => 10_000,
  })
