import type { ServiceSpec } from '@postrider/contracts/services.ts'
import { methodsOf } from '@postrider/kit/grpc/definition.ts'

/** Returns the service with every request and reply encoded and decoded, as between two processes. */
export const encodedCalls = <Rpc extends object>(spec: ServiceSpec<Rpc>, rpc: Rpc): Rpc => {
  const functions = rpc as Record<string, (request: object) => Promise<object>>
  const calls = methodsOf(spec).map(({ name, request, reply }) => {
    const call = async (message: object) => {
      const response = await functions[name]?.(request.decode(request.encode(message)))
      return reply.decode(reply.encode(response ?? {}))
    }
    return [name, call]
  })
  return Object.fromEntries(calls) as Rpc
}
