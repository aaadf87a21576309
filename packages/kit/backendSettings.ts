import { listParts } from '@postrider/domain/network.ts'
import { z } from 'zod'
import { addresses, allOrNone, choice, count } from './settings.ts'

/* Environment variables for the back ends of a cluster: MongoDB, Redis and Kafka. */

/** Explanation of how credentials are written in a URL. */
export const loginEncoding = "write '#', '/', '?', '@' and '%' in user and password as %23, %2F, %3F, %40 and %25"

/** A URL whose parts a driver reads as the operator meant them. A part of a password would otherwise become a host. */
const urlOf = (schemes: readonly string[], isValid: (text: string) => boolean, example: string) =>
  z
    .string(`must be set, such as ${example}`)
    .trim()
    .superRefine((text, context) => {
      if (!schemes.some((scheme) => text.startsWith(scheme))) context.addIssue(`must be such as ${example}`)
      else if (!isValid(text)) context.addIssue(`must be such as ${example}; ${loginEncoding}`)
    })

const decodable = (text: string): boolean => !/%(?![\da-f]{2})/i.test(text) && URL.canParse(`a://b/${text}`)

const hostName = /^(?:[\w.-]*|\[[\da-f:.]+\])$/i

const isRedisUrl = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.hash !== '' || !hostName.test(url.hostname) || !/^(\/\d*)?$/.test(url.pathname)) return false
  const hasLogin = url.username !== '' || url.password !== ''
  return decodable(url.username) && decodable(url.password) && (hasLogin || !url.search.includes('@'))
}

/**
 * Parts of a connection string (https://www.mongodb.com/docs/manual/reference/connection-string/); a host may be the
 * encoded path of a socket.
 */
const mongoParts =
  /^(?<scheme>[^:]+):\/\/(?:(?<login>[^@/?#[\]]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<database>[^@/?#\\"$*<>:|]*))?(?:\?(?<query>[^#]*))?$/
const mongoHost = /^(?:[\w.%-]+|\[[\da-f:.]+\])(?::(?<port>[1-9]\d{0,4}))?$/i

/**
 * The driver refuses a port above 65535, and with `mongodb+srv`, whose ports are in DNS, any port and more than one
 * host.
 */
const areMongoHosts = (hosts: readonly string[], scheme: string): boolean => {
  const found = hosts.map((host) => mongoHost.exec(host))
  const isSrv = scheme === 'mongodb+srv'
  return (
    found.every((host) => host !== null && Number(host.groups?.['port'] ?? 1) <= 65_535) &&
    !(isSrv && (hosts.length > 1 || found.some((host) => host?.groups?.['port'] !== undefined)))
  )
}

const isMongoUrl = (text: string): boolean => {
  const { scheme = '', login, hosts = '', database = '', query = '' } = mongoParts.exec(text)?.groups ?? {}
  const isLogin = login === undefined ? !query.includes('@') : /^[^:]+(:[^:]*)?$/.test(login) && decodable(login)
  return isLogin && decodable(database) && areMongoHosts(hosts.split(','), scheme)
}

export const mongo = {
  MONGODB_URL: urlOf(
    ['mongodb://', 'mongodb+srv://'],
    isMongoUrl,
    'mongodb://user:password@host:27017/postrider',
  ).describe('MongoDB: mongodb://… or mongodb+srv://…; the database is the one in the URL, or postrider.'),
  POSTRIDER_INSTALLATION: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)?$/, 'must be a name of letters, digits, dots and hyphens, such as mail/postrider')
    .optional()
    .describe(
      'Name of the installation, which the database records; the chart sets it to namespace/release. A process with another name exits at start. Unset: no check.',
    ),
  POSTRIDER_INSTALLATION_TAKE_OVER: z
    .enum(['on', 'off'], 'must be on or off')
    .default('off')
    .describe('Whether this installation takes over a database that belongs to another one, as after a restore.'),
}

export const redis = {
  REDIS_URL: urlOf(['redis://', 'rediss://'], isRedisUrl, 'redis://:password@host:6379').describe(
    'Redis for rate limits: redis://… or rediss://….',
  ),
  POSTRIDER_REPLICAS: count('processes', 2).describe(
    'Number of replicas of this service; while Redis is unavailable each applies its share of every rate limit.',
  ),
}

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

export const kafka = {
  KAFKA_BROKERS: addresses('kafka:9092').transform(listParts).describe('Kafka brokers: host:port, comma-separated.'),
  KAFKA_TLS: choice(['on', 'off']).default('off').describe('Whether to connect to Kafka over TLS.'),
  KAFKA_SASL: choice(saslMechanisms).optional().describe('SASL mechanism of the Kafka login; unset: no login.'),
  KAFKA_USERNAME: z.string().optional().describe('User of the Kafka login.'),
  KAFKA_PASSWORD: z.string().optional().describe('Password of the Kafka login.'),
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[\w.-]{0,200}$/, "must be letters, digits, '.', '_' and '-', at most 200 of them, such as mail-1.")
    .default('')
    .describe('Prefix of topic and group names; separates installations that share one Kafka.'),
  KAFKA_PARTITIONS: count('partitions', 12).describe(
    'Partitions of each topic, which is also the maximum number of dispatchers that share a lane.',
  ),
  KAFKA_REPLICATION: count('copies', 1).describe('Replication factor of the topics; 3 with three or more brokers.'),
}

export const wholeKafkaLogin = allOrNone(
  ['KAFKA_SASL', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'],
  'a login needs KAFKA_SASL, KAFKA_USERNAME and KAFKA_PASSWORD: set all three or none',
)
