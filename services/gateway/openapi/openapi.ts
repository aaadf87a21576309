import { ProblemRecord } from '@postrider/contracts/http/problem.ts'
import { roles } from '@postrider/domain/accounts/roles.ts'
import { Fault, type FaultCode, faultTitle, httpStatus } from '@postrider/kit/fault.ts'
import type { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { cookieName } from '../callers/session.ts'
import { examples } from '../examples/examples.ts'
import { refusals } from '../examples/refusals.ts'
import { problemBody } from '../problem.ts'
import { documentedPath, type Route, rolesOf, scopesOf } from '../route.ts'
import { headersOf } from './openapiHeaders.ts'
import { webhooksSection } from './openapiWebhooks.ts'

const about = `An email sending service: it accepts a message, stores it and delivers it.

Requests and responses are JSON. Every response has \`X-Request-Id\`. Every response with a status of 400 or more is a \`Problem\`: its \`code\` never changes and its \`errors\` names every single problem. Unknown fields are refused, and so are fields that have no effect yet (\`not_supported\`).

Send \`Authorization: Bearer <API key>\`. On 429 wait for the time in \`Retry-After\`. With an \`Idempotency-Key\` a send can be repeated safely. Other operations that act again when they are repeated refuse the header (400, \`not_supported\`).`

/** Returns the OpenAPI document of the API for clients over TLS, made from the routes that serve it. */
export const openapiDocument = (routes: readonly Route[]) => {
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Postrider',
      version: '1',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: pathsOf(routes),
    webhooks: webhooksSection(),
    components: {
      schemas: { Problem: ProblemRecord },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `pr_live_…` or `pr_test_…`, with the named scope.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName(true),
          description: `A session. Its cookie is \`${cookieName(true)}\` over TLS and \`${cookieName(false)}\` without. A page may send the header \`X-Workspace\` with the id of the workspace that it shows: if the session was moved to another one, the request is refused with \`workspace_changed\`.`,
        },
        csrfToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRF-Token',
          description: 'The `csrf_token` of the session. Every change by session needs it.',
        },
        operatorToken: { type: 'http', scheme: 'bearer', description: 'The operator’s token.' },
      },
    },
  })
  return withNulls(document)
}

const pathsOf = (routes: readonly Route[]): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    const path = documentedPath(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return paths
}

const operationOf = (route: Route): ZodOpenApiOperationObject => ({
  operationId: route.name,
  summary: route.summary,
  ...(route.description !== undefined && { description: route.description }),
  tags: [route.tag],
  security: securityOf(route),
  'x-access': accessOf(route),
  requestParams: { ...(route.params && { path: route.params }), ...(route.query && { query: route.query }) },
  ...((route.idempotent || route.requestHeaders) && { parameters: parametersOf(route) }),
  ...(route.body && {
    requestBody: {
      required: route.isBodyOptional !== true,
      content: { 'application/json': requestOf(route, route.body) },
    },
  }),
  responses: { [route.reply.status]: successOf(route), ...refusalsOf(route) },
})

const parametersOf = (route: Route) => [
  ...(route.idempotent ? [idempotencyKeyOf(route)] : []),
  ...Object.entries(route.requestHeaders ?? {}).map(([name, header]) => ({ name, in: 'header' as const, ...header })),
]

