import { type Client, Metadata, type Server } from '@grpc/grpc-js'
import { HealthImplementation, service } from 'grpc-health-check'

/** Where every call to the health service begins. */
export const healthPath = '/grpc.health.v1.Health/'

/** How often it is looked whether the process is ready. */
const lookEveryMs = 500

export type Health = Disposable & {
  /** Nothing is to come any more. */
  drain(): void
}

/** Serves grpc.health.v1 for each service and for the whole process (the empty name), as `ready` says. */
export const serveHealth = async (
  server: Server,
  { names, ready }: { names: readonly string[]; ready(): Promise<boolean> | boolean },
): Promise<Health> => {
  const health = new HealthImplementation()
  const set = (serving: boolean): void => {
    for (const name of ['', ...names]) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING')
  }
  const state = { draining: false }
  const look = async (): Promise<void> => {
    const serving = await Promise.resolve(ready()).catch(() => false)
    set(serving && !state.draining)
  }
  await look()
  health.addToServer(server)
  const looking = setInterval(() => void look(), lookEveryMs)
  return {
    drain: () => {
      state.draining = true
      set(false)
    },
    [Symbol.dispose]: () => clearInterval(looking),
  }
}

/**
 * Asks a server's health service about one service. False where it doesn't answer in time.
 * @param metadata with a token where the answer shall tell of that, too
 */
export const askHealth = (
  client: Client,
  name: string,
  timeoutMs: number,
  metadata: Metadata = new Metadata(),
): Promise<boolean> => {
  const { path, requestSerialize, responseDeserialize } = service['Check'] as Check
  const { promise, resolve } = Promise.withResolvers<boolean>()
  client.makeUnaryRequest(
    path,
    requestSerialize,
    responseDeserialize,
    { service: name },
    metadata,
    { deadline: Date.now() + timeoutMs },
    (error, reply) => resolve(!error && reply?.status === 'SERVING'),
  )
  return promise
}

type Check = {
  path: string
  requestSerialize(request: { service: string }): Buffer
  responseDeserialize(bytes: Buffer): { status: string }
}
