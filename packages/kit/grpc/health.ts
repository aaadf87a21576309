import {
  type Client,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type Server,
  status,
} from '@grpc/grpc-js'
import { HealthImplementation, service } from 'grpc-health-check'
import { withTimeout } from '../deadline.ts'
import { every } from '../every.ts'
import { singleFlight } from '../singleFlight.ts'

/** Path prefix of every call to the health service. */
export const healthPath = '/grpc.health.v1.Health/'

/** The paths of its methods. */
export const healthPaths: readonly string[] = Object.values(service).map(({ path }) => path)

/** Maximum number of streams of Health.Watch at the same time, of all clients together. */
const maxWatches = 100

/** Interval between two readiness checks while a client watches. */
const checkEveryMs = 500

/** How long a request waits for a readiness check; then it gets the last result. Clients wait for 800 ms. */
const freshMs = 500

export type Health = AsyncDisposable & {
  /** Reports NOT_SERVING from now on. */
  drain(): void
}

/**
 * Serves grpc.health.v1 with the result of `ready`, for each service and for the whole process (the empty name). The
 * result is read when a client requests it, and periodically only while a client watches: most processes have neither
 * for minutes, and each read costs a command of the store.
 */
export const serveHealth = async (
  server: Server,
  { names, ready }: { names: readonly string[]; ready(): Promise<boolean> | boolean },
): Promise<Health> => {
  const known = ['', ...names]
  const health = new HealthImplementation()
  let draining = false
  let reported: boolean | null = null
  // The library sends each status to all watches, even one that they have.
  const report = (isReady: boolean): void => {
    const serving = isReady && !draining
    if (serving === reported) return
    reported = serving
    for (const name of known) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING')
  }
  const { run: check } = singleFlight(async () => {
    try {
      report(await ready())
    } catch {
      report(false)
    }
  })
  await check()
  const checks = checksWhileWatched(check)
  const refresh = async (): Promise<void> => {
    if (!draining) await withTimeout(freshMs, check())
  }
  addMethods(server, health, { known, refresh, onWatch: checks.add })
  return {
    drain: () => {
      draining = true
      report(false)
    },
    [Symbol.asyncDispose]: checks[Symbol.asyncDispose],
  }
}

/** Runs a check periodically while there are watches. */
const checksWhileWatched = (check: () => Promise<void>) => {
  let watches = 0
  let checking: AsyncDisposable | null = null
  const stop = async (): Promise<void> => {
    const stopping = checking
    checking = null
    await stopping?.[Symbol.asyncDispose]()
  }
  return {
    /** Adds a watch, unless there are too many. @returns a function that removes it, or null */
    add: (): (() => void) | null => {
      if (watches >= maxWatches) return null
      watches++
      checking ??= every(check, { delayMs: () => checkEveryMs, onError: () => {} })
      return () => {
        watches--
        if (watches === 0) void stop()
      }
    },
    [Symbol.asyncDispose]: stop,
  }
}

type Watch = handleServerStreamingCall<{ service: string }, { status: string }>

type MethodOptions = {
  /** The names that have a status. */
  known: readonly string[]
  /** Updates the statuses. */
  refresh(): Promise<void>
  /** Returns what to call at the end of the watch, or null if there are too many. */
  onWatch(): (() => void) | null
}

/**
 * Adds the health service with a limit for watches, which need no token. The library would store each name that a
 * client sends, so a watch of an unknown service never reaches it.
 */
const addMethods = (server: Server, health: HealthImplementation, { known, refresh, onWatch }: MethodOptions): void => {
  const limited =
    (watch: Watch): Watch =>
    (call) => {
      const onEnd = onWatch()
      if (onEnd === null) {
        call.emit('error', { code: status.RESOURCE_EXHAUSTED, details: 'too many watches' })
        return
      }
      call.once('cancelled', onEnd)
      if (!known.includes(call.request.service)) {
        call.write({ status: 'SERVICE_UNKNOWN' })
        return
      }
      void refresh().then(() => {
        if (!call.cancelled) watch(call)
      })
    }
  health.addToServer({
    addService: (definition, { check, watch, ...others }) =>
      server.addService(definition, {
        ...others,
        check: refreshed(check as handleUnaryCall<unknown, unknown>, refresh),
        watch: limited(watch as Watch),
      }),
  } as Server)
}

const refreshed =
  (check: handleUnaryCall<unknown, unknown>, refresh: () => Promise<void>): handleUnaryCall<unknown, unknown> =>
  (call, callback) =>
    void refresh().then(() => check(call, callback))

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
