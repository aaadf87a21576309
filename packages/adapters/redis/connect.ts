import { Fault } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { Redis as Client } from 'ioredis'

export type Redis = AsyncDisposable & {
  client: Client
  /** @throws Fault `unavailable`: it doesn't answer */
  ping(): Promise<void>
}

/** A server that hangs or is cut off is left within a second or two, and asked again at least every second. */
const [connectMs, silenceMs, mostPauseMs, closeMs] = [1_000, 2_000, 1_000, 200]

/**
 * Rejects when there is no answer in time. Answers that came while this process itself was busy are read first: a stall
 * of ours says nothing about the server.
 */
export const answeredWithin = <T>(ms: number, asked: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${ms} ms`))
    const timer = setTimeout(() => setImmediate(late), ms)
    asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** A connection lost and one that comes back are each told once, however often it is tried in between. */
const tellChanges = (client: Client, log: Pick<Log, 'info' | 'warn'>): void => {
  let told: string | null = null
  client.on('error', (error: NodeJS.ErrnoException) => {
    // Where a name has several addresses, what they have in common is the code alone.
    const reason = error.message || (error.code ?? error.name)
    if (reason === told) return
    told = reason
    log.warn({ reason }, 'redis.away: tried again until it answers')
  })
  client.on('ready', () => {
    told = null
    log.info('redis.connected')
  })
}

/**
 * Opens a connection that is made anew whenever it breaks, and returns once the first try has ended, well or not: nothing
 * of ours needs Redis to start. What is asked while it is away is refused at once; what was under way when it broke is
 * refused too and never repeated, since it may have been done.
 * @param url `redis://` or `rediss://` (TLS), with user and password where the server wants them
 * @param name of the process, as the server lists it
 */
export const connectRedis = async ({
  url,
  name,
  log,
}: {
  url: string
  name: string
  log: Pick<Log, 'info' | 'warn'>
}): Promise<Redis> => {
  const client = new Client(url, {
    connectionName: name,
    lazyConnect: true,
    connectTimeout: connectMs,
    socketTimeout: silenceMs,
    disconnectTimeout: closeMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    maxLoadingRetryTime: mostPauseMs,
    retryStrategy: (times) => Math.min(50 * 2 ** times, mostPauseMs),
    // After a failover the name leads to another server.
    reconnectOnError: (error) => error.message.includes('READONLY'),
  })
  tellChanges(client, log)
  await client.connect().catch(() => {})
  const ping = async () => {
    try {
      await answeredWithin(connectMs, client.ping())
    } catch (thrown) {
      throw new Fault('unavailable', 'Redis doesn’t answer.', { retryAfterMs: mostPauseMs, cause: thrown })
    }
  }
  return { client, ping, [Symbol.asyncDispose]: async () => client.disconnect() }
}
