import type { FaultCode, Problem } from '@postrider/kit/fault.ts'

type Refusal = { detail: string; errors?: Problem[] }

const withError = (detail: string, problem: Problem): Refusal => ({ detail, errors: [problem] })

/** An example of each refusal. */
export const refusals: Readonly<Record<FaultCode, Refusal>> = {
  malformed_request: withError('The body is not valid JSON at line 3, column 1: remove the comma before “}”.', {
    path: '',
    code: 'invalid_json',
    message: 'The body is not valid JSON at line 3, column 1: remove the comma before “}”.',
  }),
  unauthenticated: { detail: 'This request needs a valid API key (Authorization: Bearer pr_live_…) or a session.' },
  quota_exceeded: {
    detail: 'The daily quota of 100 sends is used up; it resets at 2026-11-22T00:00:00.000Z.',
  },
  insufficient_scope: {
    detail:
      'This API key does not have the scope emails:send. Add it with PATCH /api/v1/api-keys/{id}, or use another key.',
  },
  session_required: {
    detail: 'API keys cannot use this operation; log in (POST /api/v1/auth/login) and send the session’s cookie.',
  },
  csrf: {
    detail: 'A change by session needs the header X-CSRF-Token with the csrf_token of GET /api/v1/auth/session.',
  },
  forbidden: { detail: 'Sending is suspended for this workspace.' },
  not_found: { detail: 'There is no such record in this workspace.' },
  method_not_allowed: { detail: 'This path supports GET, HEAD, POST.' },
  request_timeout: { detail: 'The body did not arrive completely within 5 seconds; send it again.' },
  idempotency_in_flight: { detail: 'The first request with this Idempotency-Key is still running.' },
  conflict: { detail: 'The current state does not allow this.' },
  workspace_changed: {
    detail: 'X-Workspace does not match the workspace of the session or API key; reload the page.',
  },
  too_large: { detail: 'The body is over this request’s limit of 15 MiB; send a smaller one.' },
  unsupported_media_type: {
    detail: 'The request has no Content-Type; send a JSON object with Content-Type: application/json.',
  },
  expectation_failed: {
    detail: 'The only value of `Expect` that this service supports is `100-continue`; leave the header out.',
  },
  validation_failed: withError('to: Must be an array, not a string; write ["user@example.com"].', {
    path: 'to',
    code: 'wrong_type',
    message: 'Must be an array, not a string; write ["user@example.com"].',
  }),
  idempotency_mismatch: { detail: 'This Idempotency-Key was used with a different body; use a new key.' },
  rate_limited: {
    detail: 'This key may make 10 such requests per second and 20 in a burst; wait for the time in Retry-After.',
  },
  internal: {
    detail:
      'The service failed because of a bug; it is logged under this request id. Send the operator the id if it happens again.',
  },
  not_implemented: {
    detail: 'The only transfer coding of this service is `chunked`; send the body without another one.',
  },
  unavailable: { detail: 'Too many requests are in progress; try again in a second.' },
}
