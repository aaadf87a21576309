import { Router } from '@koa/router'
import Koa from 'koa'
import { bodyRoom } from './bodyRoom.ts'
import { makePeers } from './clientAddress.ts'
import type { State } from './context.ts'
import { makeCursors } from './cursors.ts'
import type { GatewayDeps, RouteDeps } from './deps.ts'
import { endpoint } from './endpoint.ts'
import { makeKeyCache } from './keyCache.ts'
import { pages } from './pages/pages.ts'
import { routes } from './routes/routes.ts'
import { faults } from './steps/faults.ts'
import { knowPeer } from './steps/knowPeer.ts'
import { observe } from './steps/observe.ts'
import { requestId } from './steps/requestId.ts'
import { securityHeaders } from './steps/securityHeaders.ts'
import { traced } from './steps/traced.ts'
import { unknownPath } from './steps/unknownPath.ts'

/** The HTTP edge: what is asked is checked here, and done by the services. */
export const gatewayApp = (given: GatewayDeps): Koa<State> => {
  const { accounts, config, now, log } = given
  const deps: RouteDeps = {
    ...given,
    bodies: bodyRoom(config.limits.room),
    cursors: makeCursors(config.cursorSecret),
    keyCache: makeKeyCache(accounts, config.limits, now),
    openapiText: once(async () => JSON.stringify((await import('./openapi.ts')).openapiDocument(routes))),
  }
  const app = new Koa<State>()
  app.use(knowPeer(makePeers(config.trustedProxies), config.secureCookies))
  app.use(requestId)
  app.use(traced(config.publicUrl))
  app.use(securityHeaders)
  app.use(observe(deps))
  app.use(faults(deps))
  app.use(routing(deps))
  app.use(unknownPath)
  app.on('error', (error: unknown) => log.warn({ err: error }, 'request.broken'))
  return app
}

/** The document is made when somebody first asks: its library needn't be loaded to start. */
const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make()
    return made
  }
}

/** Paths are matched to the letter: another case or a slash at the end is another path. */
const routing = (deps: RouteDeps) => {
  const router = new Router<State>({ strict: true, sensitive: true, exclusive: true })
  for (const route of routes) {
    const steps = endpoint(route, deps)
    if (steps) router.register(route.path, [route.method], steps)
  }
  for (const [path, step] of Object.entries(pages(deps))) router.register(path, ['GET'], step)
  return router.routes()
}
