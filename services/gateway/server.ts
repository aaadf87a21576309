import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { problemBody } from './problemBody.ts'

/** How patient the server is with a connection, in milliseconds and bytes. */
const patience = {
  /** Until the header of a request is whole: a client that drips bytes holds a connection no longer. */
  headersTimeout: 15_000,
  /** Until a whole request is there. */
  requestTimeout: 30_000,
  /** How often the two above are looked after. */
  connectionsCheckingInterval: 2_000,
  /** Longer than load balancers keep an idle connection, so that they close it and no request is lost. */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1_024,
}

/** An HTTP server with bounds on what a connection may cost; what is not HTTP is answered in JSON too. */
export const gatewayServer = (listener: RequestListener): Server => {
  const server = createServer(patience, listener)
  server.on('clientError', answerBrokenRequest)
  return server
}

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: `The header of the request is over ${patience.maxHeaderSize / 1_024} KiB.`,
  ERR_HTTP_REQUEST_TIMEOUT: `The request was not whole within ${patience.requestTimeout / 1_000} seconds.`,
}

const answerBrokenRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = newId('req')
  const detail = reasons[error.code ?? ''] ?? 'This is not a valid HTTP/1.1 request.'
  const body = JSON.stringify(problemBody(new Fault('malformed_request', detail), requestId))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Not `end`: a client that never closes its side would keep the socket.
  socket.destroySoon()
}
