import type { ClientHttp2Session } from 'node:http2'
import { join } from 'node:path'
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { type AllowedMethods, grpcServerMetrics } from '@postrider/kit/grpc/callHandler.ts'
import { clientCredentials, type PeerSecurity, type PeerTls } from '@postrider/kit/grpc/credentials.ts'
import { type GrpcMethod, methodsOf, passBytes } from '@postrider/kit/grpc/definition.ts'
import { serveGrpc } from '@postrider/kit/grpc/serve.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'

export const [ofGateway, ofIntake] = ['the token of the gateway', 'the token of intake']
export const tlsFolder = join(import.meta.dirname, 'tls')
export const keyFile = join(tlsFolder, 'key.pem')
export const tlsOf = (name: string): PeerTls => ({
  caFile: join(tlsFolder, 'authority.pem'),
  certFile: join(tlsFolder, `${name}.pem`),
  keyFile,
})

export const callers: AllowedMethods = { gateway: ['Create', 'Get', 'List'], intake: ['Get'] }
export const spec = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  messageBytes: 64 * 2 ** 20,
  methods: {},
  callers,
}
export const methods = Object.fromEntries(methodsOf(spec).map((method) => [method.name, method])) as Record<
  string,
  GrpcMethod
>
export const health = '/grpc.health.v1.Health'
export const byTokens: PeerSecurity = { token: null, callers: { gateway: [ofGateway], intake: [ofIntake] } }

/** Serves gRPC methods that return nothing, to callers with tokens or certificates. */
export const serve = async (security: PeerSecurity = byTokens, now = Date.now) => {
  const received: string[] = []
  const warned: object[] = []
  const note = (name: string) => async () => {
    received.push(name)
    return {}
  }
  const implementation = Object.fromEntries(methodsOf(spec).map(({ name }) => [name, note(name)]))
  const metrics = makeMetrics(grpcServerMetrics)
  const server = await serveGrpc<[object]>({
    ...security,
    port: 0,
    host: '127.0.0.1',
    log: { error: () => {}, warn: (fields: unknown) => void warned.push(fields as object) },
    metrics,
    ready: () => true,
    now,
    services: [{ spec, implementation }],
  })
  const denied = async (reason: string): Promise<number> => {
    const { values } = await metrics.grpcDenied.get()
    return values.find(({ labels }) => labels.reason === reason)?.value ?? 0
  }
  return { received, warned, denied, port: server.port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

export const connect = (port: number, tls?: PeerTls) => {
  const channel = tls ? clientCredentials(tls) : credentials.createInsecure()
  const client = new Client(`localhost:${port}`, channel, { 'grpc.max_send_message_length': -1 })
  return { client, [Symbol.dispose]: () => client.close() }
}

export type CallOptions = { token?: string | null; headers?: Record<string, string>; message?: Buffer }

export const metadataOf = ({ token = null, headers = {} }: CallOptions): Metadata => {
  const metadata = new Metadata()
  if (token !== null) metadata.set('authorization', `Bearer ${token}`)
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  return metadata
}

export const deadline = () => Date.now() + 50_000

/** @returns the gRPC status */
export const call = (client: Client, path: string, options: CallOptions = {}): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const { message = Buffer.alloc(0) } = options
  client.makeUnaryRequest(
    path,
    passBytes,
    passBytes,
    message,
    metadataOf(options),
    { deadline: deadline() },
    (error: ServiceError | null) => resolve(error?.code ?? status.OK),
  )
  return promise
}

/** Begins a call without a token and does not end it. `answered` is its gRPC status. */
export const openStream = (session: ClientHttp2Session, path: string, over: Record<string, string> = {}) => {
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...over }
  const stream = session.request(headers, { endStream: false })
  stream.on('error', () => {}).resume()
  const { promise: answered, resolve } = Promise.withResolvers<number>()
  for (const event of ['response', 'trailers'])
    stream.on(event, (received) => {
      if (received['grpc-status'] !== undefined) resolve(Number(received['grpc-status']))
    })
  return { stream, answered }
}
