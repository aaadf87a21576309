import { isIP } from 'node:net'
import { parseMailbox } from '@postrider/mail/address.ts'
import { parseMailRoute } from '@postrider/mail/mailRoute.ts'
import { z } from 'zod'

/**
 * What operators set, spelled the same in every service. Each is a zod schema over the text of one environment
 * variable; what it says of a wrong one is read by a person at the start.
 */

const portNumber = z.coerce
  .number({ error: 'must be a port number, 0 to 65535 (0: a free one)' })
  .int()
  .min(0)
  .max(65_535)

export const port = (fallback: number) => portNumber.default(fallback)

export const optionalPort = portNumber.optional()

/** A whole number of `things`, at least 1. */
export const count = (things: string, fallback: number) =>
  z.coerce
    .number({ error: `must be a number of ${things}` })
    .int()
    .min(1)
    .default(fallback)

export const hours = (fallback: number, most: number) =>
  z.coerce.number({ error: 'must be a number of hours' }).min(1).max(most).default(fallback)

/** Given in MiB, read as bytes. */
export const mebibytes = (fallback: number, most: number) =>
  z.coerce
    .number({ error: 'must be a number of MiB' })
    .min(1)
    .max(most)
    .default(fallback)
    .transform((size) => Math.floor(size * 2 ** 20))

/** Requests a second and burst, `10/20`. */
const rate = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/, 'must be requests a second and burst, such as 10/20')
    .default(fallback)
    .transform((text) => {
      const [perSecond, burst] = text.split('/').map(Number)
      return { rate: perSecond ?? 1, burst: burst ?? 1 }
    })

export const secret = (least: number) => {
  const length = `at least ${least} characters`
  return z.string(`must be set, with ${length}`).min(least, `must have ${length}`)
}

/** The first is shown to others, each is taken from them: so one takes another's place without a call refused. */
const tokens = (least: number) =>
  z
    .string(`must be set, with at least ${least} characters`)
    .transform((text) => text.split(',').map((token) => token.trim()))
    .refine((all) => all.every((token) => token.length >= least && !/\s/.test(token)), {
      error: `must be one token, or several with commas between, each of at least ${least} characters and no white space`,
    })

export const route = z
  .string()
  .default('mailbox:')
  .transform((text, context) => {
    const parsed = parseMailRoute(text)
    if ('route' in parsed) return parsed.route
    context.addIssue(parsed.fault)
    return z.NEVER
  })

/** Reserved (RFC 6761 §6.3): enough to try it, and nobody's. */
export const defaultSender = 'mail@postrider.localhost'

export const sender = z
  .string()
  .default(`Postrider <${defaultSender}>`)
  .transform((text, context) => {
    const parsed = parseMailbox(text)
    if (parsed.ok) return parsed.mailbox
    context.addIssue(`must be an address such as "Mail <mail@example.com>": ${parsed.message}`)
    return z.NEVER
  })

/** Scheme, host and port alone. */
export const publicUrl = z.string('must be set, such as https://mail.example.com').transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url.origin
  context.addIssue('must be http(s)://host[:port], without a path')
  return z.NEVER
})

const parts = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || [])

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const widest = isIP(address) === 6 ? 128 : 32
  const narrow = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest)
  return isIP(address) !== 0 && narrow && more.length === 0
}

/** Addresses or CIDRs, comma-separated. */
export const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const wrong = parts(text).filter((part) => !isNetwork(part))
    if (wrong.length > 0) context.addIssue(`not an address or CIDR: ${wrong.join(', ')}`)
    return parts(text)
  })

export const signup = z.enum(['open', 'invite', 'off'], 'must be open, invite or off').default('open')

export const logLevel = z
  .enum(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'must be trace, debug, info, warn, error, fatal or silent',
  )
  .default('info')
  .describe('Least severe level that is logged.')

const urlOf = (schemes: readonly string[], example: string) =>
  z.string(`must be set, such as ${example}`).refine((text) => schemes.some((scheme) => text.startsWith(scheme)), {
    error: `must be such as ${example}`,
  })

const mongoUrl = urlOf(['mongodb://', 'mongodb+srv://'], 'mongodb://user:password@host:27017/postrider')

const redisUrl = urlOf(['redis://', 'rediss://'], 'redis://:password@host:6379')

const hostAndPort = /^(\[[0-9a-fA-F:]+\]|[^\s:,/]+):([1-9]\d{0,4})$/

/** One or more `host:port`, comma-separated. */
const addresses = (example: string) =>
  z.string(`must be set, such as ${example}`).refine((text) => parts(text).length > 0 && parts(text).every(isAddress), {
    error: `must be host:port, comma-separated, such as ${example}`,
  })

const isAddress = (text: string): boolean => hostAndPort.test(text)

const brokers = addresses('kafka:9092').transform(parts)

/** Where a service of ours is: one name that stands for all its replicas, or each of them, comma-separated. */
const peer = (name: string) => addresses(`${name}:50051`)

