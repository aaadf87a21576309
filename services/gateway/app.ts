import { Router } from '@koa/router'
import { fieldNames } from '@postrider/contracts/http/schema.ts'
import { byteBudget } from '@postrider/kit/byteBudget.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import Koa from 'koa'
import { identifyClient } from './client.ts'
import type { GatewayDeps, RouteDeps, State, Step } from './deps.ts'
import { makeKeyCache } from './keyCache.ts'
import { makeCursors } from './lists.ts'
import { pages } from './pages/pages.ts'
import type { Route } from './route.ts'
import { routes } from './routes/routes.ts'
import { accessSteps } from './steps/access.ts'
import { answerFaults, unknownPath } from './steps/faults.ts'
import { handle } from './steps/handle.ts'
import { requestId, securityHeaders } from './steps/headers.ts'
import { logRequests, traceRequests } from './steps/observe.ts'
import { readBody } from './steps/readBody.ts'

/** Makes the HTTP application: it checks each request here and passes it to the services. */
export const gatewayApp = (given: GatewayDeps): Koa<State> => {
  const { accounts, config, now, log } = given
  const { bytes, bytesOfOne } = config.limits.longBodies
  const deps: RouteDeps = {
    ...given,
    bodyBudget: byteBudget({ capacityBytes: bytes, mostOfOneBytes: bytesOfOne, isFirstFit: true }),
    slices: makeSlices(),
    cursors: makeCursors(config.cursorSecret),
    keyCache: makeKeyCache(accounts, config.limits, now),
    openapiText: once(async () => JSON.stringify((await import('./openapi.ts')).openapiDocument(routes))),
  }
  const app = new Koa<State>()
  app.use(identifyClient(config))
  app.use(requestId)
  app.use(traceRequests(config.publicUrl))
  app.use(securityHeaders)
  app.use(logRequests(deps))
  app.use(answerFaults(deps))
  app.use(routing(deps))
  app.use(unknownPath)
  app.on('error', (error: unknown) => log.warn({ err: error }, 'response failed'))
  return app
}

/** The OpenAPI document is made at its first request, so that its library is not loaded at start. */
const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make()
    return made
  }
}

/** Paths match exactly: another case or a trailing slash is another path. */
const routing = (deps: RouteDeps) => {
  const router = new Router<State>({ strict: true, sensitive: true, exclusive: true })
  for (const route of routes) {
    const steps = stepsOf(route, deps)
    if (steps) router.register(route.path, [route.method], steps)
  }
  for (const [path, step] of Object.entries(pages(deps))) router.register(path, ['GET'], step)
  return router.routes()
}

/** Returns the steps of one operation in order; null: the operation is switched off. */
const stepsOf = (route: Route, deps: RouteDeps): Step[] | null => {
  const access = accessSteps(route, deps)
  if (!access) return null
  const { limits } = deps.config
  const longBodies = { budget: deps.bodyBudget, waitMs: limits.longBodies.waitMs }
  if (!route.body) return [...access, handle(route, deps)]
  const reading = { slices: deps.slices, names: fieldNames(route.body) }
  const body = route.carriesMessage
    ? readBody(limits.sendBodyBytes, reading, longBodies)
    : readBody(limits.bodyBytes, reading)
  return [...access, body, handle(route, deps)]
}
