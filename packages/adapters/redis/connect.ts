import { outageLog } from '@postrider/kit/failureLog.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { backoffMs, backoffs } from '@postrider/kit/retry.ts'
import { Redis as Client } from 'ioredis'

export type Redis = AsyncDisposable & {
  client: Client
  /** @throws Fault `unavailable`: Redis does not respond */
  ping(): Promise<void>
}

/** A connection to a server that hangs or is cut off is closed after 2 s; it is tried again at least every second. */
const [connectMs, silenceMs, closeMs, maxPauseMs] = [1_000, 2_000, 200, 1_000]

export type ConnectRedisOptions = {
  /** `redis://` or `rediss://` (TLS), with user and password if the server requires them. */
  url: string
  /** Name of the process, as the server lists it. */
  name: string
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Opens a connection that reconnects whenever it is lost. Returns after the first try, even if it failed: no process
 * needs Redis to start. Commands fail immediately while there is no connection. Commands in flight when it is lost fail
 * too and are not repeated, since the server may have run them.
 */
export const connectRedis = async ({ url, name, log }: ConnectRedisOptions): Promise<Redis> => {
  const client = new Client(url, {
    connectionName: name,
    lazyConnect: true,
    connectTimeout: connectMs,
    socketTimeout: silenceMs,
    disconnectTimeout: closeMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    maxLoadingRetryTime: maxPauseMs,
    retryStrategy: (failures) => backoffMs(backoffs.redis, failures, Math.random),
    // After a failover the name resolves to another server.
    reconnectOnError: (error) => error.message.includes('READONLY'),
  })
  logOutages(client, log)
  await client.connect().catch(() => {})
  const ping = async () => {
    try {
      await repliedWithin(connectMs, client.ping())
    } catch (thrown) {
      throw new Fault('unavailable', 'Redis does not respond; try again in a second.', {
        retryAfterMs: maxPauseMs,
        cause: thrown,
      })
    }
  }
  return { client, ping, [Symbol.asyncDispose]: async () => client.disconnect() }
}

/** Equal parts of a limit of time. */
const parts = 5

/**
 * Rejects if there is no response in time. The time is counted in parts, and after each of them this process reads what
 * has arrived: a stall of this process, or of the whole machine, counts as one part and not against the server.
 */
export const repliedWithin = <T>(ms: number, response: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const onTimeout = () => reject(new Error(`no response within ${ms} ms`))
    let left = parts
    const next = (): NodeJS.Timeout => setTimeout(onPart, ms / parts)
    const onPart = (): void => {
      left -= 1
      if (left > 0) timer = next()
      else setImmediate(onTimeout)
    }
    let timer = next()
    response.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const logOutages = (client: Client, log: Pick<Log, 'info' | 'warn'>): void => {
  const outage = outageLog(log, { failed: 'redis.away', reasonField: 'reason' })
  client.on('error', ({ message, code, name }: NodeJS.ErrnoException) => {
    // For a name with several addresses the error has no message, only a code.
    outage.failed(message || (code ?? name))
  })
  client.on('ready', () => {
    outage.recovered()
    log.info('redis.connected')
  })
}
