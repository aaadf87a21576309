import type { ApiKey__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ApiKey.ts'
import type { Workspace__Output } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { StoredKey, StoredWorkspace } from '@postrider/ports/accounts.ts'

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
  ...(workspace.rate === null ? {} : { rate: workspace.rate }),
  ...(workspace.burst === null ? {} : { burst: workspace.burst }),
  created_at: isoTime(workspace.createdAt),
})
