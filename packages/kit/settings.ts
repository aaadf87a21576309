import { isIP } from 'node:net'
import { z } from 'zod'

/*
 * Environment variables that several processes read, and schemas for those of a single service. Each is a zod schema over
 * the text of one variable. An operator reads its error message at start, and its description in docs/config.md; a message
 * never repeats the value, which may be a secret.
 */

/** A number of a range. Each check ends the others, so that a value has one error, which names the range. */
const numberOf = (error: string, least: number, most: number | null) => {
  const check = { error, abort: true }
  const bounded = z.coerce.number(check).min(least, check)
  return most === null ? bounded : bounded.max(most, check)
}

const wholeNumberOf = (error: string, least: number, most: number | null) =>
  numberOf(error, least, most).int({ error, abort: true })

/**
 * One of some words. The words of the error are those of the setting, as for every schema of this file. The list is formatted
 * only for an error, because Node's language data would add 20 ms to each start.
 */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: () => `must be ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)}` })

const portNumber = wholeNumberOf('must be a port number, 0 to 65535 (0: a free one)', 0, 65_535)

export const port = (fallback: number) => portNumber.default(fallback)

export const optionalPort = portNumber.optional()

const wholeNumber = (things: string) => wholeNumberOf(`must be a whole number of ${things}, 1 or more`, 1, null)

/** A whole number of `things`, at least 1. */
export const count = (things: string, fallback: number) => wholeNumber(things).default(fallback)

export const optionalCount = (things: string) => wholeNumber(things).optional()

export const hours = (fallback: number, most: number) =>
  numberOf(`must be a number of hours, 1 to ${most}`, 1, most).default(fallback)

/** The variable is in MiB, the value in bytes. */
export const mebibytes = (fallback: number, most: number) =>
  numberOf(`must be a number of MiB, 1 to ${most}`, 1, most)
    .default(fallback)
    .transform((size) => Math.floor(size * 2 ** 20))

/** Returns a rule for `superRefine`: the memory for all holds the largest one, which is read or built in one piece. */
export const holdsLargest =
  <Memory extends string, Largest extends string>(memory: Memory, largest: Largest) =>
  (config: { [Of in Memory | Largest]?: unknown }, context: RuleContext & IssuesSoFar): void => {
    const [all, one] = [config[memory], config[largest]]
    const isWrong = context.issues.some(({ path }) => path?.[0] === memory || path?.[0] === largest)
    if (isWrong || typeof all !== 'number' || typeof one !== 'number' || all >= one) return
    context.addIssue({ code: 'custom', path: [memory], message: `must be at least ${largest}, ${one / 2 ** 20} MiB` })
  }

export const secret = (least: number) => {
  const length = `at least ${least} characters`
  return z.string(`must be set, with ${length}`).min(least, `must have ${length}`)
}

/** Of the processes that sign, or that read or write encrypted keys. */
export const masterSecret = {
  POSTRIDER_SECRET: secret(32).describe(
    'Master key of signatures and of the encryption of DKIM keys, of the secrets of second factors and of the signing secrets of webhooks, at least 32 characters; the same in every process. While it is changed: the new one and the old one, separated by a comma; the first encrypts, both decrypt.',
  ),
}

/** Scheme, host and port, without a path. Of the processes that make links. */
export const publicUrl = {
  POSTRIDER_PUBLIC_URL: z
    .string('must be set, such as https://mail.example.com')
    .transform((text, context) => {
      const url = URL.canParse(text) ? new URL(text) : null
      if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url.origin
      context.addIssue('must be http(s)://host[:port] without a path, such as https://mail.example.com')
      return z.NEVER
    })
    .describe('URL under which users reach this service; used in links.'),
}

/** Returns the parts of a comma-separated list without white space and empty parts. */
export const listParts = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || [])

/** How a login is written in a URL. */
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

