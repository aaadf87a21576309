import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Mode, modes } from '../email/email.ts'

/** Every scope that a key can have. A route lists the scopes that open it. */
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

/** The scopes of a key that was made without naming any. */
export const defaultScopes: readonly Scope[] = ['emails:send', 'emails:read', 'templates:write', 'templates:read']

/** A `test` key accepts mail and simulates its delivery; nothing leaves and nothing is counted. */
export const keyModes = modes
export type KeyMode = Mode

/** The `detail` of every 401: the same for a missing key, an unknown key and a wrong checksum. */
export const notAuthenticated = 'This request needs a valid API key (Authorization: Bearer pr_live_…) or a session.'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 160 bits fit into 27 base62 characters: 62^27 > 2^160. */
const secretBytes = 20
const secretLength = 27
/** 32 bits fit into six: 62^6 > 2^32. */
const checksumLength = 6

const base62 = (number: bigint, length: number): string => {
  const digits: string[] = []
  for (let remaining = number; digits.length < length; remaining /= 62n)
    digits.push(alphabet.charAt(Number(remaining % 62n)))
  return digits.reverse().join('')
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/**
 * Makes an API key: the mode, 160 random bits in base62, and six base62 characters of the CRC-32 of all before them.
 * @param randomBytes returns that many unpredictable bytes, as in node:crypto
 */
export const makeApiKey = (mode: KeyMode, randomBytes: (size: number) => Uint8Array): string => {
  const secret = BigInt(`0x${Buffer.from(randomBytes(secretBytes)).toString('hex')}`)
  const body = `pr_${mode}_${base62(secret, secretLength)}`
  return body + checksum(body)
}

const shape = /^pr_(live|test)_[0-9A-Za-z]{33,}$/

/** Reads the mode of a key; null: by shape or checksum it is not one of ours, so a typo costs no lookup. */
export const parseApiKey = (text: string): { mode: KeyMode } | null => {
  const mode = shape.exec(text)?.[1]
  if (mode === undefined || text.slice(-checksumLength) !== checksum(text.slice(0, -checksumLength))) return null
  return { mode: mode === 'live' ? 'live' : 'test' }
}

/** Returns the SHA-256 of the whole key, the only form in which it is stored. */
export const hashApiKey = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns the parts of a key that lists show: `pr_live_` with four characters of the secret, and the last four. */
export const shownParts = (key: string): { prefix: string; lastFour: string } => ({
  prefix: key.slice(0, 'pr_live_'.length + 4),
  lastFour: key.slice(-4),
})

/** Returns the id of who acts: of the key, or of the person; `system`: the service itself. */
export const actorIdOf = ({ keyId, userId }: { keyId: string | null; userId: string | null }): string =>
  keyId ?? userId ?? 'system'

/**
 * Returns the name under which a caller's key sends and counts: keys that replaced each other are one. Null for a
 * session.
 */
export const keyFamilyOf = ({ keyId, keyFamily }: { keyId: string | null; keyFamily: string | null }): string | null =>
  keyFamily ?? keyId
