import type { Idempotency } from '@postrider/contracts/services.ts'
import { isPermission, mayDo, type Permission, type Role, roles, rolesWith } from '@postrider/domain/accounts/roles.ts'
import type { FaultCode, Problem } from '@postrider/kit/fault.ts'
import type { z } from 'zod'
import type { GatewayConfig, LimitClass } from './config.ts'
import type { Identity, OperatorBy, RouteDeps, Session, SessionIdentity } from './deps.ts'
import type { StaticFile } from './staticFile.ts'

/**
 * Access rule of a route:
 * - `scope`: an API key with the scope (any of them), or a session whose role has it;
 * - `session`: a person who is logged in and whose role has the permission, not an API key;
 * - `operator`: the holder of the operator's token, and a user who is marked as an operator; `token`: the former only;
 * - `open`: everyone; with `mayHaveSession` a session is read if there is one.
 */
export type Access =
  | { scope: string | readonly [string, ...string[]] }
  | { session: Permission }
  | { operator: true | 'token' }
  | { open: true; mayHaveSession?: true }

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A handler's result. It is sent with the route's own status unless it names another. */
export type RouteResponse<Body = unknown> = {
  status?: number
  headers?: Record<string, string>
  /** Id of the email that it is about, for the log. */
  about?: string
  /** Whether the handler has already waited until its writes are durable. */
  durable?: true
} & (
  | { json: Body }
  /** JSON that is sent byte for byte. */
  | { jsonText: string }
  | { bytes: Uint8Array; type: string }
  /** All requests share it, so it uses no memory of its own. */
  | { file: StaticFile }
  | { empty: true }
)

/** What every handler gets in addition to the checked parameters, query and body. */
type RequestInfo = {
  requestId: string
  /** Returns a signal that is aborted when the client disconnects. Made on demand: most requests need none. */
  disconnected(): AbortSignal
  clientAddress: string
  /** Whether the client came over TLS. */
  secure: boolean
  /** Whether a browser requests a page. */
  wantsHtml: boolean
  /** The `User-Agent` of the client; empty: it sent none. */
  userAgent: string
  /** Null if the route does not support an `Idempotency-Key` or the request has none. */
  idempotency: Idempotency | null
}

type Shape = z.ZodObject
/** The output of a schema, or `undefined` if the route has none. */
type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

type Described = {
  /** The operation's name, a verb first: `sendEmail`. */
  name: string
  method: Method
  /** Path in Koa's form: `/api/v1/emails/:id`. */
  path: string
  /** One line for the API reference. */
  summary: string
  /** Further text for the API reference, in Markdown. */
  description?: string
  /**
   * Whether the route is about the person's own account: open even while the workspace requires a second factor that
   * they lack.
   */
  isOwnAccount?: boolean
  /** Heading in the API reference. */
  tag: string
  /** Null: no rate limit. */
  limit: LimitClass | null
  /** Whether a request without a body counts as a request with an empty object. */
  isBodyOptional?: boolean
  /** Whether the body carries a message and so may be large. */
  carriesMessage?: boolean
  /**
   * Bytes that the response may have: they are reserved in the memory budget while the handler runs. Absent: the
   * response is usually short, and memory is only taken if it is not.
   */
  responseBytes?: number
  /** Whether the response costs so much work that it is not made while its workspace has many unread ones. */
  isResponseCostly?: boolean
  /** Whether the query of `ListEvents` may have `wait` (`waitForEvents`). */
  isFollowed?: boolean
  /** Whether the body is a batch of messages, which is read in parts (`readBatch`). */
  isBatch?: boolean
  /** Whether the route supports an `Idempotency-Key`. */
  idempotent?: boolean
  /**
   * Whether a repeated POST changes nothing, so that a request may have a key. Other POSTs refuse a key that they do
   * not support.
   */
  isRepeatable?: boolean
  /** Request headers that the API reference describes, by name. */
  requestHeaders?: Record<
    string,
    { description: string; schema: { type: 'string'; enum?: string[]; default?: string } }
  >
  /** Response headers that the API reference describes, by name. */
  replyHeaders?: Record<string, string>
  /** Refusals of this route in addition to those that follow from access, body and limits. */
  errors?: readonly FaultCode[]
}

/**
 * One operation: the only definition of its path, access, limits, schemas and response. It feeds the router, the
 * access check, the rate limit, the validation and the OpenAPI document.
 */
type RouteSpec<
  Info,
  Params extends Shape | undefined,
  Query extends Shape | undefined,
  Body extends z.ZodType | undefined,
  Reply extends z.ZodType | undefined,
