import type { Log } from '@postrider/kit/log.ts'
import type { Try } from '@postrider/kit/retry.ts'
import { layersOf } from '@postrider/kit/rootCause.ts'
import { Kafka, type LogEntry, logLevel } from 'kafkajs'
import { quietIdleTimers } from './idleTimers.ts'

export type KafkaAddress = {
  /** `host:port` of some of the brokers. */
  brokers: readonly string[]
  /** Client id: the name of this process in the logs and quotas of the brokers. */
  name: string
  /** Connects over TLS with the certificate authorities that Node trusts. */
  tls?: boolean
  sasl?: KafkaLogin
}

type Mechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

/** One type for each mechanism, as kafkajs declares it. */
export type KafkaLogin = { [Name in Mechanism]: { mechanism: Name; username: string; password: string } }[Mechanism]

/** Environment variables of `kafka` in kit/backendSettings.ts. */
export type KafkaConfig = {
  KAFKA_BROKERS: readonly string[]
  KAFKA_TLS: 'on' | 'off'
  KAFKA_SASL?: Mechanism | undefined
  KAFKA_USERNAME?: string | undefined
  KAFKA_PASSWORD?: string | undefined
  KAFKA_TOPIC_PREFIX: string
  KAFKA_PARTITIONS: number
  KAFKA_REPLICATION: number
}

/** @param name of the process */
export const addressOf = (name: string, config: KafkaConfig): KafkaAddress => {
  const { KAFKA_SASL: mechanism, KAFKA_USERNAME: username = '', KAFKA_PASSWORD: password = '' } = config
  return {
    brokers: config.KAFKA_BROKERS,
    tls: config.KAFKA_TLS === 'on',
    ...(mechanism && { sasl: { mechanism, username, password } }),
    name,
  }
}

/** Logs the lines of kafkajs at level debug: this adapter logs what is relevant to operators. */
const toDebug = (log: Log) => () => (entry: LogEntry) => {
  const { message, timestamp: _at, logger: _logger, ...more } = entry.log
  log.debug({ kafka: entry.namespace, ...more }, message)
}

/**
 * Patches kafkajs and returns a function that makes clients. A process calls this once, so that a patch that does not
 * fit is logged once. A client has not connected yet. Each consumer needs a client of its own, because consumers of one
 * client share their view of committed offsets. It retries little: producers and consumers are replaced when they fail.
 */
export const kafkaClients = (
  { brokers, name, tls = false, sasl, log }: KafkaAddress & { log: Log },
  patch: (log: Log) => unknown = quietIdleTimers,
): (() => Kafka) => {
  patch(log)
  return () =>
    new Kafka({
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

/** Returns whether a try failed with a type of error of the Kafka protocol, however kafkajs wraps it. */
export const failedWith = (ended: Try<unknown>, type: string): boolean =>
  'error' in ended && layersOf(ended.error).some((layer) => 'type' in layer && layer.type === type)
