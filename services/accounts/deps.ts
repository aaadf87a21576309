import type { PeopleLimits } from '@postrider/domain/accounts/people.ts'
import { mayDo, type Permission, type Role, roleRefusal } from '@postrider/domain/accounts/roles.ts'
import type { PlanName } from '@postrider/domain/quota/plans.ts'
import type { RetentionLimits } from '@postrider/domain/retention/retention.ts'
import { hourMs } from '@postrider/domain/time.ts'
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

/** What every operation of this service gets. */
export type Deps = {
  accounts: AccountStore
  users: UserStore
  links: LinkStore
  /** Encrypts the secrets of second factors. */
  box: SecretBox
  /** Sends mail of the platform. */
  mails: Pick<MailQueue, 'post'>
  /** Returns the address of the service, of which links in mails are made: never one of a request. */
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
  signup: 'open' | 'invite' | 'off'
  /** The plan of new workspaces. */
  defaultPlan: PlanName
  /**
   * Owns the plan and the spending cap, which are read here and not copied. Accounts writes only the first allowance of a
   * workspace, before the workspace exists.
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

/** Limits of this service; every refusal names its limit. Rates are requests per second. */
export type AccountLimits = {
  /** Per client address. */
  signUp: { rate: number; burst: number }
  /** Per account and client address. */
  logIn: { rate: number; burst: number }
  /** Per client address, for all accounts together. */
  logInOfClient: { rate: number; burst: number }
  /** Codes of a second factor, per user. */
  codes: { rate: number; burst: number }
  /** Checks of the password by a session, per user. */
  passwordChecks: { rate: number; burst: number }
  /** Mails that a person lets us send, per user. */
  mails: { rate: number; burst: number }
  /** The same to one address, for all users together. */
  mailsOfAddress: { rate: number; burst: number }
  /** Requests for a new password, per address. */
  resetsOfAddress: { rate: number; burst: number }
  /** The same, per client address. */
  resetsOfClient: { rate: number; burst: number }
  /** Uses of links from mails, per client address. */
  linksOfClient: { rate: number; burst: number }
  /** Valid keys of a workspace. */
  keys: number
  people: PeopleLimits
  /** Mails of invitations: of a workspace, and to one address. */
  invitations: { mails: { rate: number; burst: number }; mailsOfAddress: { rate: number; burst: number } }
  /** Workspaces of a user, those of others included. */
  workspacesOfUser: number
  /** A session ends after this long without use. */
  sessionIdleMs: number
  /** A session ends at this age, even if it is in use. */
  sessionAgeMs: number
}

export const defaultLimits: AccountLimits = {
  signUp: { rate: 30 / 3600, burst: 10 },
  logIn: { rate: 5 / 60, burst: 5 },
  logInOfClient: { rate: 60 / 60, burst: 60 },
  codes: { rate: 20 / 3600, burst: 20 },
  passwordChecks: { rate: 30 / 3600, burst: 10 },
  mails: { rate: 10 / 3600, burst: 5 },
  mailsOfAddress: { rate: 10 / 86_400, burst: 10 },
  resetsOfAddress: { rate: 5 / 3600, burst: 5 },
  resetsOfClient: { rate: 60 / 3600, burst: 30 },
  linksOfClient: { rate: 60 / 60, burst: 60 },
  keys: 100,
  people: { members: 500, invitations: 100 },
  invitations: { mails: { rate: 50 / 86_400, burst: 50 }, mailsOfAddress: { rate: 10 / 86_400, burst: 10 } },
  workspacesOfUser: 50,
  sessionIdleMs: 12 * hourMs,
  sessionAgeMs: 30 * 24 * hourMs,
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
