import { type Fault, faultTitle, httpStatus } from '@postrider/kit/fault.ts'

/** Where a code is explained, for people. */
export const problemType = (code: string): string => `/problems/${code.replaceAll('_', '-')}`

/** A refusal as the API answers it: the members of RFC 9457 §3.1, the code for machines, and every single problem. */
export const problemBody = (fault: Fault, requestId: string) => ({
  type: problemType(fault.code),
  title: faultTitle(fault.code),
  status: httpStatus(fault.code),
  detail: fault.message,
  code: fault.code,
  request_id: requestId,
  errors: fault.problems,
})

/** Headers that belong to a refusal, beside those it brings itself. */
export const problemHeaders = (fault: Fault): Record<string, string> => ({
  ...fault.headers,
  ...(fault.code === 'unauthenticated' && { 'WWW-Authenticate': 'Bearer' }),
  ...retryAfter(fault),
})

/** Whole seconds, at least one (RFC 9110 §10.2.3). A service that can't is worth asking again soon. */
const retryAfter = ({ code, retryAfterMs }: Fault): Record<string, string> => {
  const waitMs = retryAfterMs ?? (code === 'unavailable' ? 1_000 : null)
  return waitMs === null ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1_000))) }
}
