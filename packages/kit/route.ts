import type { z } from 'zod'
import type { FaultCode, Problem } from './fault.ts'

/** Who may use a route: a key with the scope (any of them) or a session whose role gives it, a session, the operator, anybody. */
export type Access =
  | { scope: string | readonly [string, ...string[]] }
  | { session: true }
  | { operator: true }
  | { open: true }

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Which rate limit a request counts against; null: none. */
export type LimitClass = 'send' | 'read' | 'write'

/** A JSON text that is sent byte for byte. */
export type JsonText = { jsonText: string }
export type Bytes = { bytes: Uint8Array; type: string }

/** What a handler answers, under the route's own status unless it names another. */
export type Answer<Body = unknown> = {
  status?: number
  headers?: Record<string, string>
  /** Id of the record it tells of, for the log. */
  about?: string
  /** Whether the handler has already waited until what it wrote is on disk. */
  durable?: true
} & ({ json: Body } | JsonText | Bytes | { empty: true })

/** The parts of a request every handler gets, checked. */
export type RouteRequest<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  requestId: string
}

type Shape = z.ZodObject
/** The output of a schema, or `undefined` where the route has none. */
type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

type Described = {
  /** The operation's name, a verb first: `sendEmail`. */
  name: string
  method: Method
  /** Koa style: `/api/v1/emails/:id`. */
  path: string
  /** One line; the API reference shows it. */
  summary: string
  /** More of it, in Markdown. */
  description?: string
  /** Heading it stands under in the API reference. */
  tag: string
  limit: LimitClass | null
  /** Whether its body carries a message, and so may be large. */
  carriesMessage?: boolean
  /** Whether an `Idempotency-Key` is heeded. */
  idempotent?: boolean
  /** Response headers worth a line in the reference, by name. */
  replyHeaders?: Record<string, string>
  /** Refusals of its own, beside those that follow from access, body and limits. */
  errors?: readonly FaultCode[]
}

/**
 * One operation: the single spelling of its path, access, limits, schemas and answer. It feeds the router, the scope
 * check, the rate limit, the validation and the OpenAPI document.
 */
export type RouteSpec<
  Extra,
  Deps,
  Params extends Shape | undefined,
  Query extends Shape | undefined,
  Body extends z.ZodType | undefined,
  Reply extends z.ZodType | undefined,
> = Described &
  Access & {
    params?: Params
    query?: Query
    body?: Body
    /** Rules over several fields. They see the body as it came, so every problem is told at once. */
    rules?: (raw: Record<string, unknown>) => Problem[]
    /** What the service behind would find wrong beside problems found already, so that all are told at once. Not asked
     * where the body is well-formed: then the service says so itself, or answers a repeated request again. */
    further?: (
      raw: Record<string, unknown>,
      request: Omit<RouteRequest<unknown, unknown, unknown>, 'body' | 'params' | 'query'> & Extra,
      deps: Deps,
    ) => Promise<Problem[]>
    reply: { status: number; body?: Reply; type?: string; description: string }
    handle(
      request: RouteRequest<Out<Params>, Out<Query>, Out<Body>> & Extra,
      deps: Deps,
    ): Promise<Answer<Reply extends z.ZodType ? z.input<Reply> : never>>
  }

/** A route as the edge sees it: its types are checked where it is made. */
export type Route<Deps> = Described & {
  access: Access
  params: Shape | null
  query: Shape | null
  body: z.ZodType | null
  rules: ((raw: Record<string, unknown>) => Problem[]) | null
  further: ((raw: Record<string, unknown>, request: Record<string, unknown>, deps: Deps) => Promise<Problem[]>) | null
  reply: { status: number; body?: z.ZodType | undefined; type?: string; description: string }
  handle(request: RouteRequest<unknown, unknown, unknown> & Record<string, unknown>, deps: Deps): Promise<Answer>
}

/**
 * Makes the `route` function of an edge.
 * @typeParam Extra what its handlers get beside the request, such as who asks
 */
export const routeFor =
  <Extra>() =>
  <
    Deps,
    Params extends Shape | undefined = undefined,
    Query extends Shape | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
    Reply extends z.ZodType | undefined = undefined,
  >(
    spec: RouteSpec<Extra, Deps, Params, Query, Body, Reply>,
  ): Route<Deps> => ({
    ...spec,
    access: accessOf(spec),
    params: spec.params ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    rules: spec.rules ?? null,
    // The edge hands over exactly what these schemas gave, so the types agree where it calls.
    further: (spec.further as unknown as Route<Deps>['further'] | undefined) ?? null,
    handle: spec.handle as unknown as Route<Deps>['handle'],
  })

const accessOf = (spec: Access): Access => {
  if ('scope' in spec) return { scope: spec.scope }
  if ('session' in spec) return { session: true }
  return 'operator' in spec ? { operator: true } : { open: true }
}

/** The scopes that open a route, best first; none where scopes don't. */
export const scopesOf = (access: Access): readonly string[] => {
  if (!('scope' in access)) return []
  return typeof access.scope === 'string' ? [access.scope] : access.scope
}
