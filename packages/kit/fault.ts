/**
 * Every way the service refuses, with its answer on each edge: HTTP status, gRPC status, title.
 * What is not a `Fault` is a bug and leaves as a bare `internal`; its detail goes to the log only.
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
  idempotency_in_flight: [409, 'ABORTED', 'Request in flight'],
  conflict: [409, 'FAILED_PRECONDITION', 'Conflict'],
  too_large: [413, 'INVALID_ARGUMENT', 'Too large'],
  unsupported_media_type: [415, 'INVALID_ARGUMENT', 'Unsupported media type'],
  validation_failed: [422, 'INVALID_ARGUMENT', 'Validation failed'],
  idempotency_mismatch: [422, 'INVALID_ARGUMENT', 'Idempotency key reused'],
  rate_limited: [429, 'RESOURCE_EXHAUSTED', 'Rate limited'],
  internal: [500, 'INTERNAL', 'Internal error'],
  unavailable: [503, 'UNAVAILABLE', 'Unavailable'],
} as const satisfies Record<string, readonly [httpStatus: number, grpcStatus: string, title: string]>

export type FaultCode = keyof typeof faults

/** One thing wrong with a request: where (`to[3]`, empty for the whole), its name for machines, a sentence for people. */
export type Problem = { path: string; code: string; message: string }

/** A refusal somebody can act on. `detail` is shown to the caller, so nothing of the server's inside is in it. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly problems: readonly Problem[]
  /** When to come again, in milliseconds from now; null where no time helps. */
  readonly retryAfterMs: number | null
  /** Headers of the HTTP answer that belong to this refusal, such as `Allow` and `Quota-Remaining`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: FaultCode,
    detail: string,
    more: {
      problems?: readonly Problem[]
      retryAfterMs?: number
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.problems = more.problems ?? []
    this.retryAfterMs = more.retryAfterMs ?? null
    this.headers = more.headers ?? {}
  }
}

/** 422 for one or more problems; the detail is the first, so a client that reads only `detail` still learns something. */
export const invalid = (...problems: [Problem, ...Problem[]]): Fault => {
  const [first, ...rest] = problems
  const where = first.path === '' ? '' : `${first.path}: `
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more, see errors)`
  return new Fault('validation_failed', `${where}${first.message}${more}`, { problems })
}

/** Refuses with every one of these problems, where there is any.
 * @throws Fault `validation_failed` */
export const refuseAny = (problems: readonly Problem[]): void => {
  const [first, ...rest] = problems
  if (first) throw invalid(first, ...rest)
}

export const httpStatus = (code: FaultCode): number => faults[code][0]
export const grpcStatus = (code: FaultCode): string => faults[code][1]
export const faultTitle = (code: FaultCode): string => faults[code][2]
export const faultCodes = Object.keys(faults) as FaultCode[]

/** Any thrown value as a fault: a `Fault` as it is, all else as a bare `internal` that keeps its cause for the log. */
export const asFault = (thrown: unknown): Fault =>
  thrown instanceof Fault
    ? thrown
    : new Fault('internal', 'Something went wrong on our side; it is logged under this request id.', { cause: thrown })

/** A part of a message that its sender always sets; proto3 can't say so. */
export const given = <T>(value: T | null | undefined, name: string): T => {
  if (value === null || value === undefined) throw new Fault('internal', `A message came without its ${name}.`)
  return value
}

/** Whether a dependency is unavailable for the moment; a full disk counts, because it passes. */
export const isUnavailable = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code === 'unavailable'