const idempotencyKeyOf = ({ carriesMessage }: Route) =>
  ({
    name: 'Idempotency-Key',
    in: 'header',
    description: carriesMessage
      ? 'Makes a retry safe: the same key with the same JSON gets the first response again, and nothing is sent twice. It is stored for 24 hours, or until 24 hours after `scheduled_at`.'
      : 'Makes a retry safe: the same key with the same JSON gets the first response again, and nothing changes twice. It is stored for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  }) as const

const requestOf = ({ name }: Route, schema: z.ZodType) => {
  const { requests } = examples[name] ?? {}
  return { schema, ...(requests && { examples: { ...requests } }) }
}

const securityOf = ({ access, method }: Route): Record<string, string[]>[] => {
  if ('open' in access) return []
  const bySession = method === 'GET' ? { session: [] } : { session: [], csrfToken: [] }
  if ('operator' in access) return [{ operatorToken: [] }, ...(access.operator === 'token' ? [] : [bySession])]
  return [...scopesOf(access).map((scope) => ({ apiKey: [scope] })), bySession]
}

/**
 * Who may call an operation, for programs: the scope that opens it to a key, and the roles whose sessions it accepts.
 */
const accessOf = ({ access }: Route) => ({
  scopes: scopesOf(access),
  permission: 'session' in access ? access.session : null,
  roles: rolesOf(access),
})

const successOf = (route: Route): ZodOpenApiResponseObject => {
  const { description, body, type, isPageToo, status } = route.reply
  const headers = headersOf(route, status)
  const example = examples[route.name]?.reply
  if (body) {
    const content = {
      'application/json': { schema: body, ...(example && { example }) },
      ...(isPageToo && { 'text/html': { schema: { type: 'string' } as const } }),
    }
    return { description, headers, content }
  }
  if (type === undefined) return { description, headers }
  return { description, headers, content: { [type]: { schema: { type: 'string' } } } }
}

/** Returns the codes of a route's refusals: those that follow from its features, and those that it names. */
const codesOf = ({
  access,
  body,
  method,
  params,
  carriesMessage,
  idempotent,
  limit,
  errors = [],
}: Route): FaultCode[] => {
  const needsCaller = !('open' in access)
  const byFeature: [boolean, FaultCode[]][] = [
    [true, ['malformed_request']],
    [needsCaller, ['unauthenticated']],
    [carriesMessage === true, ['quota_exceeded', 'forbidden', 'idempotency_in_flight']],
    [idempotent === true, ['idempotency_mismatch']],
    ['scope' in access, ['insufficient_scope', 'csrf']],
    ['session' in access, ['session_required', 'csrf']],
    ['scope' in access || 'session' in access, ['workspace_changed']],
    ['session' in access && rolesOf(access).length < roles.length, ['forbidden']],
    [params !== null, ['not_found']],
    // A route without a body refuses fields of a body; no client sends a body with GET.
    [
      body !== null || method !== 'GET',
      [
        'request_timeout',
        'too_large',
        'unsupported_media_type',
        'expectation_failed',
        'validation_failed',
        'not_implemented',
      ],
    ],
    ['operator' in access && access.operator === true, ['csrf', 'forbidden']],
    [limit !== null || 'operator' in access, ['rate_limited']],
    [true, ['internal', 'unavailable']],
  ]
  return [...byFeature.flatMap(([applies, codes]) => (applies ? codes : [])), ...errors]
}

const refusalsOf = (route: Route): Record<string, ZodOpenApiResponseObject> => {
  const byStatus = Map.groupBy(new Set(codesOf(route)), httpStatus)
  const entries = [...byStatus].sort(([left], [right]) => left - right)
  return Object.fromEntries(entries.map(([status, codes]) => [String(status), refusalOf(route, status, codes)]))
}

const refusalOf = (route: Route, status: number, codes: FaultCode[]): ZodOpenApiResponseObject => ({
  description: codes.map((code) => `\`${code}\`: ${faultTitle(code)}`).join('; '),
  headers: headersOf(route, status),
  content: {
    'application/json': {
      schema: ProblemRecord,
      examples: Object.fromEntries(codes.map((code) => [code, { summary: faultTitle(code), value: problemOf(code) }])),
    },
    // For clients that accept it.
    'application/problem+json': { schema: ProblemRecord },
  },
})

const problemOf = (code: FaultCode) => {
  const { detail, errors = [] } = refusals[code]
  return problemBody(new Fault(code, detail, { problems: errors }), 'req_01jd7w3k5vf2ya4m9x0q8r6t1n')
}

/* `null` in request bodies: it counts as absent there, so a client may send it for every optional field. */

type Json = { [name: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const nullable = (schema: Json): Json => {
  const { $ref, type, enum: values, anyOf } = schema
  if ($ref !== undefined) return { anyOf: [schema, { type: 'null' }] }
  const isInAnyOf = Array.isArray(anyOf) && anyOf.some((one: Json) => one['type'] === 'null')
  const types = type === undefined ? [] : [type].flat()
  return {
    ...schema,
    ...(Array.isArray(anyOf) && !isInAnyOf && { anyOf: [...anyOf, { type: 'null' }] }),
    ...(types.length > 0 && !types.includes('null') && { type: [...types, 'null'] }),
    ...(types.length > 0 && !types.includes('null') && Array.isArray(values) && { enum: [...values, null] }),
  }
}

/**
 * Returns the schemas with `null` added to the optional fields of request bodies. A schema is one of a body if it
 * refuses unknown fields; those of responses allow them.
 */
const withNulls = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(withNulls) as Value
  if (!isJson(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withNulls(item)]))
  const { properties, required, additionalProperties } = inner
  if (additionalProperties !== false || !isJson(properties)) return inner as Value
  const needed: unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    needed.includes(name) || !isJson(field) ? field : nullable(field),
  ])
  return { ...inner, properties: Object.fromEntries(fields) } as Value
}
