import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BackendName, type Found, findBackend } from '../backends/find.ts'

/** The variable that contains the URL of `shareBackends` in a mocha process. */
export const shareVariable = 'POSTRIDER_TEST_BACKENDS'

/** The answer to `GET /<name>`. `address` is null if the back end is not available; `fault` if that is an error. */
export type Shared = { address: string | null } | { fault: string }

const names: readonly BackendName[] = ['mongodb', 'kafka', 'redis']

/**
 * Serves the back ends that all mocha processes of a run share. A back end starts at the first request for it, and
 * disposing stops it.
 */
export const shareBackends = async (): Promise<AsyncDisposable & { env: Record<string, string> }> => {
  const started = new Map<BackendName, Promise<Found | null>>()
  const find = async (name: BackendName): Promise<Shared> => {
    const found = started.get(name) ?? findBackend(name)
    started.set(name, found)
    return found.then(
      (one) => ({ address: one?.address ?? null }),
      (reason: Error) => ({ fault: reason.message }),
    )
  }
  const server = createServer((request, response) => {
    const name = names.find((one) => `/${one}` === request.url)
    if (name === undefined) return response.writeHead(404).end()
    return void find(name).then((shared) =>
      response.writeHead(200, { connection: 'close' }).end(JSON.stringify(shared)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    env: { [shareVariable]: `http://127.0.0.1:${port}` },
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const found of started.values()) await (await found.catch(() => null))?.[Symbol.asyncDispose]()
    },
  }
}
