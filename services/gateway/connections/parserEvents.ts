import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { maxBodySeconds } from '@postrider/domain/fairness/minRate.ts'
import { Fault, httpStatus } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { lateRequest } from '../bodies/bodyArrival.ts'
import { problemBody } from '../problem.ts'
import type { OpenConnections } from './connections.ts'

/*
 * What Node's parser reports in place of a request: bytes that are no valid HTTP, CONNECT, a request with `Upgrade`,
 * and a request before which it was stopped (packages/kit/parserStops.ts). The responses to what the same connection
 * sent before come first (RFC 9112 §9.3.2): a client would take any other response for theirs.
 */

export type ParserEventsOptions = {
  connections: Pick<OpenConnections, 'afterResponses' | 'afterStop' | 'isEnding' | 'mayBeUnread'>
  maxHeaderSize: number
}

/** Makes a server respond to invalid HTTP and CONNECT in JSON, and ignore `Upgrade`. */
export const handleParserEvents = (server: Server, options: ParserEventsOptions): void => {
  const { afterResponses, afterStop, isEnding, mayBeUnread } = options.connections
  /** Connections that end. The parser reports each further piece that arrives as invalid too. */
  const ending = new WeakSet<Socket>()
  const refuse = (socket: Socket, fault: Fault): void => {
    if (ending.has(socket)) return
    ending.add(socket)
    afterResponses(socket, (unfinished) => endWith(socket, unfinished?.headersSent ? '' : responseText(fault)))
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The header may wait to be read. Node does not report this again; a connection without a request ends by the limit
    // of idle ones.
    if (error.code === lateRequest && mayBeUnread(socket)) return
    if (error.code === 'ECONNRESET' || isUnused(error, socket)) socket.destroy()
    else if (!isEnding(socket) && !isLastResponseDue(error, socket)) refuse(socket, invalidHttpFault(error, options))
  })
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    // Node has removed its own listener.
    socket.on('error', () => socket.destroy())
    refuse(socket, new Fault('not_implemented', 'CONNECT is not supported: this service is not a proxy.'))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node has removed its own listener.
    const onError = (): void => void socket.destroy()
    socket.on('error', onError)
    keepBytes(socket, [headOf(request), head])
    afterStop(socket, () => {
      socket.off('error', onError)
      readAgain(socket, () => server.emit('connection', socket))
    })
  })
}

/**
 * Whether the time for a request passed before its first byte. Browsers open connections in advance, and would take a
 * response for that to their next request.
 */
const isUnused = ({ code }: NodeJS.ErrnoException, { bytesRead }: Socket): boolean =>
  code === lateRequest && bytesRead === 0

/**
 * Whether the connection ends by itself, after a response that is on its way or in progress. What follows a request
 * with `Connection: close` is ignored (RFC 9112 §9.6).
 */
const isLastResponseDue = ({ code }: NodeJS.ErrnoException, { writableEnded }: Socket): boolean =>
  writableEnded || code === 'HPE_CLOSED_CONNECTION'

const invalidHttpFault = (
  { code }: NodeJS.ErrnoException,
  { maxHeaderSize }: Pick<ParserEventsOptions, 'maxHeaderSize'>,
): Fault => {
  const details: Record<string, string> = {
    HPE_HEADER_OVERFLOW: `The header of the request is over ${maxHeaderSize / 1_024} KiB; send a smaller one.`,
    HPE_CHUNK_EXTENSIONS_OVERFLOW: 'A chunk of the body has over 16 KiB of extensions; send none.',
    [lateRequest]: `The request did not arrive completely within ${maxBodySeconds} seconds; send it again, over a faster connection or in smaller parts.`,
  }
  return new Fault('malformed_request', details[code ?? ''] ?? 'This is not a valid HTTP/1.1 request.')
}

const reasons: Readonly<Record<number, string>> = { 400: 'Bad Request', 501: 'Not Implemented' }

const responseText = (fault: Fault): string => {
  const requestId = newId('req')
  const status = httpStatus(fault.code)
  const body = JSON.stringify(problemBody(fault, requestId))
  const head = [
    `HTTP/1.1 ${status} ${reasons[status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const endWith = (socket: Socket, text: string): void => {
  if (socket.writable && text !== '') socket.write(text)
  // Not `end`: a client that never closes its side would hold the socket.
  socket.destroySoon()
}

/** Returns the header of a request as it arrived, without `Upgrade` and no longer than it was. */
const headOf = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}:${rawHeaders[index + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Ignores `readable`, so that a response that resumes the connection leaves its bytes in the buffer. */
const ignoreRead = (): void => {}

/**
 * Puts a request and what followed it back into its connection. The parser stops after such a request and drops what
 * follows in the same piece, so the next request would begin in the middle of another.
 */
const keepBytes = (socket: Socket, [head, remainder]: [Buffer, Buffer]): void => {
  if (remainder.length > 0) socket.unshift(remainder)
  socket.unshift(head)
  socket.on('readable', ignoreRead)
}

/** @param connect makes the server read from the connection */
const readAgain = (socket: Socket, connect: () => void): void => {
  if (!socket.writable) return
  socket.off('readable', ignoreRead)
  connect()
}
