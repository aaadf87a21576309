import { createPublicKey, type KeyObject } from 'node:crypto'

/*
 * The record of a public key at `<selector>._domainkey.<domain>` (RFC 6376 §3.6.1, RFC 8463 §4): a list of tags such as
 * `v=DKIM1; k=rsa; p=MIIB…`.
 */

export type DkimKeyType = 'rsa' | 'ed25519'

/**
 * Why a verifier refuses a record:
 * - `malformed`: not a list of tags, or characters such as quotes around it; `tag` is null or the tag with the error
 * - `duplicate_tag`, `version`: two tags of one name; `v` is not `DKIM1` or not first
 * - `no_key`, `unknown_key_type`: without `p`; `k` is neither rsa nor ed25519
 * - `not_base64`, `truncated_key`, `not_a_key`: `p` has other characters, ends early, or is another thing
 * - `weak_key`: an RSA key of less than 1024 bits (RFC 8301 §3.2)
 * - `hash_not_allowed`, `not_for_email`: `h` without sha256; `s` without email and `*`
 */
export type DkimRecordProblem =
  | 'malformed'
  | 'duplicate_tag'
  | 'version'
  | 'no_key'
  | 'unknown_key_type'
  | 'not_base64'
  | 'truncated_key'
  | 'not_a_key'
  | 'weak_key'
  | 'hash_not_allowed'
  | 'not_for_email'

/** What a record means to a verifier of our signatures. */
export type DkimRecord =
  | {
      kind: 'key'
      keyType: DkimKeyType
      /** In one form for each key: SubjectPublicKeyInfo in DER for RSA, the 32 bytes for Ed25519. */
      publicKey: Buffer
      /** The length of an RSA modulus; 256 for Ed25519. */
      bits: number
      /** `t=y`: verifiers may treat mail with a broken signature as unsigned. */
      isTesting: boolean
      /** `t=s`: `i=` must not be of a subdomain of `d=`. Our signatures have no `i=`, so it does not matter to them. */
      isStrict: boolean
    }
  /** An empty `p`. */
  | { kind: 'revoked' }
  | { kind: 'invalid'; problem: DkimRecordProblem; tag: string | null }

/** Returns the content of a record with this key, unquoted and unsplit. RSA and Ed25519 keys only. */
export const dkimRecordText = (publicKey: KeyObject): string => {
  const keyType = keyTypeOf(publicKey)
  if (keyType === null) throw new Error('a DKIM record has an RSA or Ed25519 key')
  return `v=DKIM1; k=${keyType}; p=${bytesIn(keyType, publicKey).toString('base64')}`
}

const keyTypeOf = ({ asymmetricKeyType: type }: KeyObject): DkimKeyType | null =>
  type === 'rsa' || type === 'ed25519' ? type : null

/** RFC 8463 §4: a record has the bare key of Ed25519, which are the last bytes of its SubjectPublicKeyInfo. */
const ed25519Bytes = 32

const bytesIn = (keyType: DkimKeyType, key: KeyObject): Buffer => {
  const info = key.export({ format: 'der', type: 'spki' })
  return keyType === 'rsa' ? info : info.subarray(-ed25519Bytes)
}

/** Whether two records have the same public key, in any form. */
export const isSameDkimKey = (one: DkimRecord, other: DkimRecord): boolean =>
  one.kind === 'key' && other.kind === 'key' && one.keyType === other.keyType && one.publicKey.equals(other.publicKey)

const invalid = (problem: DkimRecordProblem, tag: string | null = null): DkimRecord => ({
  kind: 'invalid',
  problem,
  tag,
})

/** Maximum length of a record that is read; an RSA key of 16,384 bits has 2,750 characters. */
const maxRecordLength = 8_192