/** Of https://www.mongodb.com/docs/manual/reference/connection-string/; a host may be the encoded path of a socket. */
const mongoParts =
  /^(?<scheme>[^:]+):\/\/(?:(?<login>[^@/?#[\]]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<database>[^@/?#\\"$*<>:|]*))?(?:\?(?<query>[^#]*))?$/
const mongoHost = /^(?:[\w.%-]+|\[[\da-f:.]+\])(?::([1-9]\d{0,4}))?$/i

const isMongoUrl = (text: string): boolean => {
  const { login, hosts = '', database = '', query = '' } = mongoParts.exec(text)?.groups ?? {}
  const isLogin = login === undefined ? !query.includes('@') : /^[^:]+(:[^:]*)?$/.test(login) && decodable(login)
  return isLogin && decodable(database) && hosts.split(',').every((host) => mongoHost.test(host))
}

const hostAndPort = /^(\[[0-9a-fA-F:.]+\]|[\w.-]+):([1-9]\d{0,4})$/

/** One or more `host:port`, comma-separated. */
const addresses = (example: string) =>
  z
    .string(`must be set, such as ${example}`)
    .refine((text) => listParts(text).length > 0 && listParts(text).every((part) => hostAndPort.test(part)), {
      error: `must be host:port, comma-separated, such as ${example}`,
    })

/** @param part one of `hostAndPort` */
const endpointOf = (part: string): { address: string; port: number } => {
  const end = part.lastIndexOf(':')
  return { address: part.slice(0, end).replace(/^\[(.*)\]$/, '$1'), port: Number(part.slice(end + 1)) }
}

const highestPort = 65_535

/** Of the processes that look up DNS records. */
export const dns = {
  POSTRIDER_DNS: addresses('127.0.0.1:53')
    .transform((text) => listParts(text).map(endpointOf))
    .refine((servers) => servers.every(({ port }) => port <= highestPort), {
      error: `must have ports of 1 to ${highestPort}`,
    })
    .optional()
    .describe(
      'DNS servers that answer every query: host:port, comma-separated, IPv6 addresses in brackets; the next one is asked if one fails. Unset: the authoritative servers of a name are asked directly.',
    ),
}

/** The context of a `superRefine`. */
type RuleContext = { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void }

/** The errors that the variables have on their own. */
type IssuesSoFar = { issues: readonly { path?: readonly PropertyKey[] | undefined }[] }

/** Second argument of `superRefine`: reports rules over several variables even when single ones are wrong. */
export const always = { when: () => true }

/** Returns a rule for `superRefine`: all of these variables are set or none is. The error names the first one. */
const allOrNone =
  <Name extends string>([first, ...rest]: readonly [Name, ...Name[]], message: string) =>
  (config: { [Of in Name]?: unknown }, context: RuleContext): void => {
    const isSet = config[first] !== undefined
    if (rest.some((name) => (config[name] !== undefined) !== isSet)) {
      context.addIssue({ code: 'custom', path: [first], message })
    }
  }

export const logLevel = choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  .default('info')
  .describe('Least severe level that is logged.')

/** An address is stored without the brackets of a URL. */
export const listenHost = {
  POSTRIDER_HOST: z
    .string()
    .transform((text) =>
      text
        .trim()
        .replace(/^\[(.*)\]$/, '$1')
        .toLowerCase(),
    )
    .refine((host) => host === 'localhost' || isIP(host) !== 0, {
      error: 'must be localhost or an IP address of this machine, such as 0.0.0.0 or :: for all of them',
    })
    .default('localhost')
    .describe(
      'Address on which every port of the process listens: `localhost` (127.0.0.1 and ::1), or an IP address; `::` is every address of the machine, also of IPv4, and `0.0.0.0` every IPv4 address.',
    ),
}

/** Of every long-running process of a cluster. */
export const ops = {
  ...listenHost,
  METRICS_PORT: port(9464).describe('Port of /metrics, /livez and /readyz; 0 picks a free port and prints it.'),
  LOG_LEVEL: logLevel,
}

export const grpcPort = {
  PORT: port(50_051).describe('Port of the gRPC service; 0 picks a free port and prints it.'),
}

/** The first is sent; any of them is accepted, so a token can be replaced without a rejected call. */
const tokens = (least: number) =>
  z
    .string(`must be set, with at least ${least} characters`)
    .transform((text) => text.split(',').map((token) => token.trim()))
    .refine((all) => all.every((token) => token.length >= least && !/\s/.test(token)), {
      error: `must be one token, or several separated by commas, each of at least ${least} characters and no white space`,
    })

const pemFile = z.string().optional()

const rotation = 'While it is changed: several, comma-separated; the first is sent, any of them is accepted.'

/** How the processes of an installation authenticate each other. */
export const peerSecurity = {
  POSTRIDER_WIRE_TOKEN: tokens(32)
    .optional()
    .describe(
      `Shared token of all calls between services, at least 32 characters, where the tokens of the callers, such as POSTRIDER_WIRE_TOKEN_GATEWAY, are not set. ${rotation}`,
    ),
  POSTRIDER_WIRE_CA: pemFile.describe(
    'File of the authority (PEM) that signs the certificates of client and server; with the next two variables it enables mutual TLS.',
  ),
  POSTRIDER_WIRE_CERT: pemFile.describe('File of the certificate (PEM) of this process.'),
  POSTRIDER_WIRE_KEY: pemFile.describe('File of the private key (PEM) of this process.'),
  POSTRIDER_WIRE_IDENTITY: choice(['token', 'certificate'])
    .default('token')
    .describe(
      'What identifies a caller: its token, or with mutual TLS a DNS name of its certificate whose first part is gateway, intake or accounts, or ends with one of them after a hyphen.',
    ),
}

const callerToken = (name: string) =>
  tokens(32)
    .optional()
    .describe(
      `Token that only the ${name} sends, at least 32 characters; a service that it calls accepts it for the methods that the ${name} needs. ${rotation}`,
    )

/** The token of each service that calls others: of the service itself and of each service that it calls. */
export const callerTokens = {
  gateway: { POSTRIDER_WIRE_TOKEN_GATEWAY: callerToken('gateway') },
  intake: { POSTRIDER_WIRE_TOKEN_INTAKE: callerToken('intake') },
  accounts: { POSTRIDER_WIRE_TOKEN_ACCOUNTS: callerToken('accounts') },
}

type WireConfig = {
  POSTRIDER_WIRE_TOKEN?: unknown
  POSTRIDER_WIRE_TOKEN_GATEWAY?: unknown
  POSTRIDER_WIRE_TOKEN_INTAKE?: unknown
  POSTRIDER_WIRE_TOKEN_ACCOUNTS?: unknown
  POSTRIDER_WIRE_CA?: unknown
  POSTRIDER_WIRE_IDENTITY?: unknown
}

/**
 * Returns a rule for `superRefine`: the process can identify itself and its callers.
 * @param own the tokens per caller that the process reads; all are set, or none and the shared token
 */
export const wireIdentity =
  (...own: readonly (keyof WireConfig)[]) =>
  (config: WireConfig, context: RuleContext): void => {
    const refuse = (name: keyof WireConfig, message: string): void =>
      context.addIssue({ code: 'custom', path: [name], message })
    if (config.POSTRIDER_WIRE_IDENTITY === 'certificate') {
      if (config.POSTRIDER_WIRE_CA === undefined)
        refuse(
          'POSTRIDER_WIRE_IDENTITY',
          'certificate needs POSTRIDER_WIRE_CA, POSTRIDER_WIRE_CERT and POSTRIDER_WIRE_KEY',
        )
      return
    }
    const missing = own.filter((name) => config[name] === undefined)
    const [first] = missing
    if (first === undefined) return
    // A token without the other one would refuse all calls of the other service.
    if (missing.length < own.length) refuse(first, `must be set too: set ${own.join(' and ')}, or none of them`)
    else if (config.POSTRIDER_WIRE_TOKEN === undefined)
      refuse('POSTRIDER_WIRE_TOKEN', 'must be set, with at least 32 characters')
  }

export const allTlsFiles = allOrNone(
  ['POSTRIDER_WIRE_CA', 'POSTRIDER_WIRE_CERT', 'POSTRIDER_WIRE_KEY'],
  'needs POSTRIDER_WIRE_CERT and POSTRIDER_WIRE_KEY: set all three or none',
)

const peer = (name: string) =>
  addresses(`${name}:50051`).describe(
    `Address of ${name}: host:port of a name that stands for all replicas, or of each replica, comma-separated.`,
  )

/** Addresses of the services that a process calls. */
export const peers = {
  accounts: { POSTRIDER_ACCOUNTS: peer('accounts') },
  templates: { POSTRIDER_TEMPLATES: peer('templates') },
  quota: { POSTRIDER_QUOTA: peer('quota') },
  intake: { POSTRIDER_INTAKE: peer('intake') },
  domains: { POSTRIDER_DOMAINS: peer('domains') },
  webhooks: { POSTRIDER_WEBHOOKS: peer('webhooks') },
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
      'Name of the installation, which the database records; the chart sets it to namespace/release. A process with another name ends at its start. Unset: no check.',
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
    'Partitions of each topic, and so the most dispatchers that share a lane.',
  ),
  KAFKA_REPLICATION: count('copies', 1).describe('Replication factor of the topics; 3 with three or more brokers.'),
}

export const wholeKafkaLogin = allOrNone(
  ['KAFKA_SASL', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'],
  'a login needs KAFKA_SASL, KAFKA_USERNAME and KAFKA_PASSWORD: set all three or none',
)

/** Of the processes that build a message or check its size. */
export const maxMessage = {
  POSTRIDER_MAX_MESSAGE_MIB: mebibytes(10, 40).describe('Largest message in MiB after MIME encoding, 1 to 40.'),
}

/** Of every process that removes records. */
export const recordDays = {
  POSTRIDER_RETENTION_RECORD_DAYS: count('days', 90).describe(
    'Days that the record of mail with its events is stored after the same time, and the log of webhooks; at least as long as the content.',
  ),
}

/** Of accounts, which checks the settings of workspaces, and of intake, which removes. */
export const retention = {
  POSTRIDER_RETENTION_CONTENT_DAYS: count('days', 30).describe(
    'Days that the content of mail is stored after acceptance or the scheduled time; workspaces and messages may ask for fewer.',
  ),
  ...recordDays,
  POSTRIDER_RETENTION_ATTACHMENT_DAYS: count('days', 3).describe(
    'Days that attachments are stored after the mail became final; at most as long as the content.',
  ),
}

const stripeKey = /^[sr]k_(test|live)_\w{8,}$/

/** Of the process that charges. */
export const payments = {
  POSTRIDER_STRIPE_SECRET_KEY: z
    .string()
    .trim()
    .regex(stripeKey, 'must be a secret or restricted key of Stripe, such as sk_live_0123456789abcdef')
    .optional()
    .describe(
      'Secret key of Stripe, with which upgrades and invoices are paid by card. Unset: upgrades begin at once, and the operator marks invoices as paid.',
    ),
  POSTRIDER_STRIPE_WEBHOOK_SECRET: z
    .string()
    .trim()
    .regex(
      /^whsec_\w{8,}$/,
      'must be the signing secret of a webhook endpoint of Stripe, such as whsec_0123456789abcdef',
    )
    .optional()
    .describe(
      'Signing secret of the webhook endpoint in Stripe that sends events to /api/v1/billing/stripe/webhook; needed with POSTRIDER_STRIPE_SECRET_KEY.',
    ),
  POSTRIDER_STRIPE_API: z
    .string()
    .trim()
    .regex(/^https?:\/\/[\w.-]+(:\d{1,5})?$/, 'must be a URL without a path, such as https://api.stripe.com')
    .optional()
    .describe('Address of Stripe’s API, if it is reached through a proxy. Unset: https://api.stripe.com.'),
}

/** Rule for `superRefine`: payments by card need both secrets. The error names the missing one. */
export const bothStripeSecrets = (
  config: { [Name in keyof typeof payments]?: unknown },
  context: RuleContext & IssuesSoFar,
): void => {
  const names = ['POSTRIDER_STRIPE_SECRET_KEY', 'POSTRIDER_STRIPE_WEBHOOK_SECRET'] as const
  const isWrong = context.issues.some(({ path }) => names.some((name) => path?.[0] === name))
  const missing = names.filter((name) => config[name] === undefined)
  const [first] = missing
  if (isWrong || first === undefined || missing.length === names.length) return
  context.addIssue({ code: 'custom', path: [first], message: `must be set too: set ${names.join(' and ')}, or none` })
}

/** The configuration of a service that only answers calls from its records. */
export const RecordServiceConfig = z
  .object({
    ...grpcPort,
    ...peerSecurity,
    ...callerTokens.gateway,
    ...callerTokens.intake,
    ...mongo,
    ...ops,
  })
  .superRefine(allTlsFiles, always)
  .superRefine(wireIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY', 'POSTRIDER_WIRE_TOKEN_INTAKE'), always)
