import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ChannelCredentials, Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { until } from '../../../test/support/until.ts'
import { Fault } from '../fault.ts'
import { makeMetrics } from '../metrics.ts'
import { clientCredentials, type WireTls } from './credentials.ts'
import { type GrpcMethod, methodsOf } from './definition.ts'
import { askHealth } from './health.ts'
import type { Served } from './perform.ts'
import { serveGrpc } from './serve.ts'

const token = 'a token that both ends of the wire know'
const mebibyte = 2 ** 20
const unlimited = { 'grpc.max_send_message_length': -1, 'grpc.max_receive_message_length': -1 }
const tlsFolder = join(import.meta.dirname, '../../../test/support/tls')
const [certFile, keyFile] = [join(tlsFolder, 'cert.pem'), join(tlsFolder, 'key.pem')]
const tls: WireTls = { caFile: certFile, certFile, keyFile }

const wire = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  messageBytes: 4 * mebibyte,
  methods: {},
}
const create = methodsOf(wire).find(({ name }) => name === 'Create') as GrpcMethod

type Functions = Record<'Create' | 'Get' | 'List', (request: object) => Promise<object>>

const serve = async (
  implementation: Partial<Functions> = {},
  more: Partial<Pick<Parameters<typeof serveGrpc>[0], 'ready' | 'tls' | 'port' | 'host' | 'alsoTaken'>> = {},
) => {
  const asked: object[] = []
  const echo = async (request: object): Promise<object> => {
    asked.push(request)
    return request
  }
  const service: Served<object> = { wire, implementation: { Create: echo, Get: echo, List: echo, ...implementation } }
  const log = { error: () => {}, warn: () => {} }
  const metrics = makeMetrics()
  const given = { port: 0, host: '127.0.0.1', token, log, metrics, ready: () => true, ...more }
  const server = await serveGrpc<[object]>({ ...given, services: [service] })
  const stop = () => server[Symbol.asyncDispose]()
  return { asked, metrics, port: server.port, stop, [Symbol.asyncDispose]: stop }
}

const connect = (port: number, given: ChannelCredentials = credentials.createInsecure()) => {
  const client = new Client(`localhost:${port}`, given, unlimited)
  return { client, [Symbol.dispose]: () => client.close() }
}

type Asking = { path?: string; authorization?: string | null }

/** One call, of bytes as they are. @returns its status, and the reply where there is one */
const ask = (client: Client, message: Buffer, { path, authorization }: Asking = {}) => {
  const metadata = new Metadata()
  if (authorization !== null) metadata.set('authorization', authorization ?? `Bearer ${token}`)
  const { promise, resolve } = Promise.withResolvers<{ code: number; details: string; reply: Buffer | null }>()
  const asItIs = (bytes: Buffer): Buffer => bytes
  client.makeUnaryRequest(
    path ?? create.path,
    asItIs,
    asItIs,
    message,
    metadata,
    { deadline: Date.now() + 10_000 },
    (error: ServiceError | null, reply) =>
      resolve({ code: error?.code ?? status.OK, details: error?.details ?? '', reply: reply ?? null }),
  )
  return promise
}

const request = create.request.encode({ workspace: 'ws', name: 'n', subject: 's' })

/** One call with its message packed: what a client of ours never sends. @returns its gRPC status */
const askPacked = async (port: number, packed: Buffer): Promise<string> => {
  const session = connectHttp2(`http://localhost:${port}`)
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
  frame.writeUInt32BE(packed.length, 1)
  stream.end(Buffer.concat([frame, packed]))
  const [headers] = await once(stream, 'response')
  session.destroy()
  return String(headers['grpc-status'])
}

