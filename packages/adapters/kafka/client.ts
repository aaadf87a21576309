import type { Log } from '@postrider/kit/log.ts'
import { Kafka, type LogEntry, logLevel } from 'kafkajs'
import { quietTimers } from './quietTimers.ts'

export type KafkaAddress = {
  /** `host:port` of some of the brokers. */
  brokers: readonly string[]
  /** Client id: this process's name in the brokers' logs and quotas. */
  name: string
  /** With the certificates that Node trusts; in clear where not set. */
  tls?: boolean
  sasl?: KafkaLogin
}

type Mechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

/** One type for each mechanism, as the client has it. */
export type KafkaLogin = { [Name in Mechanism]: { mechanism: Name; username: string; password: string } }[Mechanism]

/** What the client says is for whoever hunts a fault in it; what an operator must know we say ourselves. */
const toDebug = (log: Log) => () => (entry: LogEntry) => {
  const { message, timestamp: _at, logger: _logger, ...more } = entry.log
  log.debug({ kafka: entry.namespace, ...more }, message)
}

/**
 * A Kafka client that opens nothing yet. Each consumer takes one of its own: consumers of one client share what they
 * know of committed offsets. Its retries are few and short, since whoever uses it makes it anew when they fail.
 */
export const kafkaClient = ({ brokers, name, tls = false, sasl, log }: KafkaAddress & { log: Log }): Kafka => {
  quietTimers()
  return new Kafka({
    brokers: [...brokers],
    clientId: name,
    ssl: tls,
    ...(sasl && { sasl }),
    connectionTimeout: 3_000,
    requestTimeout: 5_000,
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: log.isLevelEnabled('debug') ? logLevel.WARN : logLevel.NOTHING,
    logCreator: toDebug(log),
  })
}
