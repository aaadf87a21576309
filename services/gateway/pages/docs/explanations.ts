import type { FaultCode } from '@postrider/kit/fault.ts'

/** Meaning of each code, and what the reader can do, in Markdown. */
export const explanations: Readonly<Record<FaultCode, { what: string; help: string }>> = {
  malformed_request: {
    what: 'The request cannot be read: the body is not valid JSON for this service, or a query parameter, a cursor or a header has an invalid value.',
    help: '`errors` names the position. Send UTF-8 JSON objects with each name once per object and at most 32 levels of nesting.',
  },
  unauthenticated: {
    what: 'The request has no credentials, or its API key or session is not valid or no longer valid.',
    help: 'Send `Authorization: Bearer` with a complete API key. A logged-in user of the workspace can make one.',
  },
  quota_exceeded: {
    what: 'The request would exceed the monthly quota, the daily quota or the spending cap. Nothing was sent, not even in part.',
    help: 'Wait until the time in `detail`, change the plan, or ask the operator for a higher limit.',
  },
  insufficient_scope: {
    what: 'The API key is valid, but it does not have the scope of this operation.',
    help: '`detail` names the scope. Add it to the key, or use another key.',
  },
  session_required: {
    what: 'API keys cannot use this operation; it is for people who are logged in.',
    help: 'Log in with `POST /api/v1/auth/login` and send the cookie.',
  },
  csrf: {
    what: 'A change by session came from another site, or without its CSRF token.',
    help: 'Send `X-CSRF-Token` with the `csrf_token` of `GET /api/v1/auth/session`, from this service’s own pages.',
  },
  forbidden: {
    what: 'The caller is not allowed to do this, or the request is for a host name that this service does not accept.',
    help: '`detail` names who or what is allowed. If the workspace is suspended, ask the operator.',
  },
  not_found: {
    what: 'The path is unknown, or the workspace has no such record.',
    help: 'Check the id, and that the key belongs to the workspace and the mode of the record.',
  },
  method_not_allowed: {
    what: 'The path exists but does not support this method.',
    help: 'The `Allow` header lists the supported methods.',
  },
  request_timeout: {
    what: 'The body arrived too slowly: a body without an API key has 5 seconds, and any other must arrive at 16 KiB per second, or within 30 seconds if it is over 64 KiB, while other requests wait for memory. A body over 1 MiB without Content-Length must arrive as fast as the longest allowed one. Nothing was accepted.',
    help: 'Send the request again, over a faster connection or in smaller parts.',
  },
  idempotency_in_flight: {
    what: 'The first request with this `Idempotency-Key` is still running.',
    help: 'Retry after `Retry-After`; you get the response of the first request.',
  },
  conflict: {
    what: 'The current state does not allow this: for example a name in use, an email that was sent already, or an address that has an account.',
    help: 'Read the record again and decide.',
  },
  workspace_changed: {
    what: 'The header `X-Workspace` names another workspace than that of the session or the API key. Nothing was read or changed.',
    help: 'Read `GET /api/v1/auth/session` without the header, or reload the page. `POST /api/v1/auth/session` moves the session to another workspace.',
  },
  too_large: {
    what: 'The body, or the finished message, is over its limit.',
    help: '`detail` names the limit. Store large files elsewhere and link to them.',
  },
  unsupported_media_type: {
    what: 'The body is not `application/json`, or it is compressed.',
    help: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  expectation_failed: {
    what: 'The request has an `Expect` header with another value than `100-continue`.',
    help: 'Leave the header out.',
  },
  validation_failed: {
    what: 'The request is well-formed, but its content is not valid.',
    help: '`errors` lists every problem with its path, not only the first one. A field with the code `not_supported` has no effect in this version; leave it out.',
  },
  idempotency_mismatch: {
    what: 'The `Idempotency-Key` was used before with another body.',
    help: 'Use a new key for every new message; use the same key only to repeat a request.',
  },
  rate_limited: {
    what: 'Too many requests in too short a time, or too much mail of this workspace waits; `detail` states which.',
    help: 'Wait for the time in `Retry-After`, and longer after each further 429. The headers `RateLimit` and `RateLimit-Policy` report the current state.',
  },
  internal: {
    what: 'The service failed because of a bug. The failure is logged under the request id.',
    help: 'Retry with the same `Idempotency-Key`. If it happens again, send the operator the request id.',
  },
  not_implemented: {
    what: 'The request needs a part of HTTP that this service does not have: a transfer coding other than `chunked`, or the method `CONNECT`. The connection is closed.',
    help: 'Send the body uncompressed, with `Content-Length` or `Transfer-Encoding: chunked`.',
  },
  unavailable: {
    what: 'The service, or something that it depends on, is unavailable or too slow at the moment.',
    help: 'Retry after `Retry-After` with the same `Idempotency-Key`. Without a key, the message may have been accepted unless `detail` states that nothing was.',
  },
}
