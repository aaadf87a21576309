import type { ApiKey, Caller, SessionCaller, Workspace } from '@postrider/contracts/services.ts'
import { unusedSince } from '@postrider/domain/accounts/keyLife.ts'
import { type Role, scopesOfRole } from '@postrider/domain/accounts/roles.ts'
import { senderNameOf } from '@postrider/domain/accounts/textRules.ts'
import type { Allowance } from '@postrider/domain/quota/plans.ts'
import { parseRetention } from '@postrider/domain/retention/retention.ts'
import type { StoredKey, StoredWorkspace } from '@postrider/ports/accounts.ts'

/* Stored records as this service shows them. */

export const keyRecord = (key: StoredKey, now: number): ApiKey => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  mode: key.mode,
  prefix: key.prefix,
  last_four: key.lastFour,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  last_used_at: key.lastUsedAt,
  revoked_at: key.revokedAt,
  domains: key.domains,
  networks: key.networks,
  recipients: key.recipients,
  last_used_from: key.lastUsedFrom,
  rolled_to: key.rolledTo ?? '',
  rolled_from: key.rolledFrom ?? '',
  unused_since: unusedSince(key, now),
})

const rateOverrides = ({ rate, burst }: StoredWorkspace) => ({
  ...(rate === null ? {} : { rate }),
  ...(burst === null ? {} : { burst }),
})

/** @param allowance in effect now */
export const workspaceRecord = (workspace: StoredWorkspace, { plan, spendingCapCents }: Allowance): Workspace => ({
  id: workspace.id,
  name: workspace.name,
  plan,
  sender_name: workspace.senderName,
  postal_address: workspace.postalAddress,
  on_unknown: workspace.onUnknown,
  retention: parseRetention(workspace.retention),
  ...(spendingCapCents === null ? {} : { spending_cap_usd: spendingCapCents / 100 }),
  suspended: workspace.suspended,
  note: workspace.note,
  ...rateOverrides(workspace),
  require_totp: workspace.requireTotp,
  created_at: workspace.createdAt,
  suspended_reason: workspace.suspendedReason,
  deletes_at: workspace.deletesAt,
})

const callerSettings = (workspace: StoredWorkspace) => ({
  workspace: workspace.id,
  senderName: senderNameOf(workspace),
  hasPostalAddress: workspace.postalAddress !== '',
  onUnknown: workspace.onUnknown,
  retention: parseRetention(workspace.retention),
  suspended: workspace.suspended,
  suspendedReason: workspace.suspendedReason || null,
  deletesAt: workspace.deletesAt,
  ...rateOverrides(workspace),
})

/** A person as the caller of a request. */
export const sessionCaller = (
  user: string,
  role: Role,
  workspace: StoredWorkspace,
  hasTotp: boolean,
): SessionCaller => ({
  ...callerSettings(workspace),
  keyId: null,
  userId: user,
  role,
  needsTotp: workspace.requireTotp && !hasTotp,
  mode: 'live',
  scopes: scopesOfRole(role),
  domains: [],
  recipients: [],
  keyFamily: null,
})

/** An API key as the caller of a request. */
export const keyCaller = (key: StoredKey, workspace: StoredWorkspace): Caller => ({
  ...callerSettings(workspace),
  keyId: key.id,
  userId: null,
  role: null,
  needsTotp: false,
  mode: key.mode,
  scopes: key.scopes,
  domains: key.domains,
  recipients: key.recipients,
  keyFamily: key.family,
})
