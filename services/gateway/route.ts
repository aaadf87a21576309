import { type Route, routeFor } from '@postrider/kit/route.ts'
import type { Asker, Session } from './context.ts'
import type { RouteDeps } from './deps.ts'

/** What every handler gets beside the checked request. */
type Always = {
  clientAddress: string
  /** Whether the client came over TLS. */
  secure: boolean
  /** The `Idempotency-Key` with what it covers, where the route heeds one and the request has one. */
  idempotency: Idempotency | null
}

export type Idempotency = { key: string; fingerprint: Buffer }

export type GatewayRoute = Route<RouteDeps>

/** A route for keys and sessions, by scope. */
export const route = routeFor<Always & Asker>()
/** A route for sessions alone. */
export const sessionRoute = routeFor<Always & Asker & { session: Session }>()
/** A route where nobody says who they are, or only the operator's token does. */
export const openRoute = routeFor<Always>()