> = Described &
  Access & {
    params?: Params
    query?: Query
    body?: Body
    /** Rules over several fields. They get the body as received, so that a response names every problem. */
    rules?: (raw: Record<string, unknown>, config: GatewayConfig) => Problem[]
    /**
     * Calls the service for further problems of a body that is already refused, so that one response names all
     * problems. It is not called for a well-formed body: the service then refuses it itself, or replays an idempotent
     * request.
     */
    serviceProblems?: (raw: Record<string, unknown>, request: Info, deps: RouteDeps) => Promise<readonly Problem[]>
    /**
     * Responds to a body that its schema or its rules refuse: for routes that report problems as their result. Absent:
     * it is refused with 422.
     */
    respondToRefused?: (refused: RefusedBody, request: Info, deps: RouteDeps) => Promise<RouteResponse<Out<Reply>>>
    /** `isPageToo`: a browser gets a page. */
    reply: { status: number; body?: Reply; type?: string; isPageToo?: true; description: string }
    handle(
      request: { params: Out<Params>; query: Out<Query>; body: Out<Body> } & Info,
      deps: RouteDeps,
    ): Promise<RouteResponse<Reply extends z.ZodType ? z.input<Reply> : never>>
  }

/** A body that is refused, as received, with all problems of its form. */
export type RefusedBody = { raw: Record<string, unknown>; problems: readonly Problem[] }

/** A route as the router uses it. Its types were checked where it was made. */
export type Route = Described & {
  access: Access
  params: Shape | null
  query: Shape | null
  body: z.ZodType | null
  rules: ((raw: Record<string, unknown>, config: GatewayConfig) => Problem[]) | null
  serviceProblems:
    | ((raw: Record<string, unknown>, request: RequestInfo, deps: RouteDeps) => Promise<readonly Problem[]>)
    | null
  respondToRefused: ((refused: RefusedBody, request: RequestInfo, deps: RouteDeps) => Promise<RouteResponse>) | null
  reply: { status: number; body?: z.ZodType | undefined; type?: string; isPageToo?: true; description: string }
  handle(
    request: RequestInfo & { params: unknown; query: unknown; body: unknown },
    deps: RouteDeps,
  ): Promise<RouteResponse>
}

const accessOf = (spec: Access): Access => {
  if ('scope' in spec) return { scope: spec.scope }
  if ('session' in spec) return { session: spec.session }
  if ('operator' in spec) return { operator: spec.operator }
  return { open: true, ...(spec.mayHaveSession && { mayHaveSession: true }) }
}

const routeFor =
  <Info>() =>
  <
    Params extends Shape | undefined = undefined,
    Query extends Shape | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
    Reply extends z.ZodType | undefined = undefined,
  >(
    spec: RouteSpec<Info, Params, Query, Body, Reply>,
  ): Route => ({
    ...spec,
    access: accessOf(spec),
    params: spec.params ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    rules: spec.rules ?? null,
    // The caller passes exactly what these schemas returned, so the types agree there.
    serviceProblems: (spec.serviceProblems as unknown as Route['serviceProblems'] | undefined) ?? null,
    respondToRefused: (spec.respondToRefused as unknown as Route['respondToRefused'] | undefined) ?? null,
    handle: spec.handle as unknown as Route['handle'],
  })

/** Makes a route for keys and sessions, by scope. */
export const route = routeFor<RequestInfo & Identity>()
/** Makes a route for sessions only. */
export const sessionRoute = routeFor<RequestInfo & SessionIdentity>()
/** Makes a route without a caller: it is open to everyone. */
export const openRoute = routeFor<RequestInfo>()
/** Makes a route for the operator. */
export const operatorRoute = routeFor<RequestInfo & { by: OperatorBy }>()

/** Makes a route that is open to everyone and reads the session of a request that has one. */
export const guestRoute = routeFor<RequestInfo & { session?: Session | null }>()

/** Returns a path as the documents write it: `/emails/{id}`. */
export const documentedPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

/** Returns the scopes that open a route, the best one first; none if it is not opened by scope. */
export const scopesOf = (access: Access): readonly string[] => {
  if (!('scope' in access)) return []
  return typeof access.scope === 'string' ? [access.scope] : access.scope
}

/** Returns the roles whose sessions a route accepts, the most powerful first; none if it needs no session. */
export const rolesOf = (access: Access): readonly Role[] => {
  if ('session' in access) return rolesWith(access.session)
  return roles.filter((role) => scopesOf(access).some((scope) => isPermission(scope) && mayDo(role, scope)))
}

const idShape = /^[a-z0-9_]{1,64}$/

/** Returns an id of a path or query, or empty text, which no record has, for a text that cannot be an id. */
export const idOrEmpty = (text: unknown): string => (typeof text === 'string' && idShape.test(text) ? text : '')

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Returns the fields that are not undefined: in the messages of the services an absent field stays as it is. */
export const present = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>
