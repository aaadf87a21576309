import type { ApiKey__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ApiKey.ts'
import type { KeyList__Output } from '@postrider/contracts/gen/postrider/accounts/v1/KeyList.ts'
import type { KeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/KeyRequest.ts'
import type { UpdateKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/UpdateKeyRequest.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import { Fault, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { isId } from '@postrider/kit/ids.ts'
import type { KeyChange, StoredKey } from '@postrider/ports/accounts.ts'
import type { Deps } from './deps.ts'
import {
  domainName,
  domainProblems,
  expiry,
  expiryProblems,
  keyNameProblems,
  scopeProblems,
  unique,
} from './keyRules.ts'
import { networkProblems } from './networks.ts'
import { keyRecord } from './records.ts'
import { keyMakers, requireRole } from './roles.ts'

/** Longest list: the valid ones, and the revoked of late beside them. */
const longestList = 200

export const listKeys = async (
  { accounts }: Deps,
  { workspace }: WorkspaceRequest__Output,
): Promise<KeyList__Output> => ({
  keys: (await accounts.listKeys(workspace, longestList)).map(keyRecord),
})

const noSuchKey = () => new Fault('not_found', 'There is no such API key.')

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
    ? [{ path: 'scopes', code: 'empty', message: 'A key has at least one scope.' }]
    : []),
  ...(request.set_domains ? domainProblems(request.domains) : []),
  ...(request.set_networks ? networkProblems('networks', request.networks) : []),
]

const changeOf = (request: UpdateKeyRequest__Output): KeyChange => ({
  ...(request.name === undefined ? {} : { name: request.name.trim() }),
  ...(request.expires_at === undefined ? {} : { expiresAt: expiry(request.expires_at) }),
  ...(request.set_scopes ? { scopes: unique(request.scopes) } : {}),
  ...(request.set_domains ? { domains: unique(request.domains.map(domainName)) } : {}),
  ...(request.set_networks ? { networks: unique(request.networks) } : {}),
})

/** Which fields changed, as texts. */
const auditDetail = ({ name, ...change }: KeyChange): Record<string, string | number | boolean | null> => ({
  ...(name === undefined ? {} : { name: true }),
  ...Object.fromEntries(
    Object.entries(change).map(([field, value]) => [field, Array.isArray(value) ? value.join(' ') : value]),
  ),
})

/** Changes the given fields of a key that isn't revoked; one that expired may be given a new end. */
export const updateKey = async (deps: Deps, request: UpdateKeyRequest__Output): Promise<ApiKey__Output> => {
  await requireRole(deps, request, keyMakers)
  const { revokedAt } = await findKey(deps, request)
  if (revokedAt !== null) throw new Fault('conflict', 'This API key was revoked; make a new one.')
  const at = deps.now()
  refuseAny(problemsOf(request, at))
  const change = changeOf(request)
  const { workspace, user: actor, id } = request
  const key = await deps.accounts.changeKey(workspace, id, change)
  if (key === null) throw noSuchKey()
  await deps.audit.record({ workspace, at, actor, action: 'key.update', target: id, detail: auditDetail(change) })
  return keyRecord(key)
}

/** Ends a key for good; again changes nothing. */
export const revokeKey = async (deps: Deps, request: KeyRequest__Output) => {
  await requireRole(deps, request, keyMakers)
  const { revokedAt } = await findKey(deps, request)
  if (revokedAt !== null) return {}
  const { workspace, user: actor, id } = request
  const at = deps.now()
  await deps.accounts.changeKey(workspace, id, { revokedAt: at })
  await deps.audit.record({ workspace, at, actor, action: 'key.revoke', target: id, detail: {} })
  return {}
}
