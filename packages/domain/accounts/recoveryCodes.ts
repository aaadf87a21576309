import { createHash } from 'node:crypto'

/* Recovery codes of a second factor: each replaces one code of the app, once, for a person who lost the app. */

const [recoveryCodes, recoveryBytes] = [10, 10] as const
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

const base32 = (bytes: Uint8Array): string => {
  let [text, bits, buffer] = ['', 0, 0]
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(buffer >> (bits - 5)) & 31]
    buffer &= (1 << bits) - 1
  }
  return text
}

/** Returns ten codes of 80 random bits, such as `abcd-efgh-ijkl-mnop`. */
export const newRecoveryCodes = (random: (size: number) => Uint8Array): string[] =>
  Array.from({ length: recoveryCodes }, () => base32(random(recoveryBytes)).match(/.{4}/g)?.join('-') ?? '')

/**
 * Returns the hash under which a recovery code is stored, which differs between users; null: the text is not a recovery
 * code.
 */
export const recoveryHash = (user: string, code: string): string | null => {
  const plain = code.replaceAll(/[\s-]/g, '').toLowerCase()
  if (!/^[a-z2-7]{16}$/.test(plain)) return null
  return createHash('sha256').update(`${user} ${plain}`).digest('base64url')
}
