import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, Server as AnyServer, createServer, isIPv6 } from 'node:net'
import { idleConnections, untilQuiet } from './drain.ts'
import { Fault } from './fault.ts'
import { Server as HttpServer } from './nodeHttp.ts'
import { pause } from './pause.ts'

export type ListenOptions = {
  /** `localhost`, which is 127.0.0.1 and ::1, or one IP address; `::` is every address of both IP versions. */
  host: string
  /** 0 picks a free one, the same for both IP versions. */
  port: number
  /** The variable by which the operator sets the port. */
  variable: string
  /**
   * Sockets for each address. In an event loop iteration each accepts one connection, so with one socket a client that
   * opens many connections delays the new connections of all others. Only Linux spreads connections over several;
   * elsewhere, and by default, it is one.
   */
  socketsPerAddress?: number
}

/** `socketsPerAddress` of servers whose clients need no login, such as browsers and probes. */
export const manySockets = 32

/** The sockets that a server listens on. */
export type Listening = {
  /** URL of the server on this machine. */
  url: string
  port: number
  /** The server, and others that accept its connections: over the other IP version, and with `socketsPerAddress`. */
  sockets: readonly AnyServer[]
  /** Closes the idle connections of an HTTP server. */
  closeIdle(): void
}

/**
 * Listens on an address and a port.
 * @throws Fault `conflict`: the port is in use, or the machine does not have the address
 */
export const listen = async (server: AnyServer, options: ListenOptions): Promise<Listening> => {
  const { host, port, socketsPerAddress = 1 } = options
  const max = process.platform === 'linux' ? socketsPerAddress : 1
  const bound = host === 'localhost' ? bindBoth(server, port, max > 1) : bindOne(server, host, port, max > 1)
  const sockets = await bound
    .then((first) => addSockets(server, first, max))
    .catch((thrown: unknown) => {
      throw listenFault(codeOf(thrown), options) ?? thrown
    })
  const { port: chosen } = server.address() as AddressInfo
  const closeIdle = server instanceof HttpServer ? idleConnections(server) : () => {}
  return { url: urlOf(host, chosen), port: chosen, sockets, closeIdle }
}

/** Returns the error for the operator; null: the operator cannot resolve the system's error. */
const listenFault = (code: string, { host, port, variable }: ListenOptions): Fault | null => {
  if (code === 'EADDRINUSE') {
    return new Fault(
      'conflict',
      `Port ${port} is in use; choose another with ${variable}, or ${variable}=0 for a free one.`,
    )
  }
  if (!isMissingAddress(code)) return null
  return new Fault('conflict', `POSTRIDER_HOST is ${host}, but this machine does not have this address.`)
}

const codeOf = (thrown: unknown): string => String((thrown as NodeJS.ErrnoException).code)

/** EADDRNOTAVAIL: no interface has the address. EAFNOSUPPORT: the kernel does not have the IP version. */
const isMissingAddress = (code: string): boolean => code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'

const unspecified = ['::', '0.0.0.0']

const urlOf = (host: string, port: number): string => {
  if (host === 'localhost' || unspecified.includes(host)) return `http://localhost:${port}`
  return isIPv6(host) ? `http://[${host}]:${port}` : `http://${host}:${port}`
}

/** @param isShared whether other sockets may listen on the port too */
const bind = async (server: AnyServer, host: string, port: number, isShared: boolean): Promise<number> => {
  if (isShared && port !== 0) await findUse(host, port)
  server.listen({ host, port, reusePort: isShared })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/**
 * Throws if a port is in use. Sockets of several processes of one user can share a port, and each process would get a
 * part of the connections.
 */
const findUse = async (host: string, port: number): Promise<void> => {
  const probe = createServer()
  await bind(probe, host, port, false)
  probe.close()
  await once(probe, 'close')
}

/** Returns a server that passes its connections. */
const passing = (server: AnyServer): AnyServer =>
  createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))

/** Adds sockets that listen on the addresses of those that do. */
const addSockets = async (server: AnyServer, first: readonly AnyServer[], max: number): Promise<AnyServer[]> => {
  const sockets = [...first]
  try {
    for (const socket of first) {
      const { address: host, port } = socket.address() as AddressInfo
      for (let count = 1; count < max; count++) {
        const added = passing(server).listen({ host, port, reusePort: true })
        sockets.push(added)
        await once(added, 'listening')
      }
    }
  } catch (thrown) {
    for (const socket of sockets) socket.close()
    throw thrown
  }
  return sockets
}

/** `::` includes IPv4. A machine without IPv6 listens on `0.0.0.0` instead. */
const bindOne = async (server: AnyServer, host: string, port: number, isShared: boolean): Promise<AnyServer[]> => {
  await bind(server, host, port, isShared).catch((thrown: unknown) =>
    host === '::' && isMissingAddress(codeOf(thrown))
      ? bind(server, '0.0.0.0', port, isShared)
      : Promise.reject(thrown),
  )
  return [server]
}

/** A free port of one IP version may be in use on the other; then another port is picked. */
const maxPortTries = 20

/**
 * Listens on ::1, if the machine has it, and on 127.0.0.1. A server has one socket, so a second one passes its
 * connections.
 */
const bindBoth = async (
  server: AnyServer,
  port: number,
  isShared: boolean,
  triesLeft = maxPortTries,
): Promise<AnyServer[]> => {
  const twin = passing(server)
  const onTwin = await bind(twin, '::1', port, isShared).catch((thrown: unknown) =>
    isMissingAddress(codeOf(thrown)) ? null : Promise.reject(thrown),
  )
  try {
    await bind(server, '127.0.0.1', onTwin ?? port, isShared)
    return onTwin === null ? [server] : [server, twin]
  } catch (thrown) {
    if (onTwin !== null) twin.close()
    if (port !== 0 || triesLeft === 0 || codeOf(thrown) !== 'EADDRINUSE') throw thrown
    return bindBoth(server, port, isShared, triesLeft - 1)
  }
}

/**
 * How long new connections are still accepted after the stop began, while the process is not ready: they were on their
 * way already. In Kubernetes the preStop pause of the chart precedes the stop.
 */
const lastCallMs = 500
/**
 * Time that a request in flight may take while the server stops: a client that sends its body slowly must not delay the
 * stop.
 */
const maxResponseMs = 10_000

/**
 * Responds to the requests in flight and to those that the kernel has queued, then closes every connection. No
 * connection that the kernel has accepted is reset: the server stops listening after it has accepted all of them.
 * @param draining called immediately: from now on responses must close their connection
 */
export const closeServer = async (
  server: Server,
  { sockets, closeIdle }: Pick<Listening, 'sockets' | 'closeIdle'>,
  draining: () => void,
): Promise<void> => {
  draining()
  await pause(lastCallMs)
  await untilQuiet(server)
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
  // `close` of an HTTP server would also close connections that only look idle (kit/drain.ts).
  for (const socket of sockets) AnyServer.prototype.close.call(socket)
  // A connection becomes idle when its response is sent, so this repeats until none is left. Each time the sockets are
  // polled before.
  const closing = setInterval(() => setImmediate(closeIdle), 20)
  const cutting = setTimeout(() => server.closeAllConnections(), maxResponseMs)
  await closed
  clearInterval(closing)
  clearTimeout(cutting)
}
