import type { ApiKey__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ApiKey.ts'
import type { Caller__Output } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Workspace__Output } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import { type Role, scopesOfRole } from '@postrider/domain/accounts/roles.ts'
import { senderNameOf } from '@postrider/domain/accounts/textRules.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { StoredKey, StoredWorkspace } from '@postrider/ports/accounts.ts'

/** Stored records as this service's messages: empty texts and absent fields where the store has null. */

const timeOrEmpty = (at: number | null): string => (at === null ? '' : isoTime(at))

export const keyRecord = (key: StoredKey): ApiKey__Output => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  mode: key.mode,
  prefix: key.prefix,
  last_four: key.lastFour,
  created_at: isoTime(key.createdAt),
  expires_at: timeOrEmpty(key.expiresAt),
  last_used_at: timeOrEmpty(key.lastUsedAt),
  revoked_at: timeOrEmpty(key.revokedAt),
  domains: key.domains,
  networks: key.networks,
})

const rateOverrides = ({ rate, burst }: StoredWorkspace) => ({
  ...(rate === null ? {} : { rate }),
  ...(burst === null ? {} : { burst }),
})

export const workspaceRecord = (workspace: StoredWorkspace): Workspace__Output => ({
  id: workspace.id,
  name: workspace.name,
  plan: workspace.plan,
  sender_name: workspace.senderName,
  postal_address: workspace.postalAddress,
  on_unknown: workspace.onUnknown,
  retention: workspace.retention,
  ...(workspace.spendingCapUsd === null ? {} : { spending_cap_usd: workspace.spendingCapUsd }),
  suspended: workspace.suspended,
  note: workspace.note,
  ...rateOverrides(workspace),
  created_at: isoTime(workspace.createdAt),
})

const callerSettings = (workspace: StoredWorkspace) => ({
  workspace: workspace.id,
  sender_name: senderNameOf(workspace),
  has_postal_address: workspace.postalAddress !== '',
  on_unknown: workspace.onUnknown,
  suspended: workspace.suspended,
  ...rateOverrides(workspace),
})

/** A person as the caller of a request. */
export const sessionCaller = (user: string, role: Role, workspace: StoredWorkspace): Caller__Output => ({
  ...callerSettings(workspace),
  key_id: '',
  user_id: user,
  role,
  mode: 'live',
  scopes: scopesOfRole(role),
  domains: [],
})

/** An API key as the caller of a request. */
export const keyCaller = (key: StoredKey, workspace: StoredWorkspace): Caller__Output => ({
  ...callerSettings(workspace),
  key_id: key.id,
  user_id: '',
  role: '',
  mode: key.mode,
  scopes: key.scopes,
  domains: key.domains,
})