/** Reads the content of a TXT record, with its strings joined. Every text is allowed; none throws. */
export const parseDkimRecord = (text: string): DkimRecord => {
  const tags = text.length > maxRecordLength ? invalid('malformed') : tagsIn(text)
  if (!(tags instanceof Map)) return tags
  const { v = 'DKIM1', k = 'rsa', p, h = 'sha256', s = '*', t = '' } = Object.fromEntries(tags)
  if (v !== 'DKIM1' || (tags.has('v') && tags.keys().next().value !== 'v')) return invalid('version', 'v')
  if (p === undefined) return invalid('no_key', 'p')
  if (p === '') return { kind: 'revoked' }
  if (k !== 'rsa' && k !== 'ed25519') return invalid('unknown_key_type', 'k')
  if (!wordsIn(h).includes('sha256')) return invalid('hash_not_allowed', 'h')
  if (!wordsIn(s).some((word) => word === '*' || word === 'email')) return invalid('not_for_email', 's')
  const flags = wordsIn(t)
  const key = keyIn(k, p.replace(/\s/g, ''))
  if (typeof key === 'string') return invalid(key, 'p')
  return { kind: 'key', keyType: k, ...key, isTesting: flags.includes('y'), isStrict: flags.includes('s') }
}

const wordsIn = (list: string): string[] => list.split(':').map((word) => word.trim().toLowerCase())

/** RFC 6376 §3.2: names are case-sensitive; values have visible characters, with white space between them. */
const tagShape = /^\s*([A-Za-z]\w*)\s*=([!-~\s]*)$/

/** Returns the tags in their order. A `;` after the last one is allowed; unknown tags are ignored later. */
const tagsIn = (text: string): Map<string, string> | DkimRecord => {
  const tags = new Map<string, string>()
  const parts = text.split(';')
  if (parts.at(-1)?.trim() === '') parts.pop()
  for (const part of parts) {
    const [, name, value] = tagShape.exec(part) ?? []
    if (name === undefined || value === undefined) return invalid('malformed')
    // A panel stored the quotes that enclose a string in a zone file.
    if (/["\\]/.test(value)) return invalid('malformed', name)
    if (tags.has(name)) return invalid('duplicate_tag', name)
    tags.set(name, value.trim())
  }
  return tags.size === 0 ? invalid('malformed') : tags
}

type FoundKey = { publicKey: Buffer; bits: number }

const keyIn = (keyType: DkimKeyType, text: string): FoundKey | DkimRecordProblem => {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(text)) return 'not_base64'
  const bytes = Buffer.from(text, 'base64')
  if (keyType === 'rsa') return rsaKeyIn(bytes)
  if (bytes.length < ed25519Bytes) return 'truncated_key'
  return bytes.length === ed25519Bytes ? { publicKey: bytes, bits: 256 } : 'not_a_key'
}

/** RFC 8301 §3.2: verifiers refuse shorter keys. */
const minBits = 1_024

const rsaKeyIn = (bytes: Buffer): FoundKey | DkimRecordProblem => {
  const length = derLength(bytes)
  if (length > bytes.length) return 'truncated_key'
  // Bytes after the key are ignored by some verifiers only.
  if (length < bytes.length) return 'not_a_key'
  // RFC 6376 §3.6.1 names RSAPublicKey (PKCS#1), but its examples and the records in use have SubjectPublicKeyInfo.
  const key = rsaKey(bytes, 'spki') ?? rsaKey(bytes, 'pkcs1')
  if (key === null) return 'not_a_key'
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  return bits < minBits ? 'weak_key' : { publicKey: bytesIn('rsa', key), bits }
}

const rsaKey = (bytes: Buffer, type: 'spki' | 'pkcs1'): KeyObject | null => {
  try {
    const key = createPublicKey({ key: bytes, format: 'der', type })
    return key.asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}

/** Returns the length of a DER sequence by its first bytes, which may be more than there are; 0: no sequence. */
const derLength = (bytes: Buffer): number => {
  const [tag, length = 0] = bytes
  if (tag !== 0x30) return 0
  if (length < 0x80) return 2 + length
  const width = length - 0x80
  if (width < 1 || width > 3) return 0
  return bytes.length < 2 + width ? 2 + width : 2 + width + bytes.readUIntBE(2, width)
}
