import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Fault } from './fault.ts'

/*
 * Encrypts small secrets of records, such as private keys, under the master key of the installation. The text of a
 * sealed secret names the master key by an id, so that the master key can be changed while the old and the new one are
 * configured.
 */

/**
 * The context of a sealed secret, such as the id of a domain and a selector. It cannot be opened in another context.
 */
export type SecretContext = readonly string[]

/**
 * `unknown_secret`: it was sealed under a master key that is not configured; `secretId` is the id of that key.
 * `damaged`: the text was changed, belongs to another context or purpose, or is not a sealed secret.
 */
export type Opened =
  | { kind: 'opened'; plain: Buffer }
  | { kind: 'unknown_secret'; secretId: string }
  | { kind: 'damaged' }

export type SecretBox = {
  /** The id of the master key that seals. */
  readonly secretId: string
  /** Encrypts under the first master key. Returns text of the characters A-Z, a-z, 0-9, `-`, `_` and `.`. */
  seal(plain: Uint8Array, context: SecretContext): string
  open(sealed: string, context: SecretContext): Opened
  /** Whether a sealed secret can be opened, by the id alone: the check at start needs no decryption. */
  knows(secretId: string): boolean
}

/** Fewest characters of a master key. */
const minLength = 32

/**
 * Returns the master keys that a variable has: `new,old` are two if each has at least 32 characters. Otherwise the text
 * is one key, because a master key of an earlier release may contain a comma.
 */
export const masterSecrets = (text: string): [string, ...string[]] => {
  const [first = '', ...rest] = text.split(',').map((part) => part.trim())
  return [first, ...rest].every(({ length }) => length >= minLength) ? [first, ...rest] : [text]
}

type MakeSecretBoxOptions = {
  /** The master keys: the first seals, all of them open. */
  secrets: readonly [string, ...string[]]
  /** What the secrets are, such as `dkim`. Each purpose has keys of its own. */
  purpose: string
}

type DerivedKey = { id: string; key: Buffer }

/** AES-256-GCM with random nonces: NIST SP 800-38D §8.3 allows 2^32 of them under one key. */
const [cipherName, version, nonceBytes, tagBytes, keyBytes, idBytes] = ['aes-256-gcm', 's1', 12, 16, 32, 8] as const

/** Derives keys once, at start. Sealing and opening a private key costs some microseconds. */
export const makeSecretBox = ({ secrets, purpose }: MakeSecretBoxOptions): SecretBox => {
  const [first, ...rest] = secrets
  const current = derived(first, purpose)
  const byId = new Map([current, ...rest.map((secret) => derived(secret, purpose))].map(({ id, key }) => [id, key]))
  const associated = (id: string, context: SecretContext): Buffer =>
    // JSON separates the parts: ['a', 'bc'] and ['ab', 'c'] differ.
    Buffer.from(JSON.stringify([version, id, purpose, ...context]), 'utf8')
  return {
    secretId: current.id,
    knows: (secretId) => byId.has(secretId),
    seal: (plain, context) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(cipherName, current.key, nonce, { authTagLength: tagBytes })
      cipher.setAAD(associated(current.id, context))
      const bytes = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
      return `${version}.${current.id}.${bytes.toString('base64url')}`
    },
    open: (sealed, context) => {
      const { id, bytes } = partsOf(sealed)
      if (id === null) return { kind: 'damaged' }
      const key = byId.get(id)
      if (key === undefined) return { kind: 'unknown_secret', secretId: id }
      return decrypted(key, bytes, associated(id, context))
    },
  }
}

const sealedShape = /^s1\.([\w-]{11})\.([\w-]{38,})$/

const partsOf = (sealed: string): { id: string; bytes: Buffer } | { id: null; bytes: null } => {
  const [, id, text] = sealedShape.exec(sealed) ?? []
  if (id === undefined || text === undefined) return { id: null, bytes: null }
  const bytes = Buffer.from(text, 'base64url')
  // Unused bits of the last character would make a second text of the same secret.
  return bytes.toString('base64url') === text ? { id, bytes } : { id: null, bytes: null }
}

/** Returns the id of the master key that a sealed secret needs, or null for another text. */
export const secretIdOf = (sealed: string): string | null => partsOf(sealed).id

const decrypted = (key: Buffer, bytes: Buffer, associated: Buffer): Opened => {
  const tagAt = bytes.length - tagBytes
  const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(associated).setAuthTag(bytes.subarray(tagAt))
  // All of the text: GCM has no padding, and `final` only compares the tag. So there is one copy, which a caller can
  // erase.
  const plain = decipher.update(bytes.subarray(nonceBytes, tagAt))
  try {
    decipher.final()
    return { kind: 'opened', plain }
  } catch {
    plain.fill(0)
    return { kind: 'damaged' }
  }
}

/** HKDF-SHA256 (RFC 5869): the id is of another label than the key, so it reveals nothing of it. */
const derived = (secret: string, purpose: string): DerivedKey => {
  const bytesFor = (label: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', JSON.stringify(['postrider secret box', label, purpose]), length))
  return { id: bytesFor('id', idBytes).toString('base64url'), key: bytesFor('key', keyBytes) }
}

/**
 * Returns the plain secret.
 * @param what the secret in words for an operator, such as `the DKIM key of acme.example`
 * @throws Fault `conflict` with what an operator has to do; it contains no part of the secret or of a master key
 */
export const requireOpened = (opened: Opened, what: string): Buffer => {
  if (opened.kind === 'opened') return opened.plain
  if (opened.kind === 'unknown_secret') throw unknownSecret(opened.secretId, what)
  throw new Fault('conflict', `The stored form of ${what} is damaged; restore it from a backup.`)
}

/**
 * Checks, at start, that the master keys of all stored secrets are configured.
 * @param stored lists the ids of the master keys that the stored secrets need
 * @param what the secrets in words for an operator, such as `DKIM keys of sending domains`
 * @throws Fault `conflict`: a secret is not configured, with its id
 */
export const requireReadable = async (
  box: Pick<SecretBox, 'knows'>,
  stored: { secretIds(): Promise<readonly string[]> },
  what: string,
): Promise<void> => {
  const unknown = (await stored.secretIds()).find((id) => !box.knows(id))
  if (unknown !== undefined) throw unknownSecret(unknown, what)
}

/**
 * Returns the refusal for a master key that is not configured. A process that ends with it at start shows it to the
 * operator.
 */
export const unknownSecret = (secretId: string, what: string): Fault =>
  new Fault(
    'conflict',
    `The secret that encrypted ${what} is not configured (its id is ${secretId}); add it to POSTRIDER_SECRET after the current one, separated by a comma.`,
  )
