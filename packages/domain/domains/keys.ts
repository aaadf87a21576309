import { dayMs } from '../time.ts'
import {
  type DkimKey,
  type KeyAlgorithm,
  type NewKey,
  platformWorkspace,
  type RecordStatus,
  type SendingDomain,
  type SigningDomain,
} from './domain.ts'

/** Time for which the record of a replaced key stays: mail signed earlier may wait and be verified for days. */
export const retiringMs = 7 * dayMs
/** Replaced keys whose records people have not removed; older ones leave the document. */
const maxOldKeys = 4

/**
 * Returns a selector. It is a random label, so that two workspaces with the same name pending need different records.
 * @param random at least 8 octets
 */
export const selectorOf = (algorithm: KeyAlgorithm, random: Uint8Array): string =>
  `pr${algorithm === 'rsa' ? 'r' : 'e'}${Array.from(random.subarray(0, 8), (octet) => alphabet[octet & 31]).join('')}`

/** Letters and digits that people do not confuse. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/**
 * Returns an ownership token of 26 letters and digits.
 * @param random at least 26 octets
 */
export const tokenOf = (random: Uint8Array): string =>
  Array.from(random.subarray(0, 26), (octet) => alphabet[octet & 31]).join('')

export const shownKey = (key: NewKey, now: number): DkimKey => ({
  ...key,
  state: 'shown',
  shownAt: now,
  activeAt: null,
  retiredAt: null,
})

/** Returns whether the domain depends on the record of a key: the RSA key that signs, or is to sign first. */
export const isRequiredKey = (key: DkimKey, keys: readonly DkimKey[]): boolean =>
  key.algorithm === 'rsa' &&
  (key.state === 'active' ||
    (key.state === 'shown' && !keys.some(({ algorithm, state }) => algorithm === 'rsa' && state === 'active')))

/** Returns whether another key has replaced a key. */
export const isReplaced = ({ state }: Pick<DkimKey, 'state'>): boolean => state === 'retiring' || state === 'removable'

/** Returns whether a new RSA key waits for its record while another one signs. */
const isRotating = ({ keys }: Pick<SendingDomain, 'keys'>): boolean =>
  keys.some(({ algorithm, state }) => algorithm === 'rsa' && state === 'active') &&
  keys.some(({ algorithm, state }) => algorithm === 'rsa' && state === 'shown')

/**
 * Returns the algorithms that a rotation needs a new key for. Empty: a rotation runs already, and its record is to be
 * published first. An Ed25519 key that signs nothing stays: nothing is to be replaced.
 */
export const rotatedAlgorithms = (domain: Pick<SendingDomain, 'keys'>): KeyAlgorithm[] => {
  if (isRotating(domain)) return []
  const signs = domain.keys.some(({ algorithm, state }) => algorithm === 'ed25519' && state === 'active')
  const isNew = !domain.keys.some(({ state }) => state === 'active')
  return signs || isNew ? ['rsa', 'ed25519'] : ['rsa']
}

/**
 * Starts a rotation: the new keys are shown, and the keys that sign continue until the new records are found. Keys that
 * were shown and never signed are dropped.
 * @param fresh keys of `rotatedAlgorithms`
 */
export const withRotation = (domain: SendingDomain, fresh: readonly NewKey[], now: number): SendingDomain => {
  const replacedAlgorithms = new Set(fresh.map(({ algorithm }) => algorithm))
  const stays = domain.keys.flatMap((key) =>
    key.state !== 'shown' || !replacedAlgorithms.has(key.algorithm)
      ? [key]
      : key.activeAt === null
        ? []
        : [replaced(key, now)],
  )
  return { ...domain, keys: [...fresh.map((key) => shownKey(key, now)), ...stays], watchedSince: now }
}

/**
 * Returns whether the automatic rotation is due.
 * @param afterMs how long a key signs; null: the operator has not enabled it
 */
export const isRotationDue = (domain: SendingDomain, now: number, afterMs: number | null): boolean =>
  afterMs !== null &&
  domain.status === 'verified' &&
  rotatedAlgorithms(domain).length > 0 &&
  domain.keys.some(
    ({ algorithm, state, activeAt }) =>
      algorithm === 'rsa' && state === 'active' && activeAt !== null && now - activeAt >= afterMs,
  )

/**
 * Returns the keys after a check. A key whose record is found signs from now on, and replaces those of its algorithm.
 * The RSA key signs as long as the domain may send; an Ed25519 key stops immediately when its record is known to be
 * missing.
 * @param statusOf the state of a key's record
 */
export const keysAfterCheck = (
  keys: readonly DkimKey[],
  statusOf: (key: DkimKey) => RecordStatus,
  now: number,
): DkimKey[] => {
  const fresh = new Map<KeyAlgorithm, DkimKey>()
  for (const key of keys) {
    if (key.state === 'shown' && statusOf(key) === 'found' && !fresh.has(key.algorithm)) fresh.set(key.algorithm, key)
  }
  const next = keys.flatMap((key) => {
    const replacement = fresh.get(key.algorithm)
    if (replacement === key) return [{ ...key, state: 'active' as const, activeAt: key.activeAt ?? now }]
    return aged(replacement ? replaced(key, now) : key, statusOf(key), now)
  })
  const old = next.filter(isReplaced).slice(0, maxOldKeys)
  return next.filter((key) => !isReplaced(key) || old.includes(key))
}

/** A key of the same algorithm signs from now on: a key that ever signed is retired, any other is dropped by `aged`. */
const replaced = (key: DkimKey, now: number): DkimKey =>
  isReplaced(key) ? key : { ...key, state: 'retiring', retiredAt: now, sealed: null }

const aged = (key: DkimKey, status: RecordStatus, now: number): DkimKey[] => {
  if (key.algorithm === 'ed25519' && key.state === 'active' && (status === 'missing' || status === 'wrong')) {
    return [{ ...key, state: 'shown' }]
  }
  if (!isReplaced(key)) return [key]
  if (key.activeAt === null) return []
  const isRemovable = now - (key.retiredAt ?? now) >= retiringMs
  if (isRemovable && status === 'missing') return []
  return [isRemovable ? { ...key, state: 'removable' } : key]
}

/** A key that signs now. */
export type SigningKey = Pick<DkimKey, 'selector' | 'algorithm'> & { sealed: NonNullable<DkimKey['sealed']> }

/**
 * Returns the keys that sign mail of a domain: RSA first. The platform's own domain signs also before its records are
 * found, because its mail cannot wait for an operator.
 */
export const signingKeys = ({ keys, workspace }: Pick<SigningDomain, 'keys' | 'workspace'>): SigningKey[] => {
  const signs = ({ state, algorithm }: DkimKey) =>
    state === 'active' ||
    (workspace === platformWorkspace &&
      state === 'shown' &&
      !keys.some((other) => other.algorithm === algorithm && other.state === 'active'))
  return (['rsa', 'ed25519'] as const).flatMap((algorithm) =>
    keys.flatMap((key) =>
      key.algorithm === algorithm && signs(key) && key.sealed
        ? [{ selector: key.selector, algorithm, sealed: key.sealed }]
        : [],
    ),
  )
}

/** Purpose of the encryption of DKIM keys: another purpose has other keys of the same secret. */
export const dkimSecretPurpose = 'dkim'

/** Returns what a sealed DKIM key is bound to: it cannot be opened as the key of another domain or selector. */
export const sealedContext = (
  { id }: Pick<SendingDomain, 'id'>,
  { selector }: Pick<DkimKey, 'selector'>,
): readonly string[] => [id, selector]
