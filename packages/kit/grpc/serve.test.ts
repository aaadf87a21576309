import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { ChannelCredentials, Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { gzipBomb } from '../../../test/support/gzipBomb.ts'
import { skip } from '../../../test/support/skip.ts'
import { stall } from '../../../test/support/stall.ts'
import { hangMs, until } from '../../../test/support/until.ts'
import { Fault } from '../fault.ts'
import { makeMetrics } from '../metrics.ts'
import { grpcServerMetrics, type ServedService } from './callHandler.ts'
import { clientCredentials, type PeerTls } from './credentials.ts'
import { type GrpcMethod, methodsOf, passBytes } from './definition.ts'
import { healthOf } from './health.ts'
import { serveGrpc } from './serve.ts'

const token = 'a token that client and server share'
const mebibyte = 2 ** 20
const unlimited = { 'grpc.max_send_message_length': -1, 'grpc.max_receive_message_length': -1 }
const tlsFolder = join(import.meta.dirname, '../../../test/support/tls')
const [certFile, keyFile] = [join(tlsFolder, 'cert.pem'), join(tlsFolder, 'key.pem')]
const tls: PeerTls = { caFile: certFile, certFile, keyFile }

const spec = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  messageBytes: 4 * mebibyte,
  methods: {},
}
const create = methodsOf(spec).find(({ name }) => name === 'Create') as GrpcMethod

type Functions = Record<'Create' | 'Get' | 'List', (request: object) => Promise<object>>

const serve = async (
  implementation: Partial<Functions> = {},
  more: Partial<Pick<Parameters<typeof serveGrpc>[0], 'ready' | 'tls' | 'port' | 'host' | 'alsoAccepted'>> = {},
) => {
  const received: object[] = []
  const echo = async (request: object): Promise<object> => {
    received.push(request)
    return request
  }
  const service: ServedService<object> = {
    spec,
    implementation: { ...Object.fromEntries(methodsOf(spec).map(({ name }) => [name, echo])), ...implementation },
  }
  const log = { error: () => {}, warn: () => {} }
  const metrics = makeMetrics(grpcServerMetrics)
  const options = { port: 0, host: '127.0.0.1', token, log, metrics, ready: () => true, ...more }
  const server = await serveGrpc<[object]>({ ...options, services: [service] })
  const stop = () => server[Symbol.asyncDispose]()
  return { received, metrics, port: server.port, stop, [Symbol.asyncDispose]: stop }
}

const connect = (port: number, channelCredentials: ChannelCredentials = credentials.createInsecure()) => {
  const client = new Client(`localhost:${port}`, channelCredentials, unlimited)
  return { client, [Symbol.dispose]: () => client.close() }
}

type CallOptions = { path?: string; authorization?: string | null }

/** Makes one call with these bytes. @returns its status, and its reply, if any */
const isServing = async (client: Client, name: string): Promise<boolean> =>
  (await healthOf(client, name, hangMs)).isServing

const callWith = (client: Client, message: Buffer, { path, authorization }: CallOptions = {}) => {
  const metadata = new Metadata()
  if (authorization !== null) metadata.set('authorization', authorization ?? `Bearer ${token}`)
  const { promise, resolve } = Promise.withResolvers<{ code: number; details: string; reply: Buffer | null }>()
  client.makeUnaryRequest(
    path ?? create.path,
    passBytes,
    passBytes,
    message,
    metadata,
    { deadline: Date.now() + hangMs },
    (error: ServiceError | null, reply) =>
      resolve({ code: error?.code ?? status.OK, details: error?.details ?? '', reply: reply ?? null }),
  )
  return promise
}

const request = create.request.encode({ workspace: 'ws', name: 'n', subject: 's' })

/** Makes one call with a compressed message, which our own clients never send. @returns its gRPC status */
const callCompressed = async (port: number, compressed: Buffer): Promise<string> => {
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  // The stream reports it.
  session.on('error', () => {})
  const stream = session.request({
    ':method': 'POST',
    ':path': create.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-encoding': 'gzip',
    authorization: `Bearer ${token}`,
  })
  const frame = Buffer.alloc(5)
  frame.writeUInt8(1, 0)
  frame.writeUInt32BE(compressed.length, 1)
  stream.end(Buffer.concat([frame, compressed]))
  stream.resume()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  stream.on('error', reject)
  // A response without a message has its status in the headers, and no trailers.
  for (const event of ['response', 'trailers'])
    stream.on(event, (headers) => 'grpc-status' in headers && resolve(String(headers['grpc-status'])))
  return promise.finally(() => session.destroy())
}

