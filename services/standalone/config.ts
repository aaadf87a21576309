import { isIP } from 'node:net'
import { parseRoute } from '@postrider/adapters/smtp/route.ts'
import { parseMailbox } from '@postrider/mail/address.ts'
import { z } from 'zod'

const port = (fallback: number) =>
  z.coerce
    .number({ error: 'must be a port number, 0 to 65535 (0: a free one)' })
    .int()
    .min(0)
    .max(65_535)
    .default(fallback)

const route = z
  .string()
  .default('mailbox:')
  .transform((text, context) => {
    const parsed = parseRoute(text)
    if ('route' in parsed) return parsed.route
    context.addIssue(parsed.fault)
    return z.NEVER
  })

const sender = z
  .string()
  .default('Postrider <mail@postrider.localhost>')
  .transform((text, context) => {
    const parsed = parseMailbox(text)
    if (parsed.ok) return parsed.mailbox
    context.addIssue(`must be an address such as "Mail <mail@example.com>": ${parsed.message}`)
    return z.NEVER
  })

const publicUrl = z
  .string()
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null
    if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url.origin
    context.addIssue('must be http(s)://host[:port], without a path')
    return z.NEVER
  })
  .optional()

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const widest = isIP(address) === 6 ? 128 : 32
  const narrow = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest)
  return isIP(address) !== 0 && narrow && more.length === 0
}

const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const parts = text.split(',').flatMap((part) => part.trim() || [])
    const wrong = parts.filter((part) => !isNetwork(part))
    if (wrong.length > 0) context.addIssue(`not an address or CIDR: ${wrong.join(', ')}`)
    return parts
  })

const secretText = (least: number) => z.string().min(least, `must have at least ${least} characters`).optional()

const mebibytes = (fallback: number, most: number) =>
  z.coerce
    .number({ error: 'must be a number of MiB' })
    .min(1)
    .max(most)
    .default(fallback)
    .transform((size) => Math.floor(size * 2 ** 20))

const rate = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/, 'must be requests a second and burst, such as 10/20')
    .default(fallback)
    .transform((text) => {
      const [perSecond, burst] = text.split('/').map(Number)
      return { rate: perSecond ?? 1, burst: burst ?? 1 }
    })

/** Everything the one process reads from its environment. An empty variable counts as unset. */
export const Config = z.object({
  PORT: port(8080).describe('Port of API, docs and dashboard; 0 takes a free one and prints it.'),
  POSTRIDER_DATA: z.string().default('./data').describe('Directory of the database and the secret; made if missing.'),
  POSTRIDER_ROUTE: route.describe(
    'Where mail leaves: mailbox: (kept and shown at /mailbox), smtp://[user:pass@]host:port[?tls=required], smtps://…',
  ),
  POSTRIDER_PUBLIC_URL: publicUrl.describe('The address users know this service by; links are made with it.'),
  POSTRIDER_SENDER: sender.describe('The shared platform sender, for mail of workspaces without a verified domain.'),
  POSTRIDER_OPERATOR_TOKEN: secretText(16).describe('Bearer token of the operator API; unset: the API is off.'),
  POSTRIDER_SECRET: secretText(32).describe(
    'Master key for what is signed or encrypted; unset: made once and kept in the data directory, mode 0600.',
  ),
  POSTRIDER_TRUSTED_PROXIES: networks.describe('Addresses or CIDRs, comma-separated, whose forwarded headers count.'),
  POSTRIDER_SIGNUP: z
    .enum(['open', 'invite', 'off'], 'must be open, invite or off')
    .default('open')
    .describe('Who may sign up.'),
  POSTRIDER_MAX_QUEUED: z.coerce
    .number({ error: 'must be a number of emails' })
    .int()
    .min(1)
    .default(1_000_000)
    .describe('Most emails that may wait; above it sends are answered 503 until some have left.'),
  POSTRIDER_MAX_BODY_MIB: mebibytes(15, 50).describe('Largest body of a send.'),
  POSTRIDER_MAX_MESSAGE_MIB: mebibytes(10, 40).describe('Largest message, after MIME encoding.'),
  POSTRIDER_IDEMPOTENCY_HOURS: z.coerce
    .number({ error: 'must be a number of hours' })
    .min(1)
    .max(720)
    .default(24)
    .describe('How long an Idempotency-Key is kept, from the request or the scheduled time.'),
  POSTRIDER_SEND_RATE: rate('10/20').describe('What a key may send: requests a second and burst.'),
  POSTRIDER_READ_RATE: rate('50/50').describe('What a key may read.'),
  POSTRIDER_WRITE_RATE: rate('10/20').describe('What a key may write otherwise.'),
  POSTRIDER_WORKSPACE_RATE: rate('50/100').describe('What all keys of a workspace may do together.'),
  METRICS_PORT: z.coerce
    .number({ error: 'must be a port number' })
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of /metrics for anybody; unset: /metrics on PORT for loopback clients alone; 0: a free port, printed.',
    ),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info')
    .describe('Least severe level that is logged.'),
})

export type Config = z.output<typeof Config>
