import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Server as AnyServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from './fault.ts'

/**
 * Listens on `port`; 0 picks a free one.
 * @param variable by which the operator sets the port
 * @returns the URL of the server on this machine
 * @throws Fault `conflict`: the port is in use
 */
export const listen = async (server: AnyServer, port: number, variable: string): Promise<string> => {
  server.listen(port)
  await once(server, 'listening').catch((thrown: NodeJS.ErrnoException) => {
    throw thrown.code === 'EADDRINUSE'
      ? new Fault(
          'conflict',
          `Port ${port} is in use; choose another with ${variable}, or ${variable}=0 for a free one.`,
        )
      : thrown
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** How long new requests are still accepted after the stop began: they were on their way already. */
const lastCallMs = 500
/** How long a request in hand may take while the server stops: a client that sends its body slowly must not delay it. */
const longestAnswerMs = 10_000

/**
 * Answers the requests in hand and on their way, then closes every connection.
 * @param draining called at once: from now on responses must close their connection
 */
export const closeServer = async (server: Server, draining: () => void): Promise<void> => {
  draining()
  await pause(lastCallMs)
  const closed = once(server, 'close')
  server.close()
  // A connection becomes idle when its response is sent, so this repeats until none is left.
  const closing = setInterval(() => server.closeIdleConnections(), 20)
  const cutting = setTimeout(() => server.closeAllConnections(), longestAnswerMs)
  await closed
  clearInterval(closing)
  clearTimeout(cutting)
}
