import type { Step } from './context.ts'
import type { RouteDeps } from './deps.ts'
import type { GatewayRoute } from './route.ts'
import { authenticate } from './steps/authenticate.ts'
import { authenticateOperator } from './steps/authenticateOperator.ts'
import { checkAccess } from './steps/checkAccess.ts'
import { handle } from './steps/handle.ts'
import { limitRate } from './steps/limitRate.ts'
import { readBody } from './steps/readBody.ts'
import { refuseForeignSite } from './steps/refuseForeignSite.ts'

/** The steps of one operation, in order; null: it is off here. */
export const endpoint = (route: GatewayRoute, deps: RouteDeps): Step[] | null => {
  const who = asking(route, deps)
  if (!who) return null
  return [...who, ...(route.body ? [bodyOf(route, deps)] : []), handle(route, deps)]
}

const bodyOf = ({ carriesMessage }: GatewayRoute, { bodies, config: { limits } }: RouteDeps): Step =>
  carriesMessage ? readBody(limits.sendBodyBytes, bodies) : readBody(limits.bodyBytes)

/** Who is asking, how often, and may they: in this order, so that a refusal for lack of a scope counts too. */
const asking = (route: GatewayRoute, deps: RouteDeps): Step[] | null => {
  const { access, limit } = route
  const { operatorToken, publicUrl } = deps.config
  if ('operator' in access) return operatorToken === null ? null : [authenticateOperator(operatorToken)]
  if ('open' in access) return route.body ? [ownPagesOnly(publicUrl)] : []
  return [authenticate(deps), ...(limit === null ? [] : [limitRate(limit, deps)]), checkAccess(access)]
}

/** Sign-up and log-in have no token yet: what a browser sends from another site is refused. */
const ownPagesOnly = (publicUrl: string): Step =>
  function ownPagesOnly(context, next) {
    refuseForeignSite(context.req, publicUrl)
    return next()
  }
