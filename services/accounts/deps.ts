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
  /** Sends system mail. */
  mails: Pick<MailQueue, 'post'>
  /** Returns the address of the service, of which links in emails are made: never one of a request. */
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

const unitSeconds = { minute: 60, hour: 3_600, day: 86_400 } as const

/** How often something may be done: `rate` in requests per second, so many at the same time, and the rate as refusals name it. */
export type AccountRate = { rate: number; burst: number; text: string }

const perUnit = (count: number, unit: keyof typeof unitSeconds, burst = count): AccountRate => ({
  rate: count / unitSeconds[unit],
  burst,
  text: `${count} ${unit === 'hour' ? 'an' : 'a'} ${unit}`,
})

/** Limits of this service; every refusal names its limit. */
export type AccountLimits = {
  /** Per client address. */
  signUp: AccountRate
  /** Per account and client address. */
  logIn: AccountRate
  /** Per client address, for all accounts together. */
  logInOfClient: AccountRate
  /** Codes of a second factor, per user. */
  codes: AccountRate
  /** Checks of the password by a session, per user. */
  passwordChecks: AccountRate
  /** Emails that a person lets us send, per user. */
  mails: AccountRate
  /** The same to one address, for all users together. */
  mailsOfAddress: AccountRate
  /** Requests for a new password, per address. */
  resetsOfAddress: AccountRate
  /** The same, per client address. */
  resetsOfClient: AccountRate
  /** Uses of links from emails, per client address. */
  linksOfClient: AccountRate
  /** Valid keys of a workspace. */
  keys: number
  people: PeopleLimits
  /** Emails of invitations: of a workspace, and to one address. */
  invitations: { mails: AccountRate; mailsOfAddress: AccountRate }
  /** Workspaces of a user, those of others included. */
  workspacesOfUser: number
  /** A session ends after this long without use. */
  sessionIdleMs: number
  /** A session ends at this age, even if it is in use. */
  sessionAgeMs: number
}

export const defaultLimits: AccountLimits = {
  signUp: perUnit(30, 'hour', 10),
  logIn: perUnit(5, 'minute'),
  logInOfClient: perUnit(60, 'minute'),
  codes: perUnit(20, 'hour'),
  passwordChecks: perUnit(30, 'hour', 10),
  mails: perUnit(10, 'hour', 5),
  mailsOfAddress: perUnit(10, 'day'),
  resetsOfAddress: perUnit(5, 'hour'),
  resetsOfClient: perUnit(60, 'hour', 30),
  linksOfClient: perUnit(60, 'minute'),
  keys: 100,
  people: { members: 500, invitations: 100 },
  invitations: { mails: perUnit(50, 'day'), mailsOfAddress: perUnit(10, 'day') },
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
