import { join } from 'node:path'
import protobuf from 'protobufjs'

/** Only this folder is read: a definition from elsewhere could contain code. */
const protos = join(import.meta.dirname, '../../../protos')

/** Must equal the options that the types in contracts/gen were generated with. */
const fieldNames = { keepCase: true }
const values = { longs: Number, enums: String, defaults: true, arrays: true, objects: true }

type Codec = { encode(message: object): Buffer; decode(bytes: Buffer): object }

export type GrpcMethod = {
  name: string
  /** `/package.Service/Method` */
  path: string
  request: Codec
  reply: Codec
}

/** The codec of gRPC for messages that are encoded and decoded elsewhere. */
export const passBytes = (bytes: Buffer): Buffer => bytes

/** The files read so far. A file that several services import is parsed once. */
const root = new protobuf.Root()
root.resolvePath = (_, target) => join(protos, target)

/**
 * Returns the methods of a service from its file under protos/. It blocks on the disk: call it at start only.
 *
 * Equals what `@grpc/proto-loader` returns, without the descriptors for gRPC reflection: encoding those takes most of
 * its time, 100 ms of the start of a gateway.
 * @throws Error: there is no such file or service
 */
export const methodsOf = ({ proto, name }: { proto: string; name: string }): GrpcMethod[] => {
  const service = root.loadSync(proto, fieldNames).lookupService(name)
  return service.methodsArray.map((method) => {
    method.resolve()
    const { resolvedRequestType: request, resolvedResponseType: reply } = method
    if (request === null || reply === null) throw new Error(`${method.fullName} has no types`)
    return {
      name: method.name,
      path: `/${name}/${method.name}`,
      request: codecOf(request),
      reply: codecOf(reply),
    }
  })
}

/** The functions of a type are compiled at their first use. */
const codecOf = (type: protobuf.Type): Codec => ({
  // In Node its writers return a Buffer.
  encode: (message) => type.encode(type.fromObject(message)).finish() as Buffer,
  decode: (bytes) => type.toObject(type.decode(bytes), values),
})
