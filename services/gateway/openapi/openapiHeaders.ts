import type { Route } from '../route.ts'

/* Response headers in the OpenAPI document. */

type Header = { description: string; schema: { type: 'string' | 'integer'; minimum?: number }; example?: unknown }
type Headers = Record<string, Header>

const text = (description: string, example?: string): Header => ({
  description,
  schema: { type: 'string' },
  ...(example !== undefined && { example }),
})
const count = (description: string, example: number, minimum = 0): Header => ({
  description,
  schema: { type: 'integer', minimum },
  example,
})

const requestId: Headers = {
  'X-Request-Id': text(
    'Id of the request in our logs: the id that the client sent, otherwise a new one.',
    'req_01jd7w3k5vf2ya4m',
  ),
}

/**
 * Headers of every response to a request that was counted, refused ones and replays included, unless the operator
 * lifted the limits.
 */
const rateLimit: Headers = {
  RateLimit: text(
    'The tightest limit: what is left, and the seconds until it is full again; absent if there is no limit.',
    '"send";r=19;t=1',
  ),
  'RateLimit-Policy': text(
    'Each limit: the requests of a burst, and the seconds in which they come back; absent if there is no limit.',
    '"send";q=20;w=2',
  ),
}

const quota: Headers = {
  'Quota-Limit': count('Sends of the tighter quota; absent if there is no limit.', 3_000),
  'Quota-Remaining': count('Sends left in it.', 2_999),
  'Quota-Reset': count('Seconds until it resets.', 86_400),
}

const retryAfter: Headers = {
  'Retry-After': count('Whole seconds to wait before the next try.', 1, 1),
}

/** Headers that belong to a refusal with this status, on any route. */
const byStatus: Readonly<Record<number, Headers>> = {
  401: { 'WWW-Authenticate': text('The scheme of the credentials.', 'Bearer') },
  402: quota,
  409: { 'Retry-After': { ...count('Seconds to wait, with `idempotency_in_flight` only.', 1, 1) } },
  429: retryAfter,
  503: retryAfter,
}

const ofReply = ({ replyHeaders = {} }: Route): Headers =>
  Object.fromEntries(
    Object.entries(replyHeaders).map(([name, description]) => [name, quota[name] ?? text(description)]),
  )

/** Returns the headers of a route's responses with this status. */
export const headersOf = (route: Route, status: number): Headers => {
  const isSuccess = status === route.reply.status
  const isCounted = route.limit !== null && status !== 401
  return {
    ...requestId,
    ...(isCounted && rateLimit),
    ...(isSuccess ? ofReply(route) : byStatus[status]),
  }
}
