import type { FaultCode } from '@postrider/kit/fault.ts'

/** What each code means and what helps, for the person who meets it. */
export const problemTexts: Record<FaultCode, { what: string; help: string }> = {
  malformed_request: {
    what: 'The request could not be read: the body is not JSON as it should be, or a query parameter, a cursor or a header has a value that means nothing here.',
    help: 'errors names the place. Bodies are UTF-8 JSON objects, each name once in an object, nested at most 32 levels.',
  },
  unauthenticated: {
    what: 'The request does not prove who makes it, or the key or session is not valid (any more).',
    help: 'Send Authorization: Bearer with an API key, all of it. Keys are made by a logged-in user of the workspace.',
  },
  quota_exceeded: {
    what: 'The monthly or daily quota, or the spending cap, would be exceeded. Nothing was sent, not even a part.',
    help: 'Wait until the time that detail names, move to another plan, or ask the operator for a higher limit.',
  },
  insufficient_scope: {
    what: 'The API key is valid but lacks the scope for this operation.',
    help: 'detail names the scope. Give it to the key, or use another key.',
  },
  session_required: {
    what: 'This operation is for people who are logged in, not for API keys.',
    help: 'Log in with POST /api/v1/auth/login and send the cookie.',
  },
  csrf: {
    what: 'A change by session came from another site, or without its token.',
    help: 'Send X-CSRF-Token with the csrf_token of GET /api/v1/auth/session, from the service’s own pages.',
  },
  forbidden: {
    what: 'You are known, and may not do this.',
    help: 'detail says who may. If the workspace is suspended, ask the operator.',
  },
  not_found: {
    what: 'There is nothing here: the path is unknown, or the workspace has no such record.',
    help: 'Check the id, and that the key belongs to the workspace and the mode that the record is of.',
  },
  method_not_allowed: {
    what: 'The path exists and does not take this method.',
    help: 'The header Allow lists those it takes.',
  },
  idempotency_in_flight: {
    what: 'The first request with this Idempotency-Key is still at work.',
    help: 'Ask again after Retry-After; you will get the first answer.',
  },
  conflict: {
    what: 'The state of things forbids it: a name that is in use, mail that was sent already, an address that has an account.',
    help: 'Read the record again and decide.',
  },
  too_large: {
    what: 'The body, or the finished message, is over its limit.',
    help: 'detail names the limit. Put large files on a server of yours and link to them.',
  },
  unsupported_media_type: {
    what: 'The body is not application/json, or it is compressed.',
    help: 'Send Content-Type: application/json and no Content-Encoding.',
  },
  validation_failed: {
    what: 'The request is well-formed and wrong.',
    help: 'errors lists every problem with its place, not only the first.',
  },
  idempotency_mismatch: {
    what: 'The Idempotency-Key was used before, with another body.',
    help: 'Make a new key for every new message; keep it for repeats of the same.',
  },
  rate_limited: {
    what: 'Too many requests in too short a time.',
    help: 'Wait as Retry-After says, then longer each time. The headers RateLimit and RateLimit-Policy tell where you stand.',
  },
  internal: {
    what: 'Something went wrong on our side. It is logged under the request id.',
    help: 'Repeat the request with the same Idempotency-Key. If it stays, tell the operator the request id.',
  },
  unavailable: {
    what: 'Something the service needs is away or too slow at the moment.',
    help: 'Repeat after Retry-After, with the same Idempotency-Key. Without a key the message may have been accepted all the same.',
  },
}
