import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Every scope a key can have. A write scope does not imply reading. */
export const scopes = [
  'emails:send',
  'emails:read',
  'templates:write',
  'templates:read',
  'domains:write',
  'domains:read',
  'webhooks:write',
  'webhooks:read',
  'suppressions:write',
  'suppressions:read',
] as const

export type Scope = (typeof scopes)[number]

/** What a key made without a choice of scopes may do. */
export const defaultScopes: readonly Scope[] = ['emails:send', 'emails:read', 'templates:write', 'templates:read']

/** `detail` of the one 401 for no key, an unknown one and a bad checksum: no difference anybody could learn from. */
export const notAuthenticated = 'This request needs a valid API key (Authorization: Bearer pr_live_…) or a session.'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 160 bits fit into 27 base62 characters: 62^27 > 2^160. */
const secretBytes = 20
const secretLength = 27
/** 32 bits fit into six: 62^6 > 2^32. */
const checksumLength = 6

const base62 = (number: bigint, length: number): string => {
  const digits: string[] = []
  for (let rest = number; digits.length < length; rest /= 62n) digits.push(alphabet.charAt(Number(rest % 62n)))
  return digits.reverse().join('')
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/**
 * A new API key: the mode, 160 random bits in base62, and six base62 characters of CRC-32 over all before them.
 * @param randomBytes as in node:crypto: that many unpredictable bytes
 */
export const makeApiKey = (mode: 'live' | 'test', randomBytes: (size: number) => Uint8Array): string => {
  const secret = BigInt(`0x${Buffer.from(randomBytes(secretBytes)).toString('hex')}`)
  const body = `pr_${mode}_${base62(secret, secretLength)}`
  return body + checksum(body)
}

const shape = /^pr_(live|test)_[0-9A-Za-z]{33,}$/

/** Whether a text can be one of our keys at all, by shape and checksum alone: a typo costs no look-up. */
export const parseApiKey = (text: string): { mode: 'live' | 'test' } | null => {
  const mode = shape.exec(text)?.[1]
  if (mode === undefined || text.slice(-checksumLength) !== checksum(text.slice(0, -checksumLength))) return null
  return { mode: mode === 'live' ? 'live' : 'test' }
}

/** SHA-256 of the whole key: all that is ever stored of it. */
export const hashApiKey = (text: string): Buffer => createHash('sha256').update(text).digest()