/** What a variable does, where several services have it. */
export const says = {
  route:
    'Where mail leaves: mailbox: (kept and shown at /mailbox), smtp://[user:pass@]host:port[?tls=required], smtps://…',
  connections: 'Most connections to the next server that each lane of a process has open at once.',
  publicUrl: 'The address users know this service by; links are made with it.',
  sender: 'The shared platform sender, for mail of workspaces without a verified domain.',
  operatorToken: 'Bearer token of the operator API; unset: the API is off.',
  trustedProxies: 'Addresses or CIDRs, comma-separated, whose forwarded headers count.',
  signup: 'Who may sign up; invite lets in nobody, as off does, until there are invitations.',
  maxQueued: 'Most emails that may wait; above it sends are answered 503 until some have left.',
  maxBody: 'Largest body of a send.',
  maxMessage: 'Largest message, after MIME encoding.',
  idempotency: 'How long an Idempotency-Key is kept, from the request or the scheduled time.',
} as const

export const rates = {
  POSTRIDER_SEND_RATE: rate('10/20').describe('What a key may send: requests a second/burst.'),
  POSTRIDER_READ_RATE: rate('50/50').describe('What a key may read: requests a second/burst.'),
  POSTRIDER_WRITE_RATE: rate('10/20').describe('What a key may write otherwise: requests a second/burst.'),
  POSTRIDER_WORKSPACE_RATE: rate('50/100').describe(
    'What all keys of a workspace may do together: requests a second/burst.',
  ),
}

/** What every process of a cluster has. */
export const ops = {
  METRICS_PORT: port(9464).describe('Port of /metrics, /livez and /readyz; 0: a free port, printed.'),
  LOG_LEVEL: logLevel,
}

const pemFile = z.string().optional()

/** How services prove to each other that they belong together. */
export const wire = {
  POSTRIDER_WIRE_TOKEN: tokens(32).describe(
    'Shared token that every call between services carries. While it is changed: several, comma-separated; the first is shown, each is taken.',
  ),
  POSTRIDER_WIRE_CA: pemFile.describe(
    'File of the authority (PEM) that signs both ends of every call; with the next two it makes calls mutual TLS.',
  ),
  POSTRIDER_WIRE_CERT: pemFile.describe('File of the certificate (PEM) of this process.'),
  POSTRIDER_WIRE_KEY: pemFile.describe('File of its private key (PEM).'),
}

type Context = { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void }

/** Beside a `superRefine`: rules over several variables are heard even where single ones are wrong, so all is told at once. */
export const always = { when: () => true }

/** A rule for `superRefine`: these variables are all set, or none is; what is wrong is told of the first. */
const allOrNone =
  <Name extends string>([first, ...rest]: readonly [Name, ...Name[]], message: string) =>
  (config: { [Of in Name]?: unknown }, context: Context): void => {
    const isSet = config[first] !== undefined
    if (rest.some((name) => (config[name] !== undefined) !== isSet)) {
      context.addIssue({ code: 'custom', path: [first], message })
    }
  }

/** Mutual TLS wants all three files; none is no TLS. */
export const allWireFiles = allOrNone(
  ['POSTRIDER_WIRE_CA', 'POSTRIDER_WIRE_CERT', 'POSTRIDER_WIRE_KEY'],
  'needs POSTRIDER_WIRE_CERT and POSTRIDER_WIRE_KEY beside it: all three or none',
)

export const grpcPort = { PORT: port(50_051).describe('Port of its gRPC service; 0: a free one, printed.') }

export const mongo = {
  MONGODB_URL: mongoUrl.describe('The record store: mongodb://…; the database is the one named in it, or postrider.'),
}

export const redis = {
  REDIS_URL: redisUrl.describe('Where rate limits are counted: redis://… or rediss://….'),
  POSTRIDER_REPLICAS: count('processes', 2).describe(
    'How many of this service run; while Redis is away each allows its part of every rate limit.',
  ),
}

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

export const kafka = {
  KAFKA_BROKERS: brokers.describe('Where Kafka is: host:port, comma-separated.'),
  KAFKA_TLS: z.enum(['on', 'off'], 'must be on or off').default('off').describe('Whether Kafka is spoken to over TLS.'),
  KAFKA_SASL: z
    .enum(saslMechanisms, `must be ${saslMechanisms.join(', ')}`)
    .optional()
    .describe('How to log in to Kafka; unset: not at all.'),
  KAFKA_USERNAME: z.string().optional().describe('Who logs in to Kafka.'),
  KAFKA_PASSWORD: z.string().optional().describe('Their password.'),
  KAFKA_TOPIC_PREFIX: z
    .string()
    .default('')
    .describe('What names of topics and groups begin with; keeps the installations of one Kafka apart.'),
  KAFKA_PARTITIONS: count('partitions', 12).describe(
    'Partitions of each topic: the most dispatchers that share a lane.',
  ),
  KAFKA_REPLICATION: count('copies', 1).describe('Copies of each partition; 3 where there are as many brokers.'),
}

/** A login is all three or none. */
export const wholeKafkaLogin = allOrNone(
  ['KAFKA_SASL', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'],
  'a login needs KAFKA_SASL, KAFKA_USERNAME and KAFKA_PASSWORD: all three or none',
)

export const peers = {
  accounts: {
    POSTRIDER_ACCOUNTS: peer('accounts').describe('Where accounts is: host:port, one for all or each replica.'),
  },
  templates: { POSTRIDER_TEMPLATES: peer('templates').describe('Where templates is.') },
  quota: { POSTRIDER_QUOTA: peer('quota').describe('Where quota is.') },
  intake: { POSTRIDER_INTAKE: peer('intake').describe('Where intake is.') },
}
