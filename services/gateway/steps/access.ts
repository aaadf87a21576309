import { hash } from 'node:crypto'
import { parseApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { isRole, mayDo, type Permission, roleRefusal } from '@postrider/domain/accounts/roles.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { sessionIdentity, sessionToken } from '../callers/session.ts'
import type { Context, Identity, RouteDeps, Step } from '../deps.ts'
import { type Access, type Route, rolesOf, scopesOf } from '../route.ts'
import { unauthenticatedFault } from '../suggestions/credentialProblems.ts'
import {
  bearerToken,
  changesSomething,
  nullIfEnded,
  refuseOtherSite,
  requireCsrfToken,
  sentCsrfToken,
} from './credentials.ts'
import { limitRate, takeRate } from './limitRate.ts'
import { authenticateOperator } from './operatorAccess.ts'

/**
 * Returns the steps that decide whether a request may use a route; null: the route is switched off. They authenticate,
 * count against the rate limit and check access, in this order, so that a request without the scope counts too.
 */
export const accessSteps = (
  { access, limit, body, isBatch, isOwnAccount = false }: Route,
  deps: RouteDeps,
): Step[] | null => {
  const { operatorToken, publicUrl } = deps.config
  if ('operator' in access) {
    return operatorToken === null ? null : [authenticateOperator(operatorToken, access.operator, deps)]
  }
  if ('open' in access) {
    return [...(body ? [ownSiteOnly(publicUrl)] : []), ...(access.mayHaveSession ? [readSession(deps)] : [])]
  }
  const check = checkAccess(access, isOwnAccount)
  if (limit === null) return [authenticate(deps), check]
  if (isBatch) return [authenticate(deps), limitRate(limit, deps, 0), countRefused(check, takeRate(limit, deps))]
  return [authenticate(deps), limitRate(limit, deps), check]
}

/** Counts what a check refuses as one request: the step that counts the messages of a batch does not see it. */
const countRefused = (check: Step, take: ReturnType<typeof takeRate>): Step =>
  async function countRefused(context, next) {
    try {
      await check(context, async () => {})
    } catch (thrown) {
      // A second refusal would hide the first.
      await take(context, 1).catch(() => {})
      throw thrown
    }
    return next()
  }

/**
 * Returns a function that authenticates a request once more and checks its access, after a wait: its session may
 * have ended, its key may be revoked, its role may have changed.
 * @throws Fault as the first time
 */
export const checkAgain = (
  { access, isOwnAccount = false }: Route,
  deps: RouteDeps,
): ((context: Context) => Promise<void>) => {
  const steps = 'scope' in access || 'session' in access ? [authenticate(deps), checkAccess(access, isOwnAccount)] : []
  return async (context) => {
    for (const step of steps) await step(context, async () => {})
  }
}

/**
 * Identifies the caller by API key, else by the session's cookie. A mistyped key costs no lookup. A change by session
 * must come from our own pages.
 * @throws Fault `unauthenticated`, `csrf`
 */
const authenticate = (deps: Pick<RouteDeps, 'accounts' | 'keyCache' | 'config' | 'elapsed'>): Step =>
  async function authenticate(context, next) {
    const { authorization } = context.req.headers
    const startedAt = deps.elapsed()
    context.state.identity =
      authorization === undefined ? await bySession(deps, context) : await byKey(deps, authorization, context)
    context.state.authenticatedInMs = deps.elapsed() - startedAt
    return next()
  }

const byKey = async (
  { keyCache }: Pick<RouteDeps, 'keyCache'>,
  header: string,
  context: Context,
): Promise<Identity> => {
  const key = bearerToken(header)
  if (!parseApiKey(key)) throw unauthenticatedFault(context.req)
  const known = keyCache.caller(hash('sha256', key, 'base64'), context.state.clientAddress)
  // To await a value creates a promise.
  const caller = known instanceof Promise ? await known : known
  requireWorkspace(context, caller.workspace)
  return { caller, session: null }
}

/** Identifies the person of a session, if there is one that has not ended. @throws Fault `csrf` */
const readSession = (deps: Pick<RouteDeps, 'accounts' | 'config'>): Step =>
  async function readSession(context, next) {
    const hasCookie = sessionToken(context.req, context.state.secure) !== null
    context.state.identity = hasCookie ? await bySession(deps, context).catch(nullIfEnded) : null
    return next()
  }

const bySession = async (deps: Pick<RouteDeps, 'accounts' | 'config'>, context: Context): Promise<Identity> => {
  const token = sessionToken(context.req, context.state.secure)
  if (token === null) throw unauthenticatedFault(context.req)
  const reply = await deps.accounts.AuthenticateSession({ token, client_address: context.state.clientAddress })
  const identity = sessionIdentity(token, reply)
  const isChange = changesSomething(context)
  if (isChange) refuseOtherSite(context.req, deps.config.publicUrl)
  // Before the token for changes, which a move of the session replaces.
  requireWorkspace(context, identity.caller.workspace)
  if (isChange) requireCsrfToken(sentCsrfToken(context.req), reply.csrf_token)
  return identity
}

/**
 * Refuses a request that names another workspace than its session. Two tabs share one session. A tab that shows another
 * workspace than the session's names it, so that it neither shows nor changes the wrong one.
 * @throws Fault `workspace_changed`
 */
export const requireWorkspace = ({ req }: Context, workspace: string): void => {
  const named = req.headers['x-workspace']
  if (named === undefined || named === workspace) return
  throw new Fault(
    'workspace_changed',
    'X-Workspace does not match the workspace of the session or API key. The session may have switched workspace in another tab: reload the page, or send POST /api/v1/auth/session without this header to switch.',
  )
}

/** Sign-up and login have no token yet, so only the site is checked. */
const ownSiteOnly = (publicUrl: string): Step =>
  function ownSiteOnly(context, next) {
    refuseOtherSite(context.req, publicUrl)
    return next()
  }

/** The way for a member without a second factor in a workspace that requires one. */
const needsTotpFault = (): Fault => {
  const detail =
    'This workspace requires two-factor authentication: switch it on for your account with POST /api/v1/auth/totp and POST /api/v1/auth/totp/confirm, then repeat the request.'
  return new Fault('forbidden', detail, { problems: [{ path: '', code: 'totp_required', message: detail }] })
}

/**
 * @throws Fault `insufficient_scope`, `session_required`, `forbidden`: before any lookup, so the response does not
 * depend on the id
 */
const checkAccess = (access: Access, isOwnAccount: boolean): Step => {
  const scopes = scopesOf(access)
  return function checkAccess(context, next) {
    const { identity } = context.state
    if ('session' in access) requireSession(identity)
    if (identity?.caller.needsTotp && !isOwnAccount) throw needsTotpFault()
    if ('session' in access) requireRole(access.session, identity)
    const isAllowed = scopes.length === 0 || scopes.some((scope) => identity?.caller.scopes.includes(scope))
    if (isAllowed) return next()
    const detail = identity?.session
      ? `Your role does not have the scope ${scopes[0]}; these roles have it: ${rolesOf(access).join(', ')}.`
      : `This API key does not have the scope ${scopes[0]}. Add it with PATCH /api/v1/api-keys/{id}, or use another key.`
    throw new Fault('insufficient_scope', detail)
  }
}

const requireSession = (identity: Identity | null): void => {
  if (identity?.session) return
  throw new Fault(
    'session_required',
    'API keys cannot use this operation; log in (POST /api/v1/auth/login) and send the session’s cookie.',
  )
}

const requireRole = (permission: Permission, identity: Identity | null): void => {
  const role = identity?.caller.role ?? null
  if (role === null || !isRole(role) || !mayDo(role, permission)) throw new Fault('forbidden', roleRefusal(permission))
}
