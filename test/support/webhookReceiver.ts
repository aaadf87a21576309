import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { SeenWebhook, WebhookReceiver, WebhookReply } from '@postrider/ports/webhookClient.conformance.ts'

/** A server on loopback. `connections` is the number of connections so far: a canary has none. */
export type Listener = AsyncDisposable & { port: number; connections: number }

const started = async (server: net.Server, host: string, port = 0): Promise<Listener> => {
  const open = new Set<Socket>()
  const listener: Listener = {
    port: 0,
    connections: 0,
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
  server.on('connection', (socket: Socket) => {
    listener.connections += 1
    open.add(socket)
    socket.on('error', () => {}).once('close', () => open.delete(socket))
  })
  server.listen({ port, host, ipv6Only: host.includes(':') })
  await once(server, 'listening')
  listener.port = (server.address() as AddressInfo).port
  return listener
}

/** Starts a server that hands each connection to `serve`. */
export const startRawServer = (
  serve: (socket: Socket) => void = (socket) => socket.destroy(),
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<Listener> => started(net.createServer(serve), host, port)

export type WebhookServerOptions = {
  host?: string
  port?: number
  /** With it, the server speaks HTTPS. */
  certificate?: { key: string | Buffer; cert: string | Buffer }
}

/** Starts an HTTP server that responds as `reply` decides. `seen` are the requests in order. */
export const startWebhookServer = async (
  reply: (seen: SeenWebhook) => WebhookReply | Promise<WebhookReply> = () => ({}),
  { host = '127.0.0.1', port = 0, certificate }: WebhookServerOptions = {},
): Promise<Listener & WebhookReceiver> => {
  const seen: SeenWebhook[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const received = { method, path: url, headers: textsOf(headers), body: Buffer.concat(parts).toString() }
    seen.push(received)
    answer(response, await reply(received))
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    // The client may end the connection before its body has arrived.
    serve(request, response).catch(() => request.destroy())
  }
  const server = certificate ? https.createServer(certificate, onRequest) : http.createServer(onRequest)
  const listener = await started(server, host, port)
  const name = host.includes(':') ? `[${host}]` : host
  return Object.assign(listener, { url: `${certificate ? 'https' : 'http'}://${name}:${listener.port}/`, seen })
}

const answer = (
  response: ServerResponse,
  { status = 200, headers = {}, body = '', end = 'whole' }: WebhookReply,
): void => {
  if (end === 'never') return
  const bytes = Buffer.from(body)
  response.on('error', () => {})
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  if (end === 'whole') response.end(bytes)
  else response.write(bytes.subarray(0, -1), () => response.destroy())
}

const textsOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))

const portTries = 20

type Start = (port: number) => Promise<Listener>

/** Starts listeners of different addresses on one port. The port of the first may be in use at the others. */
export const onOnePort = async <const Starts extends readonly [Start, ...Start[]]>(
  ...starts: Starts
): Promise<{ [Index in keyof Starts]: Awaited<ReturnType<Starts[Index]>> } & AsyncDisposable> => {
  for (let left = portTries; ; left--) {
    const started: Listener[] = []
    const dispose = async (): Promise<void> => {
      for (const listener of started) await listener[Symbol.asyncDispose]()
    }
    try {
      for (const start of starts) started.push(await start(started[0]?.port ?? 0))
      // The entries are those of `starts`, in their order.
      return Object.assign(started, { [Symbol.asyncDispose]: dispose }) as never
    } catch (error) {
      await dispose()
      if (left === 0) throw error
    }
  }
}
