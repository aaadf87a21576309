import { type Client, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { Fault } from '@postrider/kit/fault.ts'
import { passBytes } from '@postrider/kit/grpc/definition.ts'
import { type CallOutcome, faultOf, faultTrailer } from '@postrider/kit/grpc/outcome.ts'

/** One call to a service. */
export type Call = {
  /** `/package.Service/Method` */
  path: string
  message: Buffer
  /** The message of a repeated call, where it differs. */
  repeatMessage?: () => Buffer
  /** Deadline in milliseconds since the epoch. */
  deadlineAt: number
  /** Metadata in addition to the token. */
  headers: Record<string, string>
  /** The message or its reply can be long. Such a call is sent alone, on a connection that short calls do not use. */
  isLong?: boolean
  /** Aborted: cancel the call. A call with a signal is sent alone, because a batch cannot be canceled in part. */
  signal?: AbortSignal | undefined
}

/** The outcome of a call, with gRPC's description of the status for the log. */
export type CallResponse = CallOutcome & {
  statusDetails: string
  /** An earlier call of the same request may have been executed. */
  isRepeat?: true
}

/** Sends a call and returns its response; never throws. */
export type SendCall = (call: Call) => Promise<CallResponse>

/** Sends each call as a request of its own. @param clientFor returns the client for a call */
export const sendUnary =
  (clientFor: (call: Call) => Client, authorization: string | null): SendCall =>
  (sent) => {
    const { path, message, deadlineAt, headers, signal } = sent
    const client = clientFor(sent)
    const { promise, resolve } = Promise.withResolvers<CallResponse>()
    const metadata = metadataOf(authorization, headers)
    const options = { deadline: deadlineAt }
    const call = client.makeUnaryRequest(path, passBytes, passBytes, message, metadata, options, (error, body) => {
      signal?.removeEventListener('abort', cancel)
      resolve(error ? responseOf(error) : { code: status.OK, body: body ?? Buffer.alloc(0), statusDetails: '' })
    })
    const cancel = (): void => call.cancel()
    signal?.addEventListener('abort', cancel)
    if (signal?.aborted) cancel()
    return promise
  }

export const metadataOf = (authorization: string | null, headers: Record<string, string> = {}): Metadata => {
  const metadata = new Metadata()
  if (authorization !== null) metadata.set('authorization', authorization)
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  return metadata
}

/** gRPC reports INTERNAL for a stream that ended without a status, for example because its server was killed. */
const isConnectionLoss = ({ code, details }: ServiceError): boolean =>
  code === status.INTERNAL && details.startsWith('Received RST_STREAM')

/** Returns the response of a call that failed. */
export const responseOf = (error: ServiceError): CallResponse => {
  const { details, metadata } = error
  const code = isConnectionLoss(error) ? status.UNAVAILABLE : error.code
  const fault = metadata?.get(faultTrailer)[0]
  return { code, body: Buffer.isBuffer(fault) ? fault : Buffer.alloc(0), statusDetails: details }
}

/** The server did not respond, or was lost before it did. An error of the service itself has a body. */
export const noResponse = ({ code, body }: CallResponse): boolean =>
  (code === status.UNAVAILABLE || code === status.CANCELLED) && body.length === 0

/**
 * Status details of gRPC when there was no connection to send the call on, or when the server was closing the
 * connection and refused the stream, which it does before it reads the call (RFC 9113 §8.7). gRPC itself sends such a
 * call only once more, immediately, and often on the same connection.
 */
const notProcessed = /No connection established|Name resolution failed|Stream refused by server/

/** The call did not reach the service, so the service did not execute it. */
export const notReceived = (response: CallResponse): boolean =>
  noResponse(response) && notProcessed.test(response.statusDetails)

/**
 * When to try again after a status that passes, by gRPC status. A service that refuses our token, or its use for a
 * method, did nothing, and passes when an operator corrects the configuration. Any other status without a fault is a
 * bug.
 */
const retryAfterMsByStatus: Record<number, number> = {
  [status.UNAVAILABLE]: 1_000,
  [status.CANCELLED]: 1_000,
  [status.DEADLINE_EXCEEDED]: 2_000,
  [status.RESOURCE_EXHAUSTED]: 2_000,
  [status.UNAUTHENTICATED]: 5_000,
  [status.PERMISSION_DENIED]: 5_000,
}

/** Returns what the caller of a failed call gets: the Fault of the service, a Fault `unavailable`, or a plain error. */
export const errorOf = (path: string, response: CallResponse): Error => {
  const { isRepeat = false } = response
  const fault = faultOf(response)
  if (fault) return isRepeat ? withUnknownOutcome(fault) : fault
  const error = new Error(`${path}: ${status[response.code] ?? response.code} ${response.statusDetails}`)
  const retryAfterMs = retryAfterMsByStatus[response.code]
  if (retryAfterMs === undefined) return error
  const detail = 'Part of the service is unavailable; try again in a few seconds.'
  const accepted = !isRepeat && notReceived(response) ? 'no' : 'unknown'
  return new Fault('unavailable', detail, { retryAfterMs, accepted, cause: error })
}

/** Returns the fault of a repeated call. The service decided `accepted` without the earlier call. */
const withUnknownOutcome = (fault: Fault): Fault => {
  const { code, message, problems, headers, expected, retryAfterMs } = fault
  return new Fault(code, message, { problems, headers, expected, ...(retryAfterMs !== null && { retryAfterMs }) })
}
