import { createRequire } from 'node:module'
import { fieldNames } from '@postrider/contracts/http/schema.ts'
import { afterInBackground } from '@postrider/kit/after.ts'
import Koa from 'koa'
import { noteCaller } from './bodies/bodyArrival.ts'
import { openBodies } from './bodies/bodyRoom.ts'
import { makeMemory, operatorOwner } from './bodies/memory.ts'
import { shortChunks } from './bodies/shortChunks.ts'
import { identifyClient } from './callers/client.ts'
import { makeKeyCache } from './callers/keyCache.ts'
import type { GatewayConfig } from './config.ts'
import type { Context, GatewayDeps, RouteDeps, State, Step } from './deps.ts'
import { makeFeedWatches } from './feed/feedWatches.ts'
import { makeWaitingRequests } from './feed/waitingRequests.ts'
import { makeCursors } from './lists.ts'
import { makeDocuments } from './openapi/documents.ts'
import { clientRoutes } from './pages/dashboard.ts'
import { pages } from './pages/pages.ts'
import type { Access, Route } from './route.ts'
import { routes } from './routes/routes.ts'
import { accessSteps } from './steps/access.ts'
import { checkHost, readTarget } from './steps/checkHost.ts'
import { answerAsterisk, checkProtocol } from './steps/checkProtocol.ts'
import { fixedPaths, logUnsent, sendFaults, unknownPath } from './steps/faults.ts'
import { handle } from './steps/handle.ts'
import { requestId, securityHeaders } from './steps/headers.ts'
import { writeLongResponses } from './steps/longResponses.ts'
import { logRequests, traceRequests } from './steps/observe.ts'
import { readBatch } from './steps/readBatch.ts'
import { readBody, readNoBody } from './steps/readBody.ts'
import { requestScheduler } from './steps/requestScheduler.ts'
import { scheduleByClient, scheduleByWorkspace } from './steps/scheduleRequests.ts'
import { waitForEvents } from './steps/waitForEvents.ts'
import { knownPaths, makePathSuggestions } from './suggestions/pathSuggestions.ts'

/*
 * The gateway: the HTTP API, the dashboard and the documentation. It decides who calls and whether a request is
 * well-formed; the services do the rest. The way of a request:
 *
 *   socket ─▶ connections/ ─▶ steps of all requests ─▶ router ─▶ steps of the operation ─▶ handle ─▶ routes/
 *                                                          └───▶ pages/                                    └─▶ service
 *
 *   connections/          bounds sockets and time, and responds to HTTP that Node's parser refuses; serve.ts has the
 *                         other bounds
 *   steps of all requests `gatewayApp` below, in order: client address, turn of the client, request id, trace, log,
 *                         pieces of long responses, and the conversion of Faults to responses (steps/faults.ts);
 *                         then protocol and host are checked
 *   steps of the operation `stepsOf` below, in order: access and rate limit (steps/access.ts), body (steps/readBody.ts;
 *                         a batch: steps/readBatch.ts), wait for events (steps/waitForEvents.ts)
 *   handle                checks parameters and body (checks/), handles `Idempotency-Key`, calls the operation and
 *                         writes its response
 *   routes/               one file per resource or operation: its description, its schemas and one call of a service
 *
 * The other folders, and files of this one:
 *
 *   bodies/      how bodies arrive: memory for them, short chunks, parts of a long body, messages of a batch
 *   json/        JSON read and written in short steps, attachments decoded on the way, positions and reasons of errors
 *   checks/      a query or body against its schema, and the problems of fields
 *   suggestions/ texts that help after a mistake: a wrong name, value, path or credential
 *   callers/     client address, session and its cookie, cached API keys, mode, programs on this machine
 *   sending/     what sends, batches and `validate` share: the message for intake, `Idempotency-Key`, the response
 *   records/     records of the API, made from the messages of the services
 *   feed/        the feed of events, and requests that wait for it
 *   openapi/     docs/openapi.json from routes, schemas and examples/; the worker that makes all documents; generators
 *                of docs
 *   pages/       HTML: the login, links of emails, the mailbox, the dashboard's files, pages/docs
 *
 *   route.ts declares an operation, deps.ts has the types that all share, lists.ts pages of lists, problem.ts error
 *   bodies, staticFile.ts how files are sent that are the same for all.
 */

