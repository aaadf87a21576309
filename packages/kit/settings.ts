import { isIP } from 'node:net'
import { listParts, parseNetwork, shortAddress } from '@postrider/domain/network.ts'
import { z } from 'zod'

/*
 * Environment variables that several processes read, and schemas for those of a single service. Each is a zod schema
 * over the text of one variable. An operator reads its error message at start, and its description in docs/config.md; a
 * message never repeats the value, which may be a secret.
 */

/** A number of a range. Each check ends the others, so that a value has one error, which names the range. */
const numberOf = (error: string, min: number, max: number | null) => {
  const check = { error, abort: true }
  const bounded = z.coerce.number(check).min(min, check)
  return max === null ? bounded : bounded.max(max, check)
}

const wholeNumberOf = (error: string, min: number, max: number | null) =>
  numberOf(error, min, max).int({ error, abort: true })

/**
 * One of some words. The words of the error are those of the setting, as for every schema of this file. The list is
 * formatted only for an error, because Node's language data would add 20 ms to each start.
 */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: () => `must be ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)}` })

const portNumber = wholeNumberOf('must be a port number, 0 to 65535 (0: a free one)', 0, 65_535)

export const port = (fallback: number) => portNumber.default(fallback)

export const optionalPort = portNumber.optional()

const wholeNumber = (noun: string) => wholeNumberOf(`must be a whole number of ${noun}, 1 or more`, 1, null)

/** A whole number of `things`, at least 1. */
export const count = (noun: string, fallback: number) => wholeNumber(noun).default(fallback)

export const optionalCount = (noun: string) => wholeNumber(noun).optional()

export const hours = (fallback: number, max: number) =>
  numberOf(`must be a number of hours, 1 to ${max}`, 1, max).default(fallback)

/** The variable and the value are in MiB; see `bytesOf`. */
export const mebibytes = (fallback: number, max: number) =>
  numberOf(`must be a number of MiB, 1 to ${max}`, 1, max).default(fallback)

/** Returns the whole bytes of the value of a variable in MiB. */
export const bytesOf = (mebibytes: number): number => Math.floor(mebibytes * 2 ** 20)

/**
 * Returns a rule for `superRefine`: the total memory is at least that of the largest one, which is read or built in one
 * piece.
 */
export const fitsLargest =
  <Memory extends string, Largest extends string>(memory: Memory, largest: Largest) =>
  (config: { [Of in Memory | Largest]?: unknown }, context: RuleContext & IssuesSoFar): void => {
    const [all, one] = [config[memory], config[largest]]
    const isWrong = context.issues.some(({ path }) => path?.[0] === memory || path?.[0] === largest)
    if (isWrong || typeof all !== 'number' || typeof one !== 'number' || all >= one) return
    context.addIssue({ code: 'custom', path: [memory], message: `must be at least ${largest}, ${one} MiB` })
  }

export const secret = (min: number) => {
  const length = `at least ${min} characters`
  return z.string(`must be set, with ${length}`).min(min, `must have ${length}`)
}

/** A token that programs send in a header: visible ASCII, because a header could not carry anything else. */
export const isToken = (text: string): boolean => /^[!-~]*$/.test(text)

/** A secret that is sent as a bearer token. White space around it, such as the line break of a file, is removed. */
export const bearer = (min: number) => {
  const form = `at least ${min} characters of ASCII without white space`
  return z
    .string(`must be set, with ${form}`)
    .trim()
    .min(min, `must have at least ${min} characters`)
    .refine(isToken, { error: `must have ${form}, because a header cannot carry others` })
}

/** Variable of the processes that sign, or that read or write encrypted keys. */
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
      const more = url === null ? '' : `${url.username}${url.password}${url.search}${url.hash}`
      if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && more === '') return url.origin
      context.addIssue('must be http(s)://host[:port] without a path, such as https://mail.example.com')
      return z.NEVER
    })
    .describe('URL under which users reach this service; used in links.'),
}

const hostAndPort = /^(\[[0-9a-fA-F:.]+\]|[\w.-]+):([1-9]\d{0,4})$/

/** One or more `host:port`, comma-separated. */
export const addresses = (example: string) =>
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

