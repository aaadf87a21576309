import type { Mode } from '../email/email.ts'
import type { Problem } from '../problem.ts'
import { dayMs, isoTime } from '../time.ts'
import { hashApiKey, shownParts } from './apiKey.ts'
import { expiryProblems, keyNameProblems, scopeProblems } from './keyRules.ts'

/**
 * The life of an API key. It is valid until it expires or a person revokes it; a revoked key stays revoked. A key that
 * is replaced is valid until the end of the overlap, and its successor has its settings. keyRules.ts has what a key may
 * have.
 */
export type StoredKey = {
  id: string
  workspace: string
  hash: Uint8Array
  name: string
  scopes: string[]
  mode: Mode
  /** `pr_live_` and the first four characters of the secret. */
  prefix: string
  lastFour: string
  /** Sending domains that it may use; empty: all. */
  domains: string[]
  /** CIDRs that it may be used from; empty: any. */
  networks: string[]
  /** Addresses and domains that it may send to; empty: all. */
  recipients: string[]
  /** Id of the first of the keys that replaced each other; its own, if it replaces none. Mail is stored under it. */
  family: string
  /** Ids of the keys that it replaces, and by which it is replaced; null: none. */
  rolledFrom: string | null
  rolledTo: string | null
  createdAt: number
  /** null: never. */
  expiresAt: number | null
  /** Rounded to the minute; null: never. */
  lastUsedAt: number | null
  /** The client's address of the last use; empty: none is known. */
  lastUsedFrom: string
  /** null: not revoked. */
  revokedAt: number | null
}

type Times = Pick<StoredKey, 'expiresAt' | 'revokedAt'>
type Rolled = Pick<StoredKey, 'rolledTo' | 'revokedAt'>

const hasExpired = (expiresAt: number | null, now: number): expiresAt is number =>
  expiresAt !== null && expiresAt <= now

/**
 * Returns whether a key counts against the maximum number of keys of its workspace. Only such a key can be replaced.
 */
export const usesSlot = ({ revokedAt, rolledTo }: Rolled): boolean => revokedAt === null && rolledTo === null

/** Returns why a key authenticates no request; null: it does. Every request with a key calls it. */
export const useRefusal = ({ expiresAt, revokedAt }: Times, now: number): string | null => {
  if (revokedAt !== null) return `This API key was revoked at ${isoTime(revokedAt)}; use another key.`
  return hasExpired(expiresAt, now) ? `This API key expired at ${isoTime(expiresAt)}; extend it or use another.` : null
}

type Fresh = { id: string; secret: string; now: number }

const freshParts = ({ id, secret, now }: Fresh) => ({
  ...{ id, hash: hashApiKey(secret), ...shownParts(secret) },
  ...{ rolledFrom: null, rolledTo: null, createdAt: now, lastUsedAt: null, lastUsedFrom: '', revokedAt: null },
})

type Settings = Pick<
  StoredKey,
  'workspace' | 'name' | 'scopes' | 'mode' | 'expiresAt' | 'domains' | 'networks' | 'recipients'
>

/** Returns the record of a new key, which contains nothing of the secret but its hash and the parts that lists show. */
export const newKeyRecord = (fresh: Fresh, settings: Settings): StoredKey => ({
  ...settings,
  ...freshParts(fresh),
  family: fresh.id,
})

/** Returns why a key cannot be replaced; null: it can. */
export const rollRefusal = ({ revokedAt, rolledTo, expiresAt }: Times & Rolled, now: number): string | null => {
  if (revokedAt !== null) return 'This API key is revoked and cannot be rolled; create a new one.'
  if (rolledTo !== null) return `This API key was replaced by ${rolledTo} already; roll that one.`
  return hasExpired(expiresAt, now)
    ? `This API key expired at ${isoTime(expiresAt)} and cannot be rolled; extend it, or create a new one.`
    : null
}

/**
 * Returns the successor of a key, which has its settings, expiry and family, and the replaced key, which expires at the
 * end of the overlap. An earlier expiry stays.
 */
export const rolledKey = (old: StoredKey, { overlapMs, ...fresh }: Fresh & { overlapMs: number }) => {
  const { workspace, name, scopes, mode, expiresAt, domains, networks, recipients, family } = old
  const settings = { workspace, name, scopes, mode, expiresAt, domains, networks, recipients }
  const successor: StoredKey = { ...settings, ...freshParts(fresh), family, rolledFrom: old.id }
  const endsAt = Math.min(fresh.now + overlapMs, expiresAt ?? Number.POSITIVE_INFINITY)
  return { successor, replaced: { ...old, rolledTo: successor.id, expiresAt: endsAt } }
}

/** Returns whether an expiry is after another one; null: never. */
const isLater = (expiresAt: number | null, than: number | null): boolean =>
  than !== null && (expiresAt === null || expiresAt > than)

/** What a request changes of a key; an absent field stays as it is. */
type Change = { name?: string; scopes?: readonly string[]; expires_at?: number | null }

/** Returns the problems of a change. An expired key may get a new expiry, and a replaced one only an earlier expiry. */
export const keyChangeProblems = (
  { name, scopes, expires_at: expiresAt }: Change,
  key: Pick<StoredKey, 'rolledTo' | 'expiresAt'>,
  now: number,
): Problem[] => [
  ...(name === undefined ? [] : keyNameProblems(name)),
  ...(expiresAt === undefined ? [] : expiryProblems(expiresAt, now)),
  ...scopeProblems(scopes ?? []),
  ...(scopes?.length === 0 ? [{ path: 'scopes', code: 'empty', message: 'A key needs at least one scope.' }] : []),
  ...(key.rolledTo !== null && expiresAt !== undefined && isLater(expiresAt, key.expiresAt)
    ? [
        {
          path: 'expires_at',
          code: 'too_late',
          message: `This key was replaced by ${key.rolledTo} and can only expire earlier; omit expires_at, or use an earlier time.`,
        },
      ]
    : []),
]

/** A key that is not used for so long is reported. */
export const unusedAfterMs = 90 * dayMs

/** Returns the time since which a valid key is not used, if that is long ago; null: it is used, or not valid. */
export const unusedSince = (
  { createdAt, lastUsedAt, expiresAt, revokedAt }: Times & Pick<StoredKey, 'createdAt' | 'lastUsedAt'>,
  now: number,
): number | null => {
  const since = lastUsedAt ?? createdAt
  const isValid = revokedAt === null && !hasExpired(expiresAt, now)
  return isValid && now - since >= unusedAfterMs ? since : null
}
