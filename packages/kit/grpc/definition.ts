import { join } from 'node:path'
import { type AnyDefinition, loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader'

/** Our own files alone: a definition from elsewhere could bring code along. */
const protos = join(import.meta.dirname, '../../../protos')

/** The very options that the types in contracts/gen were generated with. */
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

/** Reads a service's methods from its file under protos/. Once, at the start: it reads the disk and waits for it. */
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
