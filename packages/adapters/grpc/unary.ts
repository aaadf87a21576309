import { type Client, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { faultTrailer } from '@postrider/kit/grpc/outcome.ts'
import type { Answer, Ask, Call } from './ask.ts'

export const asItIs = (bytes: Buffer): Buffer => bytes

/** Each call by itself. */
export const askUnary =
  (client: Client, authorization: string): Ask =>
  ({ path, message, deadlineAt, headers }: Call) => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const metadata = metadataOf(authorization, headers)
    client.makeUnaryRequest(path, asItIs, asItIs, message, metadata, { deadline: deadlineAt }, (error, body) =>
      resolve(error ? failed(error) : { code: status.OK, body: body ?? Buffer.alloc(0), told: '' }),
    )
    return promise
  }

export const metadataOf = (authorization: string, headers: Record<string, string> = {}): Metadata => {
  const metadata = new Metadata()
  metadata.set('authorization', authorization)
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  return metadata
}

/** What gRPC calls an internal error: a stream that ended without a status, as when whoever served it is gone. */
const isBroken = ({ code, details }: ServiceError): boolean =>
  code === status.INTERNAL && details.startsWith('Received RST_STREAM')

export const failed = (error: ServiceError): Answer => {
  const { details, metadata } = error
  const code = isBroken(error) ? status.UNAVAILABLE : error.code
  const fault = metadata?.get(faultTrailer)[0]
  return { code, body: Buffer.isBuffer(fault) ? fault : Buffer.alloc(0), told: details }
}
