import { isIP } from 'node:net'
import { parseMailbox } from '@postrider/mail/address.ts'
import { parseRoute } from '@postrider/mail/route.ts'
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
export const rate = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/, 'must be requests a second and burst, such as 10/20')
    .default(fallback)
    .transform((text) => {
      const [perSecond, burst] = text.split('/').map(Number)
      return { rate: perSecond ?? 1, burst: burst ?? 1 }
    })

export const secret = (least: number) => z.string().min(least, `must have at least ${least} characters`)

export const route = z
  .string()
  .default('mailbox:')
  .transform((text, context) => {
    const parsed = parseRoute(text)
    if ('route' in parsed) return parsed.route
    context.addIssue(parsed.fault)
    return z.NEVER
  })

export const sender = z
  .string()
  .default('Postrider <mail@postrider.localhost>')
  .transform((text, context) => {
    const parsed = parseMailbox(text)
    if (parsed.ok) return parsed.mailbox
    context.addIssue(`must be an address such as "Mail <mail@example.com>": ${parsed.message}`)
    return z.NEVER
  })

/** Scheme, host and port alone. */
export const publicUrl = z.string('must be http(s)://host[:port]').transform((text, context) => {
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

export const mongoUrl = urlOf(['mongodb://', 'mongodb+srv://'], 'mongodb://user:password@host:27017/postrider')

export const redisUrl = urlOf(['redis://', 'rediss://'], 'redis://:password@host:6379')

const hostAndPort = /^(\[[0-9a-fA-F:]+\]|[^\s:,/]+):([1-9]\d{0,4})$/

/** One or more `host:port`, comma-separated. */
const addresses = (example: string) =>
  z.string(`must be set, such as ${example}`).refine((text) => parts(text).length > 0 && parts(text).every(isAddress), {
    error: `must be host:port, comma-separated, such as ${example}`,
  })

const isAddress = (text: string): boolean => hostAndPort.test(text)

export const brokers = addresses('kafka:9092').transform(parts)

/** Where a service of ours is: one name that stands for all its replicas, or each of them. */
export const peer = (name: string, defaultPort: number) => addresses(`${name}:${defaultPort}`)

/** What a variable does, where several services have it. */
export const says = {
  route:
    'Where mail leaves: mailbox: (kept and shown at /mailbox), smtp://[user:pass@]host:port[?tls=required], smtps://…',
  publicUrl: 'The address users know this service by; links are made with it.',
  sender: 'The shared platform sender, for mail of workspaces without a verified domain.',
  operatorToken: 'Bearer token of the operator API; unset: the API is off.',
  trustedProxies: 'Addresses or CIDRs, comma-separated, whose forwarded headers count.',
  signup: 'Who may sign up.',
  maxQueued: 'Most emails that may wait; above it sends are answered 503 until some have left.',
  maxBody: 'Largest body of a send.',
  maxMessage: 'Largest message, after MIME encoding.',
  idempotency: 'How long an Idempotency-Key is kept, from the request or the scheduled time.',
} as const

export const rates = {
  POSTRIDER_SEND_RATE: rate('10/20').describe('What a key may send: requests a second and burst.'),
  POSTRIDER_READ_RATE: rate('50/50').describe('What a key may read.'),
  POSTRIDER_WRITE_RATE: rate('10/20').describe('What a key may write otherwise.'),
  POSTRIDER_WORKSPACE_RATE: rate('50/100').describe('What all keys of a workspace may do together.'),
}

/** What every process of a cluster has. */
export const ops = {
  METRICS_PORT: port(9464).describe('Port of /metrics, /livez and /readyz; 0: a free port, printed.'),
  LOG_LEVEL: logLevel,
}

/** How services prove to each other that they belong together: a shared token, certificates of one authority, or both. */
export const wire = {
  POSTRIDER_WIRE_TOKEN: secret(32).optional().describe('Shared token that every call between services carries.'),
  POSTRIDER_WIRE_CA: z
    .string()
    .optional()
    .describe('File with the certificate authority (PEM) that signs both sides of every call; needs the next two.'),
  POSTRIDER_WIRE_CERT: z.string().optional().describe('File with the certificate (PEM) of this process.'),
  POSTRIDER_WIRE_KEY: z.string().optional().describe('File with its private key (PEM).'),
}

export const kafka = {
  KAFKA_BROKERS: brokers.describe('Where Kafka is: host:port, comma-separated.'),
  KAFKA_TLS: z.enum(['on', 'off'], 'must be on or off').default('off').describe('Whether Kafka is spoken to over TLS.'),
  KAFKA_SASL: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .optional()
    .describe('How to log in to Kafka; unset: not at all.'),
  KAFKA_USERNAME: z.string().optional().describe('Who logs in to Kafka.'),
  KAFKA_PASSWORD: z.string().optional().describe('Their password.'),
  KAFKA_TOPIC_PREFIX: z.string().default('postrider').describe('What the names of topics and groups begin with.'),
}
