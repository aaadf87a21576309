import { type Client, type handleServerStreamingCall, Metadata, type Server, status } from '@grpc/grpc-js'
import { HealthImplementation, service } from 'grpc-health-check'
import { every } from '../every.ts'

/** Path prefix of every call to the health service. */
export const healthPath = '/grpc.health.v1.Health/'

/** The paths of its methods. */
export const healthPaths: readonly string[] = Object.values(service).map(({ path }) => path)

/** Maximum number of streams of Health.Watch at the same time, of all clients together. */
const maxWatches = 100

/** Interval between two readiness checks. */
const checkEveryMs = 500

export type Health = AsyncDisposable & {
  /** Reports NOT_SERVING from now on. */
  drain(): void
}

/** Serves grpc.health.v1 with the result of `ready`, for each service and for the whole process (the empty name). */
export const serveHealth = async (
  server: Server,
  { names, ready }: { names: readonly string[]; ready(): Promise<boolean> | boolean },
): Promise<Health> => {
  const health = new HealthImplementation()
  let draining = false
  const report = (serving: boolean): void => {
    for (const name of ['', ...names]) health.setStatus(name, serving && !draining ? 'SERVING' : 'NOT_SERVING')
  }
  const check = async (): Promise<void> => report(await ready())
  await check().catch(() => report(false))
  addLimited(server, health, ['', ...names])
  const checking = every(check, { delayMs: () => checkEveryMs, onError: () => report(false) })
  return {
    drain: () => {
      draining = true
      report(false)
    },
    [Symbol.asyncDispose]: () => checking[Symbol.asyncDispose](),
  }
}

type Watch = handleServerStreamingCall<{ service: string }, { status: string }>

/**
 * Adds the health service with a limit for watches, which need no token. The library would store each name that a
 * client sends, so a watch of an unknown service never reaches it.
 */
const addLimited = (server: Server, health: HealthImplementation, names: readonly string[]): void => {
  let watches = 0
  const limited =
    (watch: Watch): Watch =>
    (call) => {
      if (watches >= maxWatches) {
        call.emit('error', { code: status.RESOURCE_EXHAUSTED, details: 'too many watches' })
        return
      }
      watches++
      call.once('cancelled', () => watches--)
      if (names.includes(call.request.service)) watch(call)
      else call.write({ status: 'SERVICE_UNKNOWN' })
    }
  health.addToServer({
    addService: (definition, { watch, ...others }) =>
      server.addService(definition, { ...others, watch: limited(watch as Watch) }),
  } as Server)
}

/** The response of the health service: a gRPC status with its text, and whether it reports SERVING. */
export type HealthReply = { code: status; details: string; isServing: boolean }

/**
 * Returns what the health service of a server reports for a service within `timeoutMs`.
 * @param metadata with a token, to learn also whether the server accepts it
 */
export const healthOf = (
  client: Client,
  name: string,
  timeoutMs: number,
  metadata: Metadata = new Metadata(),
): Promise<HealthReply> => {
  const { path, requestSerialize, responseDeserialize } = service['Check'] as Check
  const { promise, resolve } = Promise.withResolvers<HealthReply>()
  client.makeUnaryRequest(
    path,
    requestSerialize,
    responseDeserialize,
    { service: name },
    metadata,
    { deadline: Date.now() + timeoutMs },
    (error, reply) =>
      resolve({
        code: error?.code ?? status.OK,
        details: error?.details ?? '',
        isServing: !error && reply?.status === 'SERVING',
      }),
  )
  return promise
}

type Check = {
  path: string
  requestSerialize(request: { service: string }): Buffer
  responseDeserialize(bytes: Buffer): { status: string }
}
