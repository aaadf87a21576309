import type { LogInRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/LogInRequest.ts'
import type { SessionReply } from '@postrider/contracts/services.ts'
import type { AccountRate } from '@postrider/domain/accounts/limits.ts'
import {
  accountPseudonym,
  familiarNetwork,
  logInFailures,
  networkOf,
  refusalEntries,
} from '@postrider/domain/accounts/logInLimits.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { normalizeEmail } from '@postrider/domain/accounts/textRules.ts'
import { hasTotp } from '@postrider/domain/accounts/users.ts'
import { rateLimitClient } from '@postrider/domain/network.ts'
import type { RateBucket } from '@postrider/domain/rateLimit/gcra.ts'
import { minuteMs } from '@postrider/domain/time.ts'
import { Fault, invalid } from '@postrider/kit/fault.ts'
import type { StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import { newEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'
import type { LogInRefusal } from './metrics.ts'
import { requireEnabled } from './operatorUsers.ts'
import { bucketOf, rateRefusal } from './rateLimits.ts'
import { useCode } from './secondFactor.ts'
import { openSession } from './session.ts'

/** Who tries to log in to which account. `account` is its pseudonym. */
type Attempt = { account: string; clientAddress: string }

/** Counts a refusal and throws it. */
const refuse = ({ metrics }: Deps, reason: LogInRefusal, fault: Fault): never => {
  metrics.loginsRefused.inc({ reason })
  throw fault
}

const limits = {
  client: { reason: 'client_limit', text: 'Too many logins from your address' },
  clientFailures: { reason: 'client_limit', text: 'Too many failed logins from your address' },
  pair: { reason: 'account_limit', text: 'Too many logins to this account from your address' },
  pairFailures: { reason: 'account_limit', text: 'Too many failed logins to this account from your address' },
  networkFailures: { reason: 'network_limit', text: 'Too many failed logins from your network' },
  accountFailures: { reason: 'account_limit', text: 'Too many failed logins to this account' },
} as const satisfies Record<string, { reason: LogInRefusal; text: string }>

/** Refuses an attempt after too many failures; it uses nothing of their buckets. @throws Fault `rate_limited` */
const refuseAfterFailures = async (
  deps: Deps,
  limit: keyof typeof limits,
  buckets: readonly RateBucket[],
): Promise<void> => {
  const { reason, text } = limits[limit]
  const refusal = await rateRefusal(deps, buckets, text, 0)
  if (refusal !== null) refuse(deps, reason, refusal)
}

/** Counts an attempt. @throws Fault `rate_limited` */
const countAttempt = async (deps: Deps, limit: keyof typeof limits, key: string, rate: AccountRate): Promise<void> => {
  const { reason, text } = limits[limit]
  const refusal = await rateRefusal(deps, [bucketOf(key, rate)], `${text} (${rate.text})`)
  if (refusal !== null) refuse(deps, reason, refusal)
}

/** Whether someone logged in to the account from this network before. */
const isFamiliar = async ({ limiter, now }: Deps, { account, clientAddress }: Attempt): Promise<boolean> =>
  (await limiter.take([familiarNetwork(account, clientAddress)], 0, now())).resetMs > 0

/**
 * Counts an attempt and refuses it if it, or the failures before it, are too many.
 * @returns whether the account was logged in to from this network before
 */
const limitAttempt = async (deps: Deps, attempt: Attempt): Promise<boolean> => {
  const { account, clientAddress } = attempt
  const client = rateLimitClient(clientAddress)
  const failures = logInFailures(account, clientAddress)
  await refuseAfterFailures(deps, 'clientFailures', failures.client)
  await countAttempt(deps, 'client', `${client}/login`, deps.limits.logInOfClient)
  await refuseAfterFailures(deps, 'pairFailures', failures.pair)
  await countAttempt(deps, 'pair', `${account}|${client}/login`, deps.limits.logIn)
  if (await isFamiliar(deps, attempt)) return true
  await refuseAfterFailures(deps, 'networkFailures', failures.network)
  await refuseAfterFailures(deps, 'accountFailures', failures.account)
  return false
}

const countFailure = async ({ limiter, now }: Deps, { account, clientAddress }: Attempt): Promise<void> => {
  const failures = Object.values(logInFailures(account, clientAddress))
  await Promise.all(failures.map((buckets) => limiter.take(buckets, 1, now())))
}

/** Returns the workspace that a user joined first; null: the user is in none. */
export const membershipOf = async (
  { accounts }: Deps,
  { id }: User,
): Promise<{ role: Role; workspace: StoredWorkspace } | null> => {
  const [membership] = await accounts.memberships(id)
  const workspace = membership === undefined ? null : await accounts.workspace(membership.workspace)
  return membership && workspace ? { role: membership.role, workspace } : null
}

/**
 * Records a refused login to an existing account, unless the limit of such entries is reached. It is written after the
 * response, so the time taken does not show that the account exists. A refused login to an unknown account is only
 * counted.
 */
const recordRefusal = (deps: Deps, user: User, { account, clientAddress }: Attempt): void => {
  const { audit, limiter, deferWrite, now } = deps
  const at = now()
  const network = networkOf(clientAddress)
  deferWrite(`refusal ${user.id} ${network}`, at - (at % minuteMs), async () => {
    const { admitted } = await limiter.take(refusalEntries(account, clientAddress), 1, at)
    if (!admitted) return
    const workspace = (await membershipOf(deps, user))?.workspace.id ?? ''
    const act = { workspace, action: 'session.refuse' as const, target: user.id }
    await audit.record(newEntry({ actor: user.id, clientAddress, at }, act))
  })
}

/**
 * Returns the user of an address and a password. An unknown address and a wrong password get the same text after the
 * same work, so a caller cannot learn which addresses have an account.
 * @throws Fault `unauthenticated`; `validation_failed` at `code`: the account has no second factor, and the password is
 *   right; `forbidden`: the operator disabled the user, and the password is right; `rate_limited`: too many attempts
 *   (domain/accounts/logInLimits.ts); `unavailable`: too many hashes wait
 */
export const identify = async (deps: Deps, request: LogInRequest__Output): Promise<User> => {
  const { accounts, passwords } = deps
  const clientAddress = request.client_address
  const normalized = normalizeEmail(request.email)
  const email = 'email' in normalized ? normalized.email : request.email
  const attempt = { account: accountPseudonym(email), clientAddress }
  const isKnown = await limitAttempt(deps, attempt)

  const user = await accounts.userByEmail(email)
  const isRight = await passwords
    .verify(user?.passwordHash ?? null, request.password, clientAddress, isKnown)
    .catch((thrown: unknown) => {
      if (thrown instanceof Fault) return refuse(deps, 'busy', thrown)
      throw thrown
    })
  if (user && isRight) {
    await requireEnabled(deps, user.id)
    if (hasTotp(user)) await requireCode(deps, { user, attempt, code: request.code ?? '' })
    else refuseUnusedCode(deps, request.code ?? '')
    return user
  }

  await countFailure(deps, attempt)
  if (user) recordRefusal(deps, user, attempt)
  const reason = user === null ? 'unknown_account' : 'wrong_password'
  return refuse(deps, reason, new Fault('unauthenticated', 'The email address or the password is wrong.'))
}

/**
 * Opens a session in the workspace that the user joined first.
 * @throws Fault of `identify`; `forbidden`: the user is a member of no workspace
 */
export const logIn = async (deps: Deps, request: LogInRequest__Output): Promise<SessionReply> => {
  const user = await identify(deps, request)
  const membership = await membershipOf(deps, user)
  const { client_address: clientAddress, user_agent: userAgent = '' } = request
  if (membership) return openSession(deps, { user, ...membership, clientAddress, userAgent })
  const detail =
    'You are not a member of a workspace; accept an invitation, or sign up with the same address and password.'
  return refuse(deps, 'no_workspace', new Fault('forbidden', detail))
}

/** A caller that sends a code expects that it is checked. Only the right password leads here, as for a missing code. */
const refuseUnusedCode = (deps: Deps, code: string): void => {
  if (code === '') return
  const message = 'This account has no two-factor authentication, so no code is checked; leave `code` out.'
  refuse(deps, 'unused_code', invalid({ path: 'code', code: 'not_used', message }))
}

/** @throws Fault `unauthenticated` with the code `totp_required` or `invalid_code`; `rate_limited` */
const requireCode = async (
  deps: Deps,
  { user, attempt, code }: { user: User; attempt: Attempt; code: string },
): Promise<void> => {
  if (code === '') {
    const message =
      'This account has two-factor authentication: send the code of its app, or a recovery code, as `code`.'
    const problems = [{ path: 'code', code: 'totp_required', message }]
    return refuse(deps, 'code_missing', new Fault('unauthenticated', message, { problems }))
  }
  if (await useCode(deps, user, code, attempt.clientAddress)) return
  await countFailure(deps, attempt)
  recordRefusal(deps, user, attempt)
  const message = 'The code is wrong, expired or already used; send the code that the app shows now.'
  const problems = [{ path: 'code', code: 'invalid_code', message }]
  refuse(deps, 'wrong_code', new Fault('unauthenticated', message, { problems }))
}
