import { Fault } from '@postrider/kit/fault.ts'
import { type Access, scopesOf } from '@postrider/kit/route.ts'
import type { Step } from '../context.ts'

/** @throws Fault `insufficient_scope`, `session_required`: whatever the id, so nothing is learnt of it */
export const checkAccess = (access: Access): Step => {
  const scopes = scopesOf(access)
  return function checkAccess(context, next) {
    const asker = context.state.asker
    if ('session' in access && !asker?.session) {
      throw new Fault('session_required', 'This is for people who are logged in, not for API keys.')
    }
    const missing = scopes.length > 0 && !scopes.some((scope) => asker?.caller.scopes.includes(scope))
    if (!missing) return next()
    const lack = asker?.session
      ? `Your role lacks the scope ${scopes[0]}.`
      : `This API key lacks the scope ${scopes[0]}.`
    throw new Fault('insufficient_scope', lack)
  }
}
