import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Server as AnyServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from './fault.ts'

/**
 * Listens, port 0 on a free one.
 * @param variable that the operator sets the port with
 * @returns the server's URL on this machine
 * @throws Fault `conflict`: the port is in use, in plain words
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

/** How long a request that was on its way when we were told to stop is still taken. */
const lastCallMs = 500
/** How long a request that was begun may take; a client that drips its body must not hold up the stop. */
const longestAnswerMs = 10_000

/**
 * Answers what is in hand and on its way; then takes no more, and lets every connection go.
 * @param draining called at once: answers tell their clients from now on to close the connection
 */
export const closeServer = async (server: Server, draining: () => void): Promise<void> => {
  draining()
  await pause(lastCallMs)
  const closed = once(server, 'close')
  server.close()
  // A connection is idle only once its answer is out, so they are looked through until none is left.
  const looking = setInterval(() => server.closeIdleConnections(), 20)
  const cutting = setTimeout(() => server.closeAllConnections(), longestAnswerMs)
  await closed
  clearInterval(looking)
  clearTimeout(cutting)
}