/** Makes the HTTP application: it checks each request here and passes it to the services. */
export const gatewayApp = (given: GatewayDeps): Koa<State> => {
  const { accounts, config, elapsed, log, after = afterInBackground } = given
  const deps: RouteDeps = {
    ...given,
    cursors: makeCursors(config.cursorSecret),
    keyCache: makeKeyCache(accounts, config.limits, elapsed),
    memory: makeMemory(config.limits, { elapsed, after }, given.chunks ?? shortChunks()),
    clientTurns: requestScheduler(() => performance.now()),
    workspaceTurns: requestScheduler(() => performance.now()),
    after,
    waitingRequests: makeWaitingRequests(config.limits.waits),
    feedWatches: makeFeedWatches({ ...given, after }),
    documents: (given.makeDocuments ?? makeDocuments)({
      secure: isSecure(config),
      publicUrl: config.publicUrl,
      dashboard: [...(given.dashboard?.others.keys() ?? [])],
    }),
  }
  const app = new Koa<State>()
  app.use(readTarget)
  app.use(identifyClient(config))
  app.use(scheduleByClient(deps))
  app.use(requestId)
  app.use(traceRequests(config.publicUrl))
  app.use(securityHeaders)
  app.use(logRequests(deps))
  app.use(writeLongResponses(deps))
  app.use(sendFaults(deps))
  const outside = pages(deps)
  const known = knownPaths([...operations(deps), ...outside])
  app.use(checkProtocol)
  app.use(checkHost(config))
  app.use(answerAsterisk)
  app.use(fixedPaths(known))
  app.use(routing(deps, outside))
  app.use(clientRoutes(deps.dashboard ?? null))
  // Made at the first unknown path: most processes get none for long.
  let suggestions: ReturnType<typeof makePathSuggestions> | null = null
  app.use(
    unknownPath((method, path) => {
      suggestions ??= makePathSuggestions(known)
      return suggestions(method, path)
    }),
  )
  app.on('error', logUnsent(log))
  return app
}

/** Whether clients come over TLS, as far as the configuration shows it. */
const isSecure = ({ secureCookies, publicUrl }: GatewayConfig): boolean =>
  secureCookies || publicUrl.startsWith('https:')

/** Returns every operation that is switched on. */
const operations = (deps: RouteDeps) => routes.filter((route) => accessSteps(route, deps))

/**
 * The form that requires `node:http`. The other one imports it, which loads Node's HTTP client
 * (packages/kit/nodeHttp.ts).
 */
const { Router: ParameterRouter }: typeof import('@koa/router') = createRequire(import.meta.url)('@koa/router')

/** Returns a step that runs the steps in order. */
const inOrder =
  (steps: readonly Step[]): Step =>
  (context, next) => {
    const runFrom = (index: number): ReturnType<typeof next> => {
      const step = steps[index]
      return step ? step(context, () => runFrom(index + 1)) : next()
    }
    return runFrom(0)
  }

/**
 * Paths match exactly: another case or a trailing slash is another path. Those without parameters, such as that of a
 * send, are looked up by name. A router compares a path with each of its routes, and joins the steps again for each
 * request, which cost 2 % of the CPU time of accepting an email.
 */
const routing = (deps: RouteDeps, outside: ReturnType<typeof pages>): Step => {
  const fixed = new Map<string, Step>()
  const router = new ParameterRouter<State>({ strict: true, sensitive: true, exclusive: true })
  const register = (method: string, path: string, steps: Step[]): void => {
    if (path.includes(':')) router.register(path, [method], steps)
    else fixed.set(`${method} ${path}`, inOrder([matched(path), ...steps]))
  }
  for (const route of routes) {
    const steps = stepsOf(route, deps)
    if (steps) register(route.method, route.path, steps)
  }
  for (const { method, path, step } of outside) register(method, path, [step])
  const byParameters = router.routes()
  return (context, next) => {
    // As the router does it, HEAD is handled as GET; Koa sends no body.
    const step = fixed.get(`${context.method === 'HEAD' ? 'GET' : context.method} ${context.path}`)
    return step ? step(context, next) : byParameters(context as Parameters<typeof byParameters>[0], next)
  }
}

/** Sets the pattern of a matched path as the router does, for the log and metrics. */
const matched =
  (path: string): Step =>
  (context, next) => {
    context._matchedRoute = path
    return next()
  }

/** Returns the steps of one operation in order; null: the operation is switched off. */
const stepsOf = (route: Route, deps: RouteDeps): Step[] | null => {
  const access = accessSteps(route, deps)
  if (!access) return null
  const read = route.isBatch ? [scheduleByWorkspace(deps), readBatch(deps)] : [bodyStep(route, deps)]
  const wait = route.isFollowed ? [waitForEvents(route, deps)] : []
  const known = 'open' in route.access ? [] : [noteCaller]
  return [...access, ...known, ...read, ...wait, handle(route, deps)]
}

/** Requests without a key have small bodies and a budget of their own. */
const bodyStep = ({ access, body, carriesMessage, isBodyOptional = false }: Route, deps: RouteDeps): Step => {
  const { memory, slices, workspaceTurns, config } = deps
  const { limits } = config
  const bounded = 'open' in access ? openBodies(memory) : { ...memory, ownerOf: ownerOf(access) }
  if (body === null) return readNoBody(limits.openBodyBytes, { slices, workspaceTurns }, bounded)
  const reading = { slices, workspaceTurns, names: fieldNames(body), isOptional: isBodyOptional }
  const maxBytes = carriesMessage ? limits.sendBodyBytes : limits.bodyBytes
  return readBody('open' in access || 'operator' in access ? limits.openBodyBytes : maxBytes, reading, bounded)
}

const ownerOf =
  (access: Access) =>
  ({ state }: Context): string =>
    'operator' in access ? operatorOwner : (state.identity?.caller.workspace ?? '')
