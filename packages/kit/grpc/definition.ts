import { join } from 'node:path'
import { type AnyDefinition, loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader'

/** Only this folder is read: a definition from elsewhere could contain code. */
const protos = join(import.meta.dirname, '../../../protos')

/** Must equal the options that the types in contracts/gen were generated with. */
const options = {
  includeDirs: [protos],
  keepCase: true,
  longs: Number,
  enums: String,
  defaults: true,
  arrays: true,
  objects: true,
}

type Codec = { encode(message: object): Buffer; decode(bytes: Buffer): object }

export type GrpcMethod = {
  name: string
  /** `/package.Service/Method` */
  path: string
  request: Codec
  reply: Codec
}

/** Returns the methods of a service from its file under protos/. It blocks on the disk: call it at start only. */
export const methodsOf = ({ proto, name }: { proto: string; name: string }): GrpcMethod[] => {
  const found = loadSync(proto, options)[name]
  if (!isService(found)) throw new Error(`${proto} has no service ${name}`)
  return Object.entries(found).map(([method, definition]) => ({
    name: method,
    path: definition.path,
    request: { encode: definition.requestSerialize, decode: definition.requestDeserialize },
    reply: { encode: definition.responseSerialize, decode: definition.responseDeserialize },
  }))
}

type Methods = Record<string, MethodDefinition<object, object>>

const isService = (definition: AnyDefinition | undefined): definition is ServiceDefinition & Methods =>
  definition !== undefined && !('format' in definition)