const maxPort = 65_535

/** Variable of the processes that look up DNS records. */
export const dns = {
  POSTRIDER_DNS: addresses('127.0.0.1:53')
    .transform((text) => listParts(text).map(endpointOf))
    .refine((servers) => servers.every(({ port }) => port <= maxPort), {
      error: `must have ports of 1 to ${maxPort}`,
    })
    .optional()
    .describe(
      'DNS servers that answer every query: host:port, comma-separated, IPv6 addresses in brackets; the next one is queried if one fails. Unset: the authoritative servers of a name are queried directly.',
    ),
}

/** Addresses or CIDRs, comma-separated. */
export const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const wrong = listParts(text).findIndex((part) => parseNetwork(part) === null)
    if (wrong !== -1)
      context.addIssue(
        `must be addresses or CIDRs, comma-separated, such as 10.0.0.0/8,192.0.2.7; number ${wrong + 1} is neither`,
      )
    return listParts(text)
  })

/** The context of a `superRefine`. */
export type RuleContext = { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void }

/** The errors that the variables have on their own. */
type IssuesSoFar = { issues: readonly { path?: readonly PropertyKey[] | undefined }[] }

/** Second argument of `superRefine`: reports rules over several variables even when single ones are wrong. */
export const always = { when: () => true }

/** Returns a rule for `superRefine`: all of these variables are set or none is. The error names the first one. */
export const allOrNone =
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

/** An address is stored in its shortest spelling, without the brackets of a URL. */
export const listenHost = {
  POSTRIDER_HOST: z
    .string()
    .transform((text) =>
      shortAddress(
        text
          .trim()
          .toLowerCase()
          .replace(/^\[(.*)\]$/, '$1'),
      ),
    )
    // A URL cannot contain a zone, and a browser does not open it.
    .refine((host) => host === 'localhost' || (isIP(host) !== 0 && !host.includes('%')), {
      error: 'must be localhost or an IP address of this machine, such as 0.0.0.0 or :: for all of them',
    })
    .default('localhost')
    .describe(
      'Address on which every port of the process listens: `localhost` (127.0.0.1 and ::1), or an IP address; `::` is every address of the machine, including IPv4, and `0.0.0.0` every IPv4 address.',
    ),
}

/** Variables of every long-running process of a cluster. */
export const ops = {
  ...listenHost,
  METRICS_PORT: port(9464).describe('Port of /metrics, /livez and /readyz; 0 picks a free port and prints it.'),
  LOG_LEVEL: logLevel,
}

/** The largest message, unless the operator sets another size. */
export const defaultMessageMib = 10

/** Variable of the processes that build a message or check its size. */
export const maxMessage = {
  POSTRIDER_MAX_MESSAGE_MIB: mebibytes(defaultMessageMib, 40).describe(
    'Largest message in MiB after MIME encoding, 1 to 40.',
  ),
}

/** Variable of every process that removes records. */
export const recordDays = {
  POSTRIDER_RETENTION_RECORD_DAYS: count('days', 90).describe(
    'Days that the record of mail with its events is stored after the same time, and the log of webhooks; at least as long as the content.',
  ),
}

/** Variables of accounts, which checks the settings of workspaces, and of intake, which removes mail. */
export const retention = {
  POSTRIDER_RETENTION_CONTENT_DAYS: count('days', 30).describe(
    'Days that the content of mail is stored after acceptance or the scheduled time; workspaces and messages may set fewer.',
  ),
  ...recordDays,
  POSTRIDER_RETENTION_ATTACHMENT_DAYS: count('days', 3).describe(
    'Days that attachments are stored after the mail became final; at most as long as the content.',
  ),
}

const stripeKey = /^[sr]k_(test|live)_\w{8,}$/

/** Variables of the process that charges. */
export const payments = {
  POSTRIDER_STRIPE_SECRET_KEY: z
    .string()
    .trim()
    .regex(stripeKey, 'must be a secret or restricted key of Stripe, such as sk_live_0123456789abcdef')
    .optional()
    .describe(
      'Secret key of Stripe, with which upgrades and invoices are paid by card. Unset: upgrades begin immediately, and the operator marks invoices as paid.',
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
