import { hash, timingSafeEqual } from 'node:crypto'
import { operatorGuesses, operatorGuessesPerMinute } from '@postrider/domain/rateLimit/buckets.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { sessionToken } from '../callers/session.ts'
import type { Context, OperatorBy, RouteDeps, Step } from '../deps.ts'
import { operatorFault } from '../suggestions/credentialProblems.ts'
import {
  bearerToken,
  changesSomething,
  nullIfEnded,
  refuseOtherSite,
  requireCsrfToken,
  sentCsrfToken,
} from './credentials.ts'

/*
 * Who may use the operator's routes: the holder of the operator's token, and users who are marked as operators, by a
 * session that passed their second factor. A request with an `Authorization` header is judged by it alone, so an API
 * key of an operator opens nothing. A session of any other user is refused as a request without credentials is.
 */

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

type Deps = Pick<RouteDeps, 'limiter' | 'elapsed' | 'accounts' | 'config'>

/**
 * Authenticates the operator. Wrong tokens are limited per client address. An address over the limit gets 429 for a
 * right token too, so that its guesses get no response; other addresses are not affected.
 * @param by `token`: sessions are refused
 * @throws Fault `unauthenticated`, `rate_limited`; for a session also `csrf`, `forbidden`
 */
export const authenticateOperator = (token: string, by: true | 'token', deps: Deps): Step => {
  const expected = digest(token)
  return async function authenticateOperator(context, next) {
    const { headers } = context.req
    const cookie = headers.authorization === undefined ? sessionToken(context.req, context.state.secure) : null
    if (cookie === null) await requireToken(expected, deps, context)
    const user = cookie === null ? null : await operatorOf(cookie, by, deps, context)
    context.state.by = operatorBy(context, user)
    return next()
  }
}

const operatorBy = ({ state }: Context, user: string | null): OperatorBy => ({
  client_address: state.clientAddress,
  ...(user !== null && { operator: user }),
})

/** @param cost 0: only decides @throws Fault `rate_limited` */
const limitGuesses = async ({ limiter, elapsed }: Deps, { state }: Context, cost: 0 | 1): Promise<void> => {
  const { admitted, retryAfterMs } = await limiter.take([operatorGuesses(state.clientAddress)], cost, elapsed())
  if (!admitted) throw tooManyWrongTokensFault(retryAfterMs)
}

/** Compares digests, so that neither the length nor the beginning of the token shows in the time taken. */
const requireToken = async (expected: Buffer, deps: Deps, context: Context): Promise<void> => {
  const sent = bearerToken(context.req.headers.authorization)
  const isRight = timingSafeEqual(digest(sent), expected)
  // Without a token there is no guess to count.
  if (sent !== '') await limitGuesses(deps, context, isRight ? 0 : 1)
  if (!isRight) throw operatorFault(context.req, sent)
}

const tooManyWrongTokensFault = (retryAfterMs: number): Fault => {
  const detail = `Too many wrong operator tokens from your address (${operatorGuessesPerMinute} a minute); wait for the time in Retry-After.`
  return new Fault('rate_limited', detail, { retryAfterMs })
}

/**
 * Returns the id of the operator that a session belongs to. The session is read for each request, so the end of the
 * session, of the role or of the second factor applies to the next request. It is not bound to a workspace, so
 * `X-Workspace` is not read. An accounts service of the last release does not support operators.
 */
const operatorOf = async (token: string, by: true | 'token', deps: Deps, context: Context): Promise<string> => {
  const { accounts, config, elapsed } = deps
  await limitGuesses(deps, context, 0)
  const startedAt = elapsed()
  const request = { token, client_address: context.state.clientAddress }
  const reply = await accounts.AuthenticateSession(request).catch(nullIfEnded)
  context.state.authenticatedInMs = elapsed() - startedAt
  if (reply === null) await limitGuesses(deps, context, 1)
  // Before every other check: another user learns nothing from the response.
  if (!reply?.operator || !reply.caller) throw operatorFault(context.req, '')
  if (changesSomething(context)) {
    refuseOtherSite(context.req, config.publicUrl)
    requireCsrfToken(sentCsrfToken(context.req), reply.csrf_token)
  }
  if (!reply.totp_enabled) throw needsFactorFault('totp_required', totpOff)
  if (!reply.totp_passed) throw needsFactorFault('totp_not_passed', totpNotPassed)
  if (by === 'token') throw new Fault('forbidden', tokenOnly)
  return reply.caller.userId
}

const totpOff =
  'Operators need two-factor authentication: switch it on for your account in the settings of the dashboard, or with POST /api/v1/auth/totp and POST /api/v1/auth/totp/confirm, then repeat the request.'

const totpNotPassed =
  'This session was opened without a code of your two-factor authentication: log out, log in again with a code, then repeat the request.'

const tokenOnly =
  'Operators can be added and removed only with the operator’s token: send it as Authorization: Bearer, without a session.'

const needsFactorFault = (code: string, detail: string): Fault =>
  new Fault('forbidden', detail, { problems: [{ path: '', code, message: detail }] })
