import { createHash } from 'node:crypto'
import type { LogInRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/LogInRequest.ts'
import type { SessionReply__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionReply.ts'
import { normaliseEmail } from '@postrider/domain/accounts/textRules.ts'
import { auditNetwork, rateLimitClient } from '@postrider/domain/network.ts'
import type { Bucket, Verdict } from '@postrider/domain/rateLimit/gcra.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'
import { openSession } from './session.ts'

/**
 * Extra buckets that only failed log-ins fill. After ten failures the next attempt waits a minute, after twenty 15
 * minutes. The wait never grows further, so an attacker cannot lock an account permanently.
 */
const failureBuckets = [
  { name: 'few', rate: 1 / 60, burst: 10 },
  { name: 'many', rate: 1 / 900, burst: 20 },
] as const

const pseudonym = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 22)

const refuse = ({ retryAfterMs }: Verdict): never => {
  const detail = 'Too many log-ins to this account from your address; wait for the time in Retry-After.'
  throw new Fault('rate_limited', detail, { retryAfterMs })
}

/** Counts an attempt. Earlier failures lengthen the wait; checking them costs nothing (cost 0). */
const limitLogIns = async ({ limiter, limits, now }: Deps, who: string, failures: readonly Bucket[]): Promise<void> => {
  const byFailures = await limiter.take(failures, 0, now())
  if (!byFailures.admitted) refuse(byFailures)
  const byAttempts = await limiter.take([{ key: `${who}/login`, ...limits.logIn }], 1, now())
  if (!byAttempts.admitted) refuse(byAttempts)
}

/**
 * Opens a session. An unknown address and a wrong password get the same text after the same work, so a caller cannot
 * learn which addresses have an account.
 * @throws Fault `unauthenticated`; `rate_limited`: too many attempts on this account from this address
 */
export const logIn = async (deps: Deps, request: LogInRequest__Output): Promise<SessionReply__Output> => {
  const { accounts, audit, limiter, now, passwords } = deps
  const clientAddress = request.client_address
  const normalised = normaliseEmail(request.email)
  const email = 'email' in normalised ? normalised.email : request.email
  const who = `${pseudonym(email)}|${rateLimitClient(clientAddress)}`
  const failures = failureBuckets.map(({ name, ...bucket }) => ({ key: `${who}/login-${name}`, ...bucket }))
  await limitLogIns(deps, who, failures)

  const user = await accounts.userByEmail(email)
  const isRight = await passwords.verify(user?.passwordHash ?? null, request.password)
  const [membership] = user === null ? [] : await accounts.memberships(user.id)
  const workspace = membership === undefined ? null : await accounts.workspace(membership.workspace)
  if (user !== null && membership !== undefined && workspace !== null && isRight)
    return openSession(deps, { user, role: membership.role, workspace, clientAddress })

  await limiter.take(failures, 1, now())
  await audit.record({
    workspace: workspace?.id ?? '',
    at: now(),
    actor: user?.id ?? '',
    action: 'session.refuse',
    target: user?.id ?? '',
    detail: { account: pseudonym(email), network: auditNetwork(clientAddress) },
  })
  throw new Fault('unauthenticated', 'The email address or the password is wrong.')
}
