import type { KeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/KeyRequest.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import type { ApiKey, CreatedKey, CreateKeyRequest, UpdateKeyRequest } from '@postrider/contracts/services.ts'
import { defaultScopes, type KeyMode, makeApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { keyChangeProblems, newKeyRecord } from '@postrider/domain/accounts/keyLife.ts'
import { expiryProblems, keyModeProblems, keyNameProblems, scopeProblems } from '@postrider/domain/accounts/keyRules.ts'
import { type Role, scopeRefusal } from '@postrider/domain/accounts/roles.ts'
import { Fault, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { isId, newId } from '@postrider/kit/ids.ts'
import type { KeyChange, StoredKey } from '@postrider/ports/accounts.ts'
import { keyEntry, keyState, newEntry } from './auditEntries.ts'
import { type Deps, requirePermission } from './deps.ts'
import { readLimits } from './keyLimits.ts'
import { keyRecord } from './records.ts'

const unique = (values: readonly string[]): string[] => [...new Set(values)]

/** Returns the id and the secret of a new key. The secret is not stored. */
export const newSecret = ({ random }: Pick<Deps, 'random'>, mode: KeyMode): { id: string; secret: string } => ({
  id: newId('key'),
  secret: makeApiKey(mode, random),
})

const problemsOfNew = (request: CreateKeyRequest, now: number): Problem[] => [
  ...keyNameProblems(request.name),
  ...scopeProblems(request.scopes),
  ...(request.mode === '' ? [] : keyModeProblems(request.mode)),
  ...expiryProblems(request.expires_at, now),
]

/** Makes a key and returns its secret, which is not stored. Without scopes it gets the default ones; without a mode it is live. */
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
export const refuseMoreThanRole = (chosen: readonly string[], role: Role): void => {
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

const noSuchKey = () => new Fault('not_found', 'This workspace has no such API key.')

export const findKey = async (
  { accounts }: Deps,
  { workspace, id }: { workspace: string; id: string },
): Promise<StoredKey> => {
  const key = isId('key', id) ? await accounts.key(workspace, id) : null
  if (key === null) throw noSuchKey()
  return key
}

const changeOf = (request: UpdateKeyRequest): KeyChange => ({
  ...(request.name === undefined ? {} : { name: request.name.trim() }),
  ...(request.expires_at === undefined ? {} : { expiresAt: request.expires_at }),
  ...(request.scopes === undefined ? {} : { scopes: unique(request.scopes) }),
})

/** Changes the given fields of a key that is not revoked. An expired key may get a new expiry. */
export const updateKey = async (deps: Deps, request: UpdateKeyRequest): Promise<ApiKey> => {
  const role = await requirePermission(deps, request, 'keys:write')
  const found = await findKey(deps, request)
  const at = deps.now()
  const limits = await readLimits(deps, request.workspace, request)
  refuseAny([...keyChangeProblems(request, found, at), ...limits.problems])
  if (found.revokedAt !== null)
    throw new Fault('conflict', 'This API key is revoked and cannot be changed; make a new one.')
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
  if (key === null) throw noSuchKey()
  return isLate ? updateKey(deps, request) : keyRecord(key, at)
}

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
