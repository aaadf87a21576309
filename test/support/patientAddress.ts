import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { System } from './suite.ts'

/** What a message has for its own connection. */
const ofConnection = ['connection', 'content-length', 'keep-alive', 'transfer-encoding']

const passed = <Value>(headers: NodeJS.Dict<Value>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofConnection.includes(name) ? [] : [[name, value]],
    ),
  )

/**
 * Returns the address of the system for programs of documents. They do not repeat what a busy cluster refuses with 503,
 * so there a proxy does it for them, as `connect` does. On one process a 503 is a failure, and the address is its own.
 */
export const patientAddress = async ({
  client,
  cluster,
}: Pick<System, 'client' | 'cluster'>): Promise<AsyncDisposable & { url: string }> => {
  if (cluster === null) return { url: client.url, [Symbol.asyncDispose]: async () => {} }
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(request)
    const headers = passed(request.headers) as Record<string, string>
    const body = bytes.length > 0 ? { body: bytes } : {}
    const answer = await client.call({ method: request.method ?? 'GET', path: request.url ?? '/', headers, ...body })
    response.writeHead(answer.status, passed(answer.headers)).end(answer.text)
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
