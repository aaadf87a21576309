import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { PlanName } from '@postrider/domain/quota/plans.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import type { DeferWrite } from './deferredWrites.ts'
import type { AccountsMetrics } from './metrics.ts'
import type { Passwords } from './passwords.ts'

/** What every operation of this service gets. */
export type Deps = {
  accounts: AccountStore
  audit: Audit
  limiter: Limiter
  now: Clock
  /** Who may sign up: everyone, invited people only, or no one. */
  signup: 'open' | 'invite' | 'off'
  /** The plan of new workspaces. */
  defaultPlan: PlanName
  /** Enforces the plan. Accounts writes only the first allowance of a workspace, before the workspace exists. */
  ledger: Pick<Ledger, 'setAllowance' | 'deleteAllowance'>
  passwords: Passwords
  /** Returns that many unpredictable bytes. */
  random: (size: number) => Uint8Array
  limits: AccountLimits
  deferWrite: DeferWrite
  metrics: AccountsMetrics
}

/** Limits of this service; every refusal names its limit. Rates are requests per second. */
export type AccountLimits = {
  /** Per client address. */
  signUp: { rate: number; burst: number }
  /** Per account and client address. */
  logIn: { rate: number; burst: number }
  /** Per client address, for all accounts together. */
  logInOfClient: { rate: number; burst: number }
  /** Valid keys of a workspace. */
  keys: number
  /** A session ends after this long without use. */
  sessionIdleMs: number
  /** A session ends at this age, even if it is in use. */
  sessionAgeMs: number
}

const hourMs = 3_600_000

export const defaultLimits: AccountLimits = {
  signUp: { rate: 30 / 3600, burst: 10 },
  logIn: { rate: 5 / 60, burst: 5 },
  logInOfClient: { rate: 60 / 60, burst: 60 },
  keys: 100,
  sessionIdleMs: 12 * hourMs,
  sessionAgeMs: 30 * 24 * hourMs,
}

/**
 * Checks that a user has one of the roles in a workspace.
 * @throws Fault `forbidden`, naming the roles that may
 */
export const requireRole = async (
  { accounts }: Deps,
  { workspace, user }: { workspace: string; user: string },
  allowed: readonly Role[],
): Promise<void> => {
  const role = await accounts.role(workspace, user)
  if (role !== null && allowed.includes(role)) return
  throw new Fault('forbidden', `This needs one of these roles in the workspace: ${allowed.join(', ')}.`)
}
