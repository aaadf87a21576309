import type { AccountLimits } from '@postrider/domain/accounts/limits.ts'
import { mayDo, type Permission, type Role, roleRefusal } from '@postrider/domain/accounts/roles.ts'
import type { SignUpPolicy } from '@postrider/domain/accounts/signUp.ts'
import type { PlanName } from '@postrider/domain/quota/plans.ts'
import type { RetentionLimits } from '@postrider/domain/retention/retention.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { SecretBox } from '@postrider/kit/secretBox.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import type { LinkStore } from '@postrider/ports/links.ts'
import type { NotificationStore } from '@postrider/ports/notifications.ts'
import type { UserStore } from '@postrider/ports/users.ts'
import type { WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'
import type { DeferWrite } from './deferredWrites.ts'
import type { MailQueue } from './mailQueue.ts'
import type { AccountsMetrics } from './metrics.ts'
import type { Passwords } from './passwords.ts'

/** Dependencies of every operation of this service. */
export type Deps = {
  accounts: AccountStore
  users: UserStore
  links: LinkStore
  /** Encrypts the secrets of second factors. */
  box: SecretBox
  /** Sends system mail. */
  mails: Pick<MailQueue, 'post'>
  /** Returns the address of the service for links in emails. It never comes from a request. */
  publicUrl: () => string
  audit: Audit
  /** What members chose to be mailed about, and their devices. */
  notifications: Pick<NotificationStore, 'preferences' | 'setPreferences' | 'deviceOf' | 'rememberDevice'>
  /** Stores what members are mailed about. */
  events: Pick<WorkspaceEventStore, 'insert'>
  /** The domains that a key may be limited to. */
  domains: Pick<DomainStore, 'senders'>
  limiter: Limiter
  now: Clock
  /** Who may sign up: everyone, invited people only, or no one. */
  signup: SignUpPolicy
  /** The plan of new workspaces. */
  defaultPlan: PlanName
  /**
   * Owns the plan and the spending cap, which are read here and not copied. Accounts writes only the first allowance of
   * a workspace, before the workspace exists.
   */
  ledger: Pick<Ledger, 'allowance' | 'setAllowance' | 'deleteAllowance'>
  passwords: Passwords
  /** Returns that many unpredictable bytes. */
  random: (size: number) => Uint8Array
  limits: AccountLimits
  /** How long content is stored at most. */
  retention: Pick<RetentionLimits, 'contentMs'>
  deferWrite: DeferWrite
  metrics: Pick<AccountsMetrics, 'loginsRefused'>
}

/**
 * Checks that the role of a user in a workspace has a permission, and returns the role.
 * @throws Fault `forbidden`, naming the roles that have it
 */
export const requirePermission = async (
  { accounts }: Pick<Deps, 'accounts'>,
  { workspace, user }: { workspace: string; user: string },
  permission: Permission,
): Promise<Role> => {
  const role = await accounts.role(workspace, user)
  if (role !== null && mayDo(role, permission)) return role
  throw new Fault('forbidden', roleRefusal(permission))
}
