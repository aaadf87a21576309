import type { CreatedKey__Output } from '@postrider/contracts/gen/postrider/accounts/v1/CreatedKey.ts'
import type { CreateKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/CreateKeyRequest.ts'
import { defaultScopes, hashApiKey, makeApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { Fault, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredKey } from '@postrider/ports/accounts.ts'
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

const modeProblems = (mode: string): Problem[] =>
  ['', 'live', 'test'].includes(mode)
    ? []
    : [{ path: 'mode', code: 'invalid_value', message: 'This is "live" or "test".' }]

const newKey = (request: CreateKeyRequest__Output, secret: string, mode: 'live' | 'test', now: number): StoredKey => ({
  id: newId('key'),
  workspace: request.workspace,
  hash: hashApiKey(secret),
  name: request.name.trim(),
  scopes: request.scopes.length === 0 ? [...defaultScopes] : unique(request.scopes),
  mode,
  prefix: secret.slice(0, 'pr_live_'.length + 4),
  lastFour: secret.slice(-4),
  domains: unique(request.domains.map(domainName)),
  networks: unique(request.networks),
  createdAt: now,
  expiresAt: expiry(request.expires_at),
  lastUsedAt: null,
  revokedAt: null,
})

/** Makes a key and tells it, this once. No scopes: the default ones; no mode: live. */
export const createKey = async (deps: Deps, request: CreateKeyRequest__Output): Promise<CreatedKey__Output> => {
  await requireRole(deps, request, keyMakers)
  const now = deps.now()
  refuseAny([
    ...keyNameProblems(request.name),
    ...scopeProblems(request.scopes),
    ...modeProblems(request.mode),
    ...expiryProblems(request.expires_at, now),
    ...domainProblems(request.domains),
    ...networkProblems('networks', request.networks),
  ])
  const mode = request.mode === 'test' ? 'test' : 'live'
  const secret = makeApiKey(mode, deps.random)
  const key = newKey(request, secret, mode, now)
  if (!(await deps.accounts.insertKey(key, deps.limits.keys)))
    throw new Fault('conflict', `A workspace has at most ${deps.limits.keys} API keys; revoke one that isn't used.`)
  const { workspace, user: actor } = request
  const detail = { mode, scopes: key.scopes.join(' ') }
  await deps.audit.record({ workspace, at: now, actor, action: 'key.create', target: key.id, detail })
  return { key: keyRecord(key), secret }
}
