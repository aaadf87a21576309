import type { Problem } from '@postrider/domain/problem.ts'

/**
 * Every refusal of the service with its HTTP status, gRPC status and title. A thrown value that is not a `Fault` is a
 * bug: the caller gets `internal` without detail, and the cause is only logged. So only `asFault` makes an `internal`.
 */
const faults = {
  malformed_request: [400, 'INVALID_ARGUMENT', 'Malformed request'],
  unauthenticated: [401, 'UNAUTHENTICATED', 'Not authenticated'],
  quota_exceeded: [402, 'RESOURCE_EXHAUSTED', 'Quota exceeded'],
  insufficient_scope: [403, 'PERMISSION_DENIED', 'Insufficient scope'],
  session_required: [403, 'PERMISSION_DENIED', 'Session required'],
  csrf: [403, 'PERMISSION_DENIED', 'Cross-site request refused'],
  forbidden: [403, 'PERMISSION_DENIED', 'Forbidden'],
  not_found: [404, 'NOT_FOUND', 'Not found'],
  method_not_allowed: [405, 'UNIMPLEMENTED', 'Method not allowed'],
  request_timeout: [408, 'DEADLINE_EXCEEDED', 'Request timeout'],
  idempotency_in_flight: [409, 'ABORTED', 'Request in flight'],
  conflict: [409, 'FAILED_PRECONDITION', 'Conflict'],
  workspace_changed: [409, 'FAILED_PRECONDITION', 'Workspace changed'],
  too_large: [413, 'INVALID_ARGUMENT', 'Too large'],
  unsupported_media_type: [415, 'INVALID_ARGUMENT', 'Unsupported media type'],
  expectation_failed: [417, 'INVALID_ARGUMENT', 'Expectation failed'],
  validation_failed: [422, 'INVALID_ARGUMENT', 'Validation failed'],
  idempotency_mismatch: [422, 'INVALID_ARGUMENT', 'Idempotency key reused'],
  rate_limited: [429, 'RESOURCE_EXHAUSTED', 'Rate limited'],
  internal: [500, 'INTERNAL', 'Internal error'],
  not_implemented: [501, 'UNIMPLEMENTED', 'Not implemented'],
  unavailable: [503, 'UNAVAILABLE', 'Unavailable'],
} as const satisfies Record<string, readonly [httpStatus: number, grpcStatus: string, title: string]>

export type FaultCode = keyof typeof faults

export type { Problem }

/** Maximum number of problems that a response of the API names. */
export const maxProblems = 100

/** A refusal that the caller can act on. The caller sees `detail`, so it contains nothing internal. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly problems: readonly Problem[]
  /** Milliseconds until a retry can succeed; null: waiting does not help. */
  readonly retryAfterMs: number | null
  /** Headers of the HTTP response that belong to this refusal, such as `Allow` and `Quota-Remaining`. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the service decided it, such as a full queue. Then an `unavailable` is no failure to investigate. */
  readonly expected: boolean
  /**
   * Whether what the request asks for may have been accepted in spite of the refusal. `no`: it was refused before
   * anything was stored, or what was stored is void.
   */
  readonly accepted: 'no' | 'unknown'

  constructor(
    code: FaultCode,
    detail: string,
    more: {
      problems?: readonly Problem[]
      retryAfterMs?: number
      headers?: Record<string, string>
      expected?: boolean
      /** Default: `unknown`. */
      accepted?: 'no' | 'unknown'
      cause?: unknown
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.problems = more.problems ?? []
    this.retryAfterMs = more.retryAfterMs ?? null
    this.headers = more.headers ?? {}
    this.expected = more.expected ?? false
    this.accepted = more.accepted ?? 'unknown'
  }
}

/** Returns a 422 for one or more problems. The detail is the first problem, for clients that read only `detail`. */
export const invalid = (...problems: [Problem, ...Problem[]]): Fault => {
  const [first, ...rest] = problems
  const where = first.path === '' ? '' : `${first.path}: `
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more, see errors)`
  return new Fault('validation_failed', `${where}${first.message}${more}`, { problems })
}

/**
 * Throws if there are any problems.
 * @throws Fault `validation_failed`, with all of them
 */
export const refuseAny = (problems: readonly Problem[]): void => {
  const [first, ...rest] = problems
  if (first) throw invalid(first, ...rest)
}

export const httpStatus = (code: FaultCode): number => faults[code][0]
export const grpcStatus = (code: FaultCode): string => faults[code][1]
export const faultTitle = (code: FaultCode): string => faults[code][2]
export const faultCodes = Object.keys(faults) as FaultCode[]

/** Returns the path of the page that explains a code. */
export const problemType = (code: string): string => `/problems/${code.replaceAll('_', '-')}`

/**
 * Returns what a response of the API names of a refusal: the members of RFC 9457 §3.1, the code, and every single
 * problem.
 */
export const problemMembers = (fault: Fault) => ({
  type: problemType(fault.code),
  title: faultTitle(fault.code),
  status: httpStatus(fault.code),
  detail: fault.message,
  code: fault.code,
  errors: fault.problems.slice(0, maxProblems),
})

/** Returns a thrown value as a fault: a `Fault` unchanged, any other value as `internal` with its cause for the log. */
export const asFault = (thrown: unknown): Fault =>
  thrown instanceof Fault
    ? thrown
    : new Fault(
        'internal',
        'The service failed because of a bug; it is logged under this request id. Send the operator the id if it happens again.',
        { cause: thrown },
      )

/**
 * Returns a part of a message that its sender always sets; proto3 cannot express that.
 * @throws Error: the sender has a bug
 */
export const requirePart = <T>(value: T | null | undefined, name: string): T => {
  if (value === null || value === undefined) throw new Error(`a message has no ${name}`)
  return value
}

/**
 * Returns whether a failure, or every one of several, is a `Fault` that is expected and logged where it began, if at
 * all.
 */
export const isExpected = (thrown: unknown): boolean =>
  thrown instanceof AggregateError ? thrown.errors.every(isExpected) : thrown instanceof Fault && thrown.expected

/** Returns whether a failure is a `Fault` with this code. */
export const hasCode = (thrown: unknown, code: FaultCode): thrown is Fault =>
  thrown instanceof Fault && thrown.code === code

/** Returns whether a dependency is temporarily unavailable; a full disk counts, because it can be resolved. */
export const isUnavailable = (thrown: unknown): boolean => hasCode(thrown, 'unavailable')