describe('a gRPC server', () => {
  it('takes no call without the right token, and none of its message', async () => {
    await using server = await serve()
    using open = connect(server.port)
    const wrong = ['', token, 'Bearer', 'Bearer ', `Bearer ${token}x`, `bearer ${token}`, `Bearer ${token.slice(1)}`]
    for (const authorization of [null, ...wrong]) {
      const { code } = await ask(open.client, request, { authorization })
      assert.equal(code, status.UNAUTHENTICATED, String(authorization))
    }
    const large = await ask(open.client, Buffer.alloc(70 * mebibyte), { authorization: null })
    assert.ok(large.code === status.UNAUTHENTICATED || large.code === status.RESOURCE_EXHAUSTED)
    const gather = await ask(open.client, request, { authorization: null, path: '/postrider.wire.v1.Wire/Gather' })
    assert.equal(gather.code, status.UNAUTHENTICATED)
    assert.deepEqual(server.asked, [])
    assert.equal((await ask(open.client, request)).code, status.OK)
  })

  it('is reached by IPv6 and by IPv4', async function () {
    if (!Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))) this.skip()
    await using server = await serve({}, { host: undefined })
    for (const host of ['[::1]', '127.0.0.1']) {
      const client = new Client(`${host}:${server.port}`, credentials.createInsecure(), unlimited)
      assert.equal((await ask(client, request)).code, status.OK, host)
      client.close()
    }
  })

  it('takes the tokens it was told to take beside its own', async () => {
    const next = 'a token that takes the place of the first'
    await using server = await serve({}, { alsoTaken: [next] })
    using open = connect(server.port)
    for (const authorization of [`Bearer ${token}`, `Bearer ${next}`]) {
      assert.equal((await ask(open.client, request, { authorization })).code, status.OK)
    }
    const both = await ask(open.client, request, { authorization: `Bearer ${token},${next}` })
    assert.equal(both.code, status.UNAUTHENTICATED)
  })

  it('outlives a message that is too large, and many that unpack to one', async () => {
    await using server = await serve()
    using open = connect(server.port)
    assert.equal((await ask(open.client, Buffer.alloc(70 * mebibyte))).code, status.RESOURCE_EXHAUSTED)
    const bomb = gzipSync(Buffer.alloc(500 * mebibyte))
    const before = process.memoryUsage.rss()
    const answers = await Promise.all(Array.from({ length: 10 }, () => askPacked(server.port, bomb)))
    assert.deepEqual(new Set(answers), new Set([String(status.RESOURCE_EXHAUSTED)]))
    assert.ok(process.memoryUsage.rss() - before < 200 * mebibyte)
    assert.deepEqual(server.asked, [])
    assert.equal((await ask(open.client, request)).code, status.OK)
  })

  it('tells nothing of what it serves, and nothing of itself', async () => {
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
    for (const path of paths) assert.equal((await ask(open.client, request, { path })).code, status.UNIMPLEMENTED, path)
    const garbage = await ask(open.client, Buffer.from('ffffffffffffffffff', 'hex'))
    const broken = await ask(open.client, Buffer.alloc(0), { path: create.path.replace('Create', 'Get') })
    for (const { code, details } of [garbage, broken]) assert.deepEqual([code, details], [status.INTERNAL, ''])
  })

  it('ignores fields it doesn’t know and fills in those that an older caller doesn’t', async () => {
    await using server = await serve()
    using open = connect(server.port)
    // Field 99 as a varint, field 100 as a text.
    const unknown = Buffer.from('9806' + '01' + 'a206' + '02' + '6869', 'hex')
    const { code, reply } = await ask(open.client, Buffer.concat([request, unknown]))
    assert.equal(code, status.OK)
    assert.deepEqual({ ...server.asked[0] }, { workspace: 'ws', name: 'n', subject: 's', actor: '' })
    const answered = create.reply.decode(Buffer.concat([reply ?? Buffer.alloc(0), unknown]))
    assert.deepEqual({ ...answered }, { ...create.reply.decode(Buffer.alloc(0)), name: 'n', subject: 's' })
  })

  it('tells its health to whoever asks, for each service and the whole, as it is ready', async () => {
    const state = { ready: true }
    await using server = await serve({}, { ready: async () => state.ready })
    using open = connect(server.port)
    const health = () => Promise.all(['', wire.name, 'unknown'].map((name) => askHealth(open.client, name, 1_000)))
    assert.deepEqual(await health(), [true, true, false])
    state.ready = false
    await until('it is not serving', async () => (await health()).every((serving) => !serving) || undefined)
    state.ready = true
    await until('it serves again', async () => (await health())[1] || undefined)
  })

  it('finishes the call in hand when it stops, and takes none after', async () => {
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<object>()
    const server = await serve({
      Create: () => {
        begun.resolve()
        return done.promise
      },
    })
    using open = connect(server.port)
    using probe = connect(server.port)
    const answer = ask(open.client, request)
    await begun.promise
    await askHealth(probe.client, wire.name, 1_000)
    const stopped = server.stop()
    assert.equal(await askHealth(probe.client, wire.name, 1_000), false)
    const path = create.path.replace('Create', 'Get')
    using late = connect(server.port)
    await until('it takes nothing', async () => (await ask(late.client, request, { path })).code !== 0 || undefined)
    done.resolve({ name: 'finished' })
    const { code, reply } = await answer
    assert.equal(code, status.OK)
    assert.match(String(reply), /finished/)
    await stopped
  })

  it('says in plain words that its port is in use', async () => {
    await using server = await serve()
    await assert.rejects(serve({}, { port: server.port }), (thrown: unknown) => {
      assert.ok(thrown instanceof Fault && thrown.code === 'conflict')
      assert.match(thrown.message, /in use/)
      return true
    })
  })

  it('counts its calls by method and status', async () => {
    await using server = await serve()
    using open = connect(server.port)
    await ask(open.client, request)
    const text = await server.metrics.registry.metrics()
    assert.match(text, /postrider_grpc_server_duration_seconds_count\{.*method="Create",code="OK"\} 1/)
  })

  it('with mutual TLS takes nobody without a certificate, nor anybody without the token', async () => {
    await using server = await serve({}, { tls })
    using ours = connect(server.port, clientCredentials(tls))
    assert.equal((await ask(ours.client, request)).code, status.OK)
    assert.equal((await ask(ours.client, request, { authorization: null })).code, status.UNAUTHENTICATED)
    using bare = connect(server.port, ChannelCredentials.createSsl(readFileSync(certFile)))
    using plain = connect(server.port)
    for (const { client } of [bare, plain]) assert.equal((await ask(client, request)).code, status.UNAVAILABLE)
    assert.equal(server.asked.length, 1)
  })
})
