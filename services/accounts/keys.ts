import type { ApiKey__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ApiKey.ts'
import type { CreatedKey__Output } from '@postrider/contracts/gen/postrider/accounts/v1/CreatedKey.ts'
import type { CreateKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/CreateKeyRequest.ts'
import type { KeyList__Output } from '@postrider/contracts/gen/postrider/accounts/v1/KeyList.ts'
import type { KeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/KeyRequest.ts'
import type { UpdateKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/UpdateKeyRequest.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import { defaultScopes, hashApiKey, type KeyMode, makeApiKey, shownParts } from '@postrider/domain/accounts/apiKey.ts'
import {
  domainProblems,
  expiryProblems,
  keyModeProblems,
  keyNameProblems,
  networkProblems,
  scopeProblems,
} from '@postrider/domain/accounts/keyRules.ts'
import { keyManagers } from '@postrider/domain/accounts/roles.ts'
import { parseTime } from '@postrider/domain/time.ts'
import { Fault, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { isId, newId } from '@postrider/kit/ids.ts'
import type { KeyChange, StoredKey } from '@postrider/ports/accounts.ts'
import { type Deps, requireRole } from './deps.ts'
import { keyRecord } from './records.ts'

const unique = (values: readonly string[]): string[] => [...new Set(values)]

/** An expiry that passed `expiryProblems`, as stored. */
const expiry = (expiresAt: string): number | null => (expiresAt === '' ? null : parseTime(expiresAt))

const newKey = (request: CreateKeyRequest__Output, secret: string, mode: KeyMode, now: number): StoredKey => ({
  id: newId('key'),
  workspace: request.workspace,
  hash: hashApiKey(secret),
  name: request.name.trim(),
  scopes: request.scopes.length === 0 ? [...defaultScopes] : unique(request.scopes),
  mode,
  ...shownParts(secret),
  domains: [],
  networks: unique(request.networks),
  createdAt: now,
  expiresAt: expiry(request.expires_at),
  lastUsedAt: null,
  revokedAt: null,
})

/** Makes a key and returns its secret, which is not stored. Without scopes it gets the default ones; without a mode it is live. */
export const createKey = async (deps: Deps, request: CreateKeyRequest__Output): Promise<CreatedKey__Output> => {
  await requireRole(deps, request, keyManagers)
  const now = deps.now()
  refuseAny([
    ...keyNameProblems(request.name),
    ...scopeProblems(request.scopes),
    ...(request.mode === '' ? [] : keyModeProblems(request.mode)),
    ...expiryProblems(request.expires_at, now),
    ...domainProblems(request.domains),
    ...networkProblems(request.networks),
  ])
  const mode = request.mode === 'test' ? 'test' : 'live'
  const secret = makeApiKey(mode, deps.random)
  const key = newKey(request, secret, mode, now)
  if (!(await deps.accounts.insertKey(key, deps.limits.keys)))
    throw new Fault('conflict', `A workspace may have at most ${deps.limits.keys} API keys; revoke an unused one.`)
  const { workspace, user: actor } = request
  const detail = { mode, scopes: key.scopes.join(' ') }
  await deps.audit.record({ workspace, at: now, actor, action: 'key.create', target: key.id, detail })
  return { key: keyRecord(key), secret }
}

/** The longest list: all valid keys and the most recently revoked. */
const longestList = 200

/** Returns all keys of a workspace, newest first: there are few. */
export const listKeys = async (
  { accounts }: Deps,
  { workspace }: WorkspaceRequest__Output,
): Promise<KeyList__Output> => ({
  keys: (await accounts.listKeys(workspace, longestList)).map(keyRecord),
})

const noSuchKey = () => new Fault('not_found', 'This workspace has no such API key.')

const findKey = async (
  { accounts }: Deps,
  { workspace, id }: { workspace: string; id: string },
): Promise<StoredKey> => {
  const key = isId('key', id) ? await accounts.key(workspace, id) : null
  if (key === null) throw noSuchKey()
  return key
}

const problemsOf = (request: UpdateKeyRequest__Output, now: number): Problem[] => [
  ...(request.name === undefined ? [] : keyNameProblems(request.name)),
  ...(request.expires_at === undefined ? [] : expiryProblems(request.expires_at, now)),
  ...(request.set_scopes ? scopeProblems(request.scopes) : []),
  ...(request.set_scopes && request.scopes.length === 0
    ? [{ path: 'scopes', code: 'empty', message: 'A key needs at least one scope.' }]
    : []),
  ...(request.set_domains ? domainProblems(request.domains) : []),
  ...(request.set_networks ? networkProblems(request.networks) : []),
]

const changeOf = (request: UpdateKeyRequest__Output): KeyChange => ({
  ...(request.name === undefined ? {} : { name: request.name.trim() }),
  ...(request.expires_at === undefined ? {} : { expiresAt: expiry(request.expires_at) }),
  ...(request.set_scopes ? { scopes: unique(request.scopes) } : {}),
  ...(request.set_domains ? { domains: [] } : {}),
  ...(request.set_networks ? { networks: unique(request.networks) } : {}),
})

/** The changed fields for the audit log. A name is free text, so only its change is recorded. */
const auditDetail = ({ name, ...change }: KeyChange): Record<string, string | number | boolean | null> => ({
  ...(name === undefined ? {} : { name: true }),
  ...Object.fromEntries(
    Object.entries(change).map(([field, value]) => [field, Array.isArray(value) ? value.join(' ') : value]),
  ),
})

/** Changes the given fields of a key that is not revoked. An expired key may get a new expiry. */
export const updateKey = async (deps: Deps, request: UpdateKeyRequest__Output): Promise<ApiKey__Output> => {
  await requireRole(deps, request, keyManagers)
  const { revokedAt } = await findKey(deps, request)
  if (revokedAt !== null) throw new Fault('conflict', 'This API key is revoked and cannot be changed; make a new one.')
  const at = deps.now()
  refuseAny(problemsOf(request, at))
  const change = changeOf(request)
  const { workspace, user: actor, id } = request
  const key = await deps.accounts.changeKey(workspace, id, change)
  if (key === null) throw noSuchKey()
  await deps.audit.record({ workspace, at, actor, action: 'key.update', target: id, detail: auditDetail(change) })
  return keyRecord(key)
}

/** Revokes a key permanently. Revoking it again changes nothing. */
export const revokeKey = async (deps: Deps, request: KeyRequest__Output) => {
  await requireRole(deps, request, keyManagers)
  const { revokedAt } = await findKey(deps, request)
  if (revokedAt !== null) return {}
  const { workspace, user: actor, id } = request
  const at = deps.now()
  await deps.accounts.changeKey(workspace, id, { revokedAt: at })
  await deps.audit.record({ workspace, at, actor, action: 'key.revoke', target: id, detail: {} })
  return {}
}
