import type { KeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/KeyRequest.ts'
import type { RollKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/RollKeyRequest.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import type { ApiKey, CreatedKey, CreateKeyRequest, UpdateKeyRequest } from '@postrider/contracts/services.ts'
import { defaultScopes, type KeyMode, makeApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { keyChangeProblems, newKeyRecord, rolledKey, rollRefusal } from '@postrider/domain/accounts/keyLife.ts'
import {
  type ReadEntries,
  readNetworks,
  readRecipients,
  readSenderNames,
} from '@postrider/domain/accounts/keyRestrictions.ts'
import { expiryProblems, keyModeProblems, keyNameProblems, scopeProblems } from '@postrider/domain/accounts/keyRules.ts'
import { type Role, scopeRefusal } from '@postrider/domain/accounts/roles.ts'
import { auditedChange } from '@postrider/domain/audit/entry.ts'
import { Fault, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { isId, newId } from '@postrider/kit/ids.ts'
import { busyFault, retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { KeyChange, StoredKey } from '@postrider/ports/accounts.ts'
import { keyEntry, keyState, newEntry } from './auditEntries.ts'
import { type Deps, requirePermission } from './deps.ts'
import { keyRecord } from './records.ts'

const unique = (values: readonly string[]): string[] => [...new Set(values)]

/** Returns the id and the secret of a new key. The secret is not stored. */
const newSecret = ({ random }: Pick<Deps, 'random'>, mode: KeyMode): { id: string; secret: string } => ({
  id: newId('key'),
  secret: makeApiKey(mode, random),
})

const problemsOfNew = (request: CreateKeyRequest, now: number): Problem[] => [
  ...keyNameProblems(request.name),
  ...scopeProblems(request.scopes),
  ...(request.mode === '' ? [] : keyModeProblems(request.mode)),
  ...expiryProblems(request.expires_at, now),
]

/**
 * Makes a key and returns its secret, which is not stored. Without scopes it gets the default ones; without a mode it
 * is live.
 */
export const createKey = async (deps: Deps, request: CreateKeyRequest): Promise<CreatedKey> => {
  const role = await requirePermission(deps, request, 'keys:write')
  const { domains, networks, recipients } = request
  const limits = await readLimits(deps, request.workspace, { domains, networks, recipients })
  refuseAny([...problemsOfNew(request, deps.now()), ...limits.problems])
  refuseMoreThanRole(request.scopes, role)
  const { workspace, user: actor, client_address: clientAddress } = request
  const mode: KeyMode = request.mode === 'test' ? 'test' : 'live'
  const { id, secret } = newSecret(deps, mode)
  const settings = {
    ...{ workspace, mode, name: request.name.trim(), expiresAt: request.expires_at },
    scopes: request.scopes.length === 0 ? [...defaultScopes] : unique(request.scopes),
    ...{ domains: [], networks: [], recipients: [], ...limits.values },
  }
  const key = newKeyRecord({ id, secret, now: deps.now() }, settings)
  const by = { actor, clientAddress, at: key.createdAt }
  const audit = newEntry(by, { workspace, action: 'key.create', target: key.id, after: keyState(key) })
  if (!(await deps.accounts.insertKey(key, deps.limits.keys, audit)))
    throw new Fault('conflict', `A workspace may have at most ${deps.limits.keys} API keys; revoke an unused one.`)
  return { key: keyRecord(key, deps.now()), secret }
}

/** @throws Fault `forbidden`: the role lacks one of the scopes */
const refuseMoreThanRole = (chosen: readonly string[], role: Role): void => {
  const refusal = scopeRefusal(role, chosen)
  if (refusal !== null) throw new Fault('forbidden', refusal)
}

/** The longest list: all valid keys and the most recently revoked. */
const maxListLength = 200

/** Returns all keys of a workspace, newest first: there are few. */
export const listKeys = async (
  { accounts, now }: Deps,
  { workspace }: WorkspaceRequest__Output,
): Promise<{ keys: ApiKey[] }> => {
  const keys = await accounts.listKeys(workspace, maxListLength)
  const at = now()
  return { keys: keys.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map((key) => keyRecord(key, at)) }
}

const noSuchKeyFault = () => new Fault('not_found', 'This workspace has no such API key.')

const findKey = async (
  { accounts }: Deps,
  { workspace, id }: { workspace: string; id: string },
): Promise<StoredKey> => {
  const key = isId('key', id) ? await accounts.key(workspace, id) : null
  if (key === null) throw noSuchKeyFault()
  return key
}

const changeOf = (request: UpdateKeyRequest): KeyChange => ({
  ...(request.name === undefined ? {} : { name: request.name.trim() }),
  ...(request.expires_at === undefined ? {} : { expiresAt: request.expires_at }),
  ...(request.scopes === undefined ? {} : { scopes: unique(request.scopes) }),
})

/** Another request changed the key since this one read it. */
const keyConflict = { rounds: 'plainRecord', onBusy: () => busyFault('API key') } as const

/** Changes the given fields of a key that is not revoked. An expired key may get a new expiry. */
export const updateKey = (deps: Deps, request: UpdateKeyRequest): Promise<ApiKey> =>
  retryOnConflict(async () => {
    const role = await requirePermission(deps, request, 'keys:write')
    const found = await findKey(deps, request)
    const at = deps.now()
    const limits = await readLimits(deps, request.workspace, request)
    refuseAny([...keyChangeProblems(request, found, at), ...limits.problems])
    if (found.revokedAt !== null)
      throw new Fault('conflict', 'This API key is revoked and cannot be changed; create a new one.')
    if (request.scopes !== undefined) refuseMoreThanRole(request.scopes, role)
    const change = { ...changeOf(request), ...limits.values }
    const { workspace, user: actor, id, client_address: clientAddress } = request
    const entryOf = keyEntry({ actor, clientAddress, at }, 'key.update')
    // Another request may have rolled or revoked the key since it was read.
    let isLate = false
    const key = await deps.accounts.changeKey(workspace, id, change, (before, after) => {
      isLate = before.revokedAt !== null || keyChangeProblems(request, before, at).length > 0
      return isLate ? null : entryOf(before, after)
    })
    if (key === null) throw noSuchKeyFault()
    return isLate ? undefined : keyRecord(key, at)
  }, keyConflict)

/** Revokes a key permanently. Revoking it again changes nothing. */
export const revokeKey = async (deps: Deps, request: KeyRequest__Output) => {
  await requirePermission(deps, request, 'keys:write')
  await findKey(deps, request)
  const { workspace, user: actor, id, client_address: clientAddress } = request
  const at = deps.now()
  const entryOf = keyEntry({ actor, clientAddress, at }, 'key.revoke')
  await deps.accounts.changeKey(workspace, id, { revokedAt: at }, (before, after) =>
    before.revokedAt === null ? entryOf(before, after) : null,
  )
  return {}
}

/** The limits of a key; an empty list is no limit. */
type KeyLimits = Pick<StoredKey, 'domains' | 'networks' | 'recipients'>

/** The limits that a request sets, as a person entered them; an absent limit is not set. */
type LimitRequest = { [Name in keyof KeyLimits]?: readonly string[] }

/**
 * Returns the limits of a request as they are stored, and every problem. The workspace's domains are read from the
 * store, and only if the request names some, so keys can be made while no process of the domains service runs.
 */
const readLimits = async (
  { domains: store }: Pick<Deps, 'domains'>,
  workspace: string,
  { domains, networks, recipients }: LimitRequest,
): Promise<{ values: Partial<KeyLimits>; problems: Problem[] }> => {
  const usable = domains !== undefined && domains.length > 0 ? await store.senders(workspace) : []
  const read: [keyof KeyLimits, ReadEntries][] = [
    ...(domains === undefined ? [] : [['domains', readSenderNames(domains, usable)] as [keyof KeyLimits, ReadEntries]]),
    ...(networks === undefined ? [] : [['networks', readNetworks(networks)] as [keyof KeyLimits, ReadEntries]]),
    ...(recipients === undefined ? [] : [['recipients', readRecipients(recipients)] as [keyof KeyLimits, ReadEntries]]),
  ]
  return {
    values: Object.fromEntries(read.flatMap(([name, result]) => (result.ok ? [[name, result.values]] : []))),
    problems: read.flatMap(([, result]) => (result.ok ? [] : result.problems)),
  }
}

/**
 * Makes a key with the same name, scopes, mode, limits and expiry, and lets the old one expire at the end of the
 * overlap. An earlier expiry of the old key stays. Both count as the same key: each may read the mail of the other. Of
 * two concurrent requests one is refused, and a successor has every limit that the key gets during the request. A role
 * that does not have the scopes of the key cannot get its successor.
 */
export const rollKey = (deps: Deps, request: RollKeyRequest__Output): Promise<CreatedKey> =>
  retryOnConflict(async () => {
    const role = await requirePermission(deps, request, 'keys:write')
    const old = await findKey(deps, request)
    const now = deps.now()
    const refusal = rollRefusal(old, now)
    if (refusal !== null) throw new Fault('conflict', refusal)
    refuseMoreThanRole(old.scopes, role)
    const { id, secret } = newSecret(deps, old.mode)
    const { successor, replaced } = rolledKey(old, { id, secret, now, overlapMs: request.overlap_ms })
    const by = { actor: request.user, clientAddress: request.client_address, at: now }
    const change = { before: null, after: null, ...auditedChange(old, replaced, keyState) }
    const entry = newEntry(by, { workspace: old.workspace, action: 'key.roll', target: old.id, ...change })
    // Another request may have changed, rolled or revoked the key since it was read.
    const isRolled = await deps.accounts.rollKey({ old, successor, expiresAt: replaced.expiresAt }, entry)
    return isRolled ? { key: keyRecord(successor, now), secret } : undefined
  }, keyConflict)
