import { hash } from 'node:crypto'
import { notAuthenticated, parseApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { Fault, given } from '@postrider/kit/fault.ts'
import type { Asker, Context, Step } from '../context.ts'
import type { RouteDeps } from '../deps.ts'
import { sessionToken } from '../sessionCookie.ts'
import { refuseForeignSite } from './refuseForeignSite.ts'
import { refuseWithoutToken } from './refuseWithoutToken.ts'

const bearer = /^Bearer +(\S+) *$/i

/**
 * Finds out who asks: an API key, else a session's cookie. A typo in a key costs no look-up. A session's change must come
 * from our own pages.
 * @throws Fault `unauthenticated`, `csrf`
 */
export const authenticate = (deps: Pick<RouteDeps, 'accounts' | 'keyCache' | 'config'>): Step =>
  async function authenticate(context, next) {
    const { authorization } = context.req.headers
    context.state.asker =
      authorization === undefined ? await bySession(deps, context) : await byKey(deps, authorization, context)
    return next()
  }

const byKey = async ({ keyCache }: Pick<RouteDeps, 'keyCache'>, header: string, context: Context): Promise<Asker> => {
  const key = bearer.exec(header)?.[1] ?? ''
  if (!parseApiKey(key)) throw new Fault('unauthenticated', notAuthenticated)
  const caller = await keyCache.caller(hash('sha256', key, 'buffer'), context.state.clientAddress)
  return { caller, session: null }
}

const bySession = async (deps: Pick<RouteDeps, 'accounts' | 'config'>, context: Context): Promise<Asker> => {
  const token = sessionToken(context.req, context.state.secure)
  if (token === null) throw new Fault('unauthenticated', notAuthenticated)
  const reply = await deps.accounts.AuthenticateSession({ token })
  if (changes(context.method)) {
    refuseForeignSite(context.req, deps.config.publicUrl)
    refuseWithoutToken(context.req, reply.csrf_token)
  }
  const session = { token, csrfToken: reply.csrf_token, email: reply.email }
  return { caller: given(reply.caller, 'caller'), session }
}

const changes = (method: string): boolean => method !== 'GET' && method !== 'HEAD'
