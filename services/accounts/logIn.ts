import { createHash } from 'node:crypto'
import type { LogInRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/LogInRequest.ts'
import type { SessionReply__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionReply.ts'
import { normaliseEmail } from '@postrider/domain/accounts/accountRules.ts'
import type { Bucket, Verdict } from '@postrider/domain/rateLimit/gcra.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { clientOf, networkOf } from './clientAddress.ts'
import type { Deps } from './deps.ts'
import { failureBuckets } from './limits.ts'
import { openSession } from './session.ts'

const pseudonym = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 22)

const refuse = ({ retryAfterMs }: Verdict): never => {
  throw new Fault('rate_limited', 'Too many log-ins of this account from your address; wait before the next one.', {
    retryAfterMs,
  })
}

/** Counts an attempt. Failures before it make the wait longer; asking for them takes nothing (cost 0). */
const limitLogIns = async ({ limiter, limits, now }: Deps, who: string, failures: readonly Bucket[]): Promise<void> => {
  const byFailures = await limiter.take(failures, 0, now())
  if (!byFailures.admitted) refuse(byFailures)
  const byAttempts = await limiter.take([{ key: `${who}/login`, ...limits.logIn }], 1, now())
  if (!byAttempts.admitted) refuse(byAttempts)
}

/**
 * Opens a session. An unknown address and a wrong password are told apart by nothing: same words, same work.
 * @throws Fault `unauthenticated`; `rate_limited`: too many tries of this account from this address
 */
export const logIn = async (deps: Deps, request: LogInRequest__Output): Promise<SessionReply__Output> => {
  const { accounts, audit, limiter, now, passwords } = deps
  const clientAddress = request.client_address
  const normalised = normaliseEmail(request.email)
  const email = 'email' in normalised ? normalised.email : request.email
  const who = `${pseudonym(email)}|${clientOf(clientAddress)}`
  const failures = failureBuckets.map(({ name, ...bucket }) => ({ key: `${who}/login-${name}`, ...bucket }))
  await limitLogIns(deps, who, failures)

  const user = await accounts.userByEmail(email)
  const right = await passwords.verify(user?.passwordHash ?? null, request.password)
  const [membership] = user === null ? [] : await accounts.memberships(user.id)
  const workspace = membership === undefined ? null : await accounts.workspace(membership.workspace)
  if (user !== null && membership !== undefined && workspace !== null && right)
    return openSession(deps, { user, role: membership.role, workspace, clientAddress })

  await limiter.take(failures, 1, now())
  await audit.record({
    workspace: workspace?.id ?? '',
    at: now(),
    actor: user?.id ?? '',
    action: 'session.refuse',
    target: user?.id ?? '',
    detail: { account: pseudonym(email), network: networkOf(clientAddress) },
  })
  throw new Fault('unauthenticated', 'The e-mail address or the password is wrong.')
}
