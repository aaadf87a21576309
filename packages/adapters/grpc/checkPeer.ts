import { type Client, type ServiceError, status } from '@grpc/grpc-js'
import type { ServiceSpec } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { gatherMethod, type ReplyBatch } from '@postrider/kit/grpc/callBatches.ts'
import type { AllowedMethods } from '@postrider/kit/grpc/callHandler.ts'
import { healthOf } from '@postrider/kit/grpc/health.ts'
import { metadataOf } from './call.ts'

export type CheckPeerOptions = {
  /** Returns the client for the next call. */
  client(): Client
  spec: Pick<ServiceSpec<unknown>, 'name'> & { callers?: AllowedMethods }
  /** Name of the calling process. */
  name: string
  authorization: string | null
  timeoutMs: number
}

/**
 * Returns a check of a service that this process calls: one of its replicas is serving, accepts the token or
 * certificate of this process, and permits the methods that it needs. The methods do not run: their calls have no time
 * left.
 * @throws Fault `forbidden`: the service refuses this process; `unavailable`: it cannot be reached or is not serving
 */
export const peerCheck = ({ client, spec, name, authorization, timeoutMs }: CheckPeerOptions) => {
  const { path: gather, request, reply } = gatherMethod()
  const metadata = metadataOf(authorization)
  const methods = spec.callers?.[name] ?? []
  const calls = methods.map((method) => {
    return { path: `/${spec.name}/${method}`, message: Buffer.alloc(0), timeout_ms: 0, headers: {} }
  })

  const serving = async (): Promise<void> => {
    const { code, details, isServing } = await healthOf(client(), spec.name, timeoutMs, metadata)
    if (!isServing) throw code === status.OK ? new Fault('unavailable', 'not serving') : refusalFault(code, details)
  }

  const permits = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const options = { deadline: Date.now() + timeoutMs }
    const stream = client().makeServerStreamRequest(gather, request.encode, reply.decode, { calls }, metadata, options)
    stream.on('data', ({ replies }: ReplyBatch) => {
      const denied = replies.find(({ code }) => code === status.PERMISSION_DENIED)
      if (denied) reject(refusalFault(denied.code, methods[denied.number] ?? ''))
    })
    stream.on('error', (error: Error) => {
      const { code, details } = error as ServiceError
      reject(refusalFault(code, details))
    })
    stream.on('end', () => resolve())
    return promise
  }

  return async (): Promise<void> => {
    // The first replica may be stopping.
    await serving().catch(serving)
    await permits()
  }
}

const refusalFault = (code: status, details: string): Fault => {
  if (code === status.UNAUTHENTICATED) return new Fault('forbidden', `rejected our token or certificate: ${details}`)
  if (code === status.PERMISSION_DENIED)
    return new Fault('forbidden', `rejected method ${details}: the token belongs to another service`)
  return new Fault('unavailable', `${status[code] ?? code}: ${details}`)
}