describe('gRPC server', () => {
  it('rejects a call without an accepted token before it reads the message', async () => {
    await using server = await serve()
    using open = connect(server.port)
    const wrong = ['', token, 'Bearer', 'Bearer ', `Bearer ${token}x`, `bearer ${token}`, `Bearer ${token.slice(1)}`]
    for (const authorization of [null, ...wrong]) {
      const { code } = await callWith(open.client, request, { authorization })
      assert.equal(code, status.UNAUTHENTICATED, String(authorization))
    }
    const large = await callWith(open.client, Buffer.alloc(70 * mebibyte), { authorization: null })
    assert.ok(large.code === status.UNAUTHENTICATED || large.code === status.RESOURCE_EXHAUSTED)
    const gather = await callWith(open.client, request, { authorization: null, path: '/postrider.wire.v1.Wire/Gather' })
    assert.equal(gather.code, status.UNAUTHENTICATED)
    assert.deepEqual(server.received, [])
    assert.equal((await callWith(open.client, request)).code, status.OK)
  })

  it('listens on IPv6 and IPv4, on localhost too', async function () {
    if (!Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1')))
      skip(this, 'this machine has no IPv6 loopback address')
    for (const host of ['localhost', '::']) {
      await using server = await serve({}, { host })
      for (const address of ['[::1]', '127.0.0.1']) {
        const client = new Client(`${address}:${server.port}`, credentials.createInsecure(), unlimited)
        assert.equal((await callWith(client, request)).code, status.OK, `${address} of ${host}`)
        client.close()
      }
    }
  })

  // An open socket would prevent the process from ending.
  it('releases the other address of localhost if the port is in use on one', async () => {
    const occupant = createServer().listen(0, '127.0.0.1')
    await once(occupant, 'listening')
    const { port } = occupant.address() as AddressInfo
    await assert.rejects(serve({}, { host: 'localhost', port }), { code: 'conflict', message: /is in use/ })
    occupant.close()
    await once(occupant, 'close')
    await using server = await serve({}, { host: 'localhost', port })
    assert.equal(server.port, port)
  })

  it('accepts additional tokens', async () => {
    const next = 'a token that replaces the first'
    await using server = await serve({}, { alsoAccepted: [next] })
    using open = connect(server.port)
    for (const authorization of [`Bearer ${token}`, `Bearer ${next}`]) {
      assert.equal((await callWith(open.client, request, { authorization })).code, status.OK)
    }
    const both = await callWith(open.client, request, { authorization: `Bearer ${token},${next}` })
    assert.equal(both.code, status.UNAUTHENTICATED)
  })

  it('rejects a message above the limit, compressed or not, and keeps serving', async () => {
    await using server = await serve()
    using open = connect(server.port)
    assert.equal((await callWith(open.client, Buffer.alloc(70 * mebibyte))).code, status.RESOURCE_EXHAUSTED)
    const bomb = gzipBomb(500)
    const before = process.memoryUsage.rss()
    const answers = await Promise.all(Array.from({ length: 10 }, () => callCompressed(server.port, bomb)))
    assert.deepEqual(new Set(answers), new Set([String(status.RESOURCE_EXHAUSTED)]))
    assert.ok(process.memoryUsage.rss() - before < 200 * mebibyte)
    assert.deepEqual(server.received, [])
    assert.equal((await callWith(open.client, request)).code, status.OK)
  })

  it('reveals neither its methods nor the text of an internal error', async () => {
    await using server = await serve({
      Get: async () => {
        throw new Error('secret inside')
      },
    })
    using open = connect(server.port)
    const paths = [
      '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
      '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
      '/postrider.templates.v1.Templates/Unknown',
      '/postrider.templates.v1.Templates/toString',
    ]
    for (const path of paths)
      assert.equal((await callWith(open.client, request, { path })).code, status.UNIMPLEMENTED, path)
    const garbage = await callWith(open.client, Buffer.from('ffffffffffffffffff', 'hex'))
    const broken = await callWith(open.client, Buffer.alloc(0), { path: create.path.replace('Create', 'Get') })
    for (const { code, details } of [garbage, broken]) assert.deepEqual([code, details], [status.INTERNAL, ''])
  })

  it('ignores unknown fields and uses defaults for missing ones', async () => {
    await using server = await serve()
    using open = connect(server.port)
    // Field 99 as a varint, field 100 as a text.
    const unknown = Buffer.from('9806' + '01' + 'a206' + '02' + '6869', 'hex')
    const { code, reply } = await callWith(open.client, Buffer.concat([request, unknown]))
    assert.equal(code, status.OK)
    assert.deepEqual({ ...server.received[0] }, { workspace: 'ws', name: 'n', subject: 's', actor: '' })
    const answered = create.reply.decode(Buffer.concat([reply ?? Buffer.alloc(0), unknown]))
    assert.deepEqual({ ...answered }, { ...create.reply.decode(Buffer.alloc(0)), name: 'n', subject: 's' })
  })

  it('reports health without a token, per service and for the process', async () => {
    const state = { ready: true }
    await using server = await serve({}, { ready: async () => state.ready })
    using open = connect(server.port)
    const health = () => Promise.all(['', spec.name, 'unknown'].map((name) => isServing(open.client, name)))
    assert.deepEqual(await health(), [true, true, false])
    // A connection without a token may probe ten times a second. Further probes fail, as if the server were not ready.
    const everyMs = 500
    state.ready = false
    const check = async (): Promise<true | undefined> => (await health()).every((serving) => !serving) || undefined
    await until('it reports NOT_SERVING', check, hangMs, everyMs)
    state.ready = true
    await until('it reports SERVING', async () => (await health())[1] || undefined, hangMs, everyMs)
  })

  // It stopped immediately, and the store that the call needs was closed then.
  it('finishes the call in flight before it has stopped, and rejects new calls', async () => {
    const events: string[] = []
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<object>()
    const server = await serve({
      Create: () => {
        begun.resolve()
        return done.promise.finally(() => events.push('finished'))
      },
    })
    using open = connect(server.port)
    using probe = connect(server.port)
    const answer = callWith(open.client, request)
    await begun.promise
    await isServing(probe.client, spec.name)
    const stopped = server.stop().then(() => events.push('stopped'))
    assert.equal(await isServing(probe.client, spec.name), false)
    const path = create.path.replace('Create', 'Get')
    using late = connect(server.port)
    await until(
      'it rejects calls',
      async () => (await callWith(late.client, request, { path })).code === status.UNAVAILABLE || undefined,
    )
    // A server that does not wait for the call has stopped by then.
    for (let count = 0; count < 100; count++) await nextIteration()
    done.resolve({ name: 'finished' })
    const { code, reply } = await answer
    assert.equal(code, status.OK)
    assert.match(String(reply), /finished/)
    await stopped
    assert.deepEqual(events, ['finished', 'stopped'])
  })

  // Without the wait for quiet, the connections waited in the queue of the listening socket, and closing it reset them.
  it('responds on the connections that arrived while the process was busy', async () => {
    const server = await serve()
    const stopped = server.stop()
    // The pause of the stop ends during this pause, before the process polls its sockets.
    const calls = Array.from({ length: 30 }, () => callCompressed(server.port, gzipSync(request)))
    stall(500)
    const answers = await Promise.all(calls.map((call) => call.catch(({ code }: NodeJS.ErrnoException) => code)))
    assert.deepEqual(new Set(answers), new Set([String(status.OK)]))
    await stopped
  })

  // A call that was on its way on such a connection failed with “Connection dropped”, and was not repeated.
  it('sends a GOAWAY to a connection without a call before it closes it', async () => {
    const server = await serve()
    const session = connectHttp2(`http://localhost:${server.port}`)
    await once(session, 'remoteSettings')
    const events: string[] = []
    session.on('goaway', (code) => events.push(`goaway ${code}`))
    session.on('close', () => events.push('close'))
    const closed = once(session, 'close')
    await server.stop()
    await closed
    assert.deepEqual([...new Set(events)], ['goaway 0', 'close'])
  })

  it('closes a connection that sends nothing when it stops', async () => {
    const server = await serve()
    const socket = connectTcp(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    await server.stop()
    socket.resume()
    await closed
  })

  it('throws a Fault when its port is in use', async () => {
    await using server = await serve()
    await assert.rejects(serve({}, { port: server.port }), (thrown: unknown) => {
      assert.ok(thrown instanceof Fault && thrown.code === 'conflict')
      assert.match(thrown.message, /in use/)
      return true
    })
  })

  it('counts calls by method and status', async () => {
    await using server = await serve()
    using open = connect(server.port)
    await callWith(open.client, request)
    const text = await server.metrics.registry.metrics()
    assert.match(text, /postrider_grpc_server_duration_seconds_count\{.*method="Create",code="OK"\} 1/)
  })

  it('requires both a client certificate and the token with mutual TLS', async () => {
    await using server = await serve({}, { tls })
    using ours = connect(server.port, clientCredentials(tls))
    assert.equal((await callWith(ours.client, request)).code, status.OK)
    assert.equal((await callWith(ours.client, request, { authorization: null })).code, status.UNAUTHENTICATED)
    using bare = connect(server.port, ChannelCredentials.createSsl(readFileSync(certFile)))
    using plain = connect(server.port)
    for (const { client } of [bare, plain]) assert.equal((await callWith(client, request)).code, status.UNAVAILABLE)
    assert.equal(server.received.length, 1)
  })
})
