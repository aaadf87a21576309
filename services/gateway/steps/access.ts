import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { rateLimitClient } from '@postrider/domain/network.ts'
import { Fault, given } from '@postrider/kit/fault.ts'
import { operatorRefusal, unauthenticated } from '../authHints.ts'
import type { Context, Identity, RouteDeps, Step } from '../deps.ts'
import { type Access, type Route, scopesOf } from '../route.ts'
import { sessionToken } from '../session.ts'
import { limitRate } from './limitRate.ts'

/**
 * Returns the steps that decide whether a request may use a route; null: the route is switched off. They authenticate,
 * count against the rate limit and check access, in this order, so that a request without the scope counts too.
 */
export const accessSteps = ({ access, limit, body }: Route, deps: RouteDeps): Step[] | null => {
  const { operatorToken, publicUrl } = deps.config
  if ('operator' in access) return operatorToken === null ? null : [authenticateOperator(operatorToken, deps)]
  if ('open' in access) return body ? [ownSiteOnly(publicUrl)] : []
  return [authenticate(deps), ...(limit === null ? [] : [limitRate(limit, deps)]), checkAccess(access)]
}

const bearerToken = (header: string | undefined): string => /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? ''

/**
 * Identifies the caller by API key, else by the session's cookie. A mistyped key costs no look-up. A change by session
 * must come from our own pages.
 * @throws Fault `unauthenticated`, `csrf`
 */
const authenticate = (deps: Pick<RouteDeps, 'accounts' | 'keyCache' | 'config'>): Step =>
  async function authenticate(context, next) {
    const { authorization } = context.req.headers
    context.state.identity =
      authorization === undefined ? await bySession(deps, context) : await byKey(deps, authorization, context)
    return next()
  }

const byKey = async (
  { keyCache }: Pick<RouteDeps, 'keyCache'>,
  header: string,
  context: Context,
): Promise<Identity> => {
  const key = bearerToken(header)
  if (!parseApiKey(key)) throw unauthenticated(context.req)
  const caller = await keyCache.caller(hash('sha256', key, 'buffer'), context.state.clientAddress)
  return { caller, session: null }
}

const bySession = async (deps: Pick<RouteDeps, 'accounts' | 'config'>, context: Context): Promise<Identity> => {
  const token = sessionToken(context.req, context.state.secure)
  if (token === null) throw unauthenticated(context.req)
  const reply = await deps.accounts.AuthenticateSession({ token })
  if (context.method !== 'GET' && context.method !== 'HEAD') {
    refuseOtherSite(context.req, deps.config.publicUrl)
    requireCsrfToken(String(context.req.headers['x-csrf-token'] ?? ''), reply.csrf_token)
  }
  const session = { token, csrfToken: reply.csrf_token, email: reply.email }
  return { caller: given(reply.caller, 'caller'), session }
}

/** Sign-up and log-in have no token yet, so only the site is checked. */
const ownSiteOnly = (publicUrl: string): Step =>
  function ownSiteOnly(context, next) {
    refuseOtherSite(context.req, publicUrl)
    return next()
  }

const otherSite = (): Fault =>
  new Fault(
    'csrf',
    'The request came from another site; log-ins, sign-ups and changes by session are only accepted from this site.',
  )

/** Whether a page's origin has the host and port that the request was made to. */
const isSameHost = (origin: string, host: string | undefined): boolean =>
  host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()

/**
 * Refuses a request that, according to the browser, another site made. A client that sends neither header passes.
 * @throws Fault `csrf`
 */
export const refuseOtherSite = (request: IncomingMessage, publicUrl: string): void => {
  const { origin, host } = request.headers
  if (request.headers['sec-fetch-site'] === 'cross-site') throw otherSite()
  if (origin === undefined || origin === publicUrl) return
  if (!isSameHost(origin, host)) throw otherSite()
}

/**
 * Requires the token that only our own pages can read.
 * @throws Fault `csrf`
 */
export const requireCsrfToken = (given: string, expected: string): void => {
  const sent = Buffer.from(given)
  const wanted = Buffer.from(expected)
  if (wanted.length > 0 && sent.length === wanted.length && timingSafeEqual(sent, wanted)) return
  throw new Fault(
    'csrf',
    'A change by session needs the header X-CSRF-Token with the csrf_token of GET /api/v1/auth/session.',
  )
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Wrong tokens per client address. */
const wrongTokens = { rate: 10 / 60, burst: 20 }

/**
 * Compares digests, so that neither the length nor the beginning of the token shows in the time taken. Wrong tokens are
 * limited per client address. An address over the limit gets 429 for a right token too, so that its guesses get no answer;
 * other addresses are not affected.
 * @throws Fault `unauthenticated`, `rate_limited`
 */
const authenticateOperator = (token: string, { limiter, now }: Pick<RouteDeps, 'limiter' | 'now'>): Step => {
  const expected = digest(token)
  return async function authenticateOperator(context, next) {
    const sent = bearerToken(context.req.headers.authorization)
    const isRight = timingSafeEqual(digest(sent), expected)
    // Without a token there is no guess to count.
    if (sent !== '') {
      const bucket = { key: `${rateLimitClient(context.state.clientAddress)}/operator`, ...wrongTokens }
      const { admitted, retryAfterMs } = await limiter.take([bucket], isRight ? 0 : 1, now())
      if (!admitted) throw tooManyWrongTokens(retryAfterMs)
    }
    if (isRight) return next()
    throw operatorRefusal(context.req, sent)
  }
}

const tooManyWrongTokens = (retryAfterMs: number): Fault => {
  const detail = 'Too many wrong operator tokens from your address (10 a minute); wait for the time in Retry-After.'
  return new Fault('rate_limited', detail, { retryAfterMs })
}

/** @throws Fault `insufficient_scope`, `session_required`: before any look-up, so the answer does not depend on the id */
const checkAccess = (access: Access): Step => {
  const scopes = scopesOf(access)
  return function checkAccess(context, next) {
    const { identity } = context.state
    if ('session' in access && !identity?.session) {
      throw new Fault(
        'session_required',
        'API keys cannot use this operation; log in (POST /api/v1/auth/login) and send the session’s cookie.',
      )
    }
    const isAllowed = scopes.length === 0 || scopes.some((scope) => identity?.caller.scopes.includes(scope))
    if (isAllowed) return next()
    const owner = identity?.session ? 'Your role' : 'This API key'
    throw new Fault('insufficient_scope', `${owner} does not have the scope ${scopes[0]}.`)
  }
}
