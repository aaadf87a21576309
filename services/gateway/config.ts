import { isIP } from 'node:net'
import { sender } from '@postrider/contracts/settings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Scheme, host and port, without a path. */
const publicUrl = z.string('must be set, such as https://mail.example.com').transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url.origin
  context.addIssue('must be http(s)://host[:port], without a path')
  return z.NEVER
})

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const widest = isIP(address) === 6 ? 128 : 32
  const narrow = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest)
  return isIP(address) !== 0 && narrow && more.length === 0
}

/** Addresses or CIDRs, comma-separated. */
const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const wrong = settings.listParts(text).filter((part) => !isNetwork(part))
    if (wrong.length > 0) context.addIssue(`not an address or CIDR: ${wrong.join(', ')}`)
    return settings.listParts(text)
  })

/** Requests per second and burst, `10/20`. */
const rate = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/, 'must be requests per second and burst, such as 10/20')
    .default(fallback)
    .transform((text) => {
      const [perSecond, burst] = text.split('/').map(Number)
      return { rate: perSecond ?? 1, burst: burst ?? 1 }
    })

/** Environment variables of the gateway process. */
export const Config = z
  .object({
    PORT: settings.port(8080).describe('Port of the HTTP API and its docs; 0 picks a free port and prints it.'),
    ...settings.peerSecurity,
    ...settings.peers.accounts,
    ...settings.peers.templates,
    ...settings.peers.quota,
    ...settings.peers.intake,
    ...settings.redis,
    POSTRIDER_PUBLIC_URL: publicUrl.describe('URL under which users reach this service; used in links.'),
    ...sender,
    POSTRIDER_OPERATOR_TOKEN: settings
      .secret(16)
      .optional()
      .describe('Bearer token of the operator API, at least 16 characters; unset: the API is off.'),
    POSTRIDER_SECRET: settings
      .secret(32)
      .describe('Master key for signatures, at least 32 characters; the same in every gateway of an installation.'),
    POSTRIDER_TRUSTED_PROXIES: networks.describe(
      'Addresses or CIDRs of proxies, comma-separated, whose forwarded headers are trusted.',
    ),
    POSTRIDER_MAX_BODY_MIB: settings.mebibytes(15, 50).describe('Largest body of a send request in MiB, 1 to 50.'),
    POSTRIDER_SEND_RATE: rate('10/20').describe('Sends per API key: requests per second/burst.'),
    POSTRIDER_READ_RATE: rate('50/50').describe('Reads per API key: requests per second/burst.'),
    POSTRIDER_WRITE_RATE: rate('10/20').describe('Other writes per API key: requests per second/burst.'),
    POSTRIDER_WORKSPACE_RATE: rate('50/100').describe('All keys of a workspace together: requests per second/burst.'),
    ...settings.ops,
  })
  .superRefine(settings.allTlsFiles, settings.always)

export type Config = z.output<typeof Config>
