import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { until } from '../../../test/support/until.ts'
import { makeMetrics } from '../metrics.ts'
import { gatherMethod } from './callBatches.ts'
import { type AllowedMethods, grpcServerMetrics } from './callHandler.ts'
import { limitedConnections } from './connections.ts'
import { clientCredentials, type PeerSecurity, type PeerTls } from './credentials.ts'
import { type GrpcMethod, methodsOf, passBytes } from './definition.ts'
import { serveGrpc } from './serve.ts'

const [ofGateway, ofIntake] = ['the token of the gateway', 'the token of intake']
const tlsFolder = join(import.meta.dirname, '../../../test/support/tls')
const keyFile = join(tlsFolder, 'key.pem')
const tlsOf = (name: string): PeerTls => ({
  caFile: join(tlsFolder, 'authority.pem'),
  certFile: join(tlsFolder, `${name}.pem`),
  keyFile,
})

const callers: AllowedMethods = { gateway: ['Create', 'Get', 'List'], intake: ['Get'] }
const spec = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  messageBytes: 64 * 2 ** 20,
  methods: {},
  callers,
}
const methods = Object.fromEntries(methodsOf(spec).map((method) => [method.name, method])) as Record<string, GrpcMethod>
const health = '/grpc.health.v1.Health'
const byTokens: PeerSecurity = { token: null, callers: { gateway: [ofGateway], intake: [ofIntake] } }

const serve = async (security: PeerSecurity = byTokens, now = Date.now) => {
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

const connect = (port: number, tls?: PeerTls) => {
  const channel = tls ? clientCredentials(tls) : credentials.createInsecure()
  const client = new Client(`localhost:${port}`, channel, { 'grpc.max_send_message_length': -1 })
  return { client, [Symbol.dispose]: () => client.close() }
}

type CallOptions = { token?: string | null; headers?: Record<string, string>; message?: Buffer }

const metadataOf = ({ token = null, headers = {} }: CallOptions): Metadata => {
  const metadata = new Metadata()
  if (token !== null) metadata.set('authorization', `Bearer ${token}`)
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  return metadata
}

const deadline = () => Date.now() + 50_000

/** @returns the gRPC status */
const call = (client: Client, path: string, options: CallOptions = {}): Promise<number> => {
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

/** Sends one call inside a batch. @returns its status, or that of the batch */
const callInBatch = (client: Client, path: string, options: CallOptions = {}): Promise<number> => {
  const { path: gather, request, reply } = gatherMethod()
  const { promise, resolve } = Promise.withResolvers<number>()
  const calls = [{ path, message: Buffer.alloc(0), timeout_ms: 20_000, headers: options.headers ?? {} }]
  const stream = client.makeServerStreamRequest(gather, request.encode, reply.decode, { calls }, metadataOf(options), {
    deadline: deadline(),
  })
  stream.on('data', ({ replies: [first] }: { replies: { code: number }[] }) => resolve(first?.code ?? -1))
  stream.on('error', (error: Error) => resolve((error as ServiceError).code))
  return promise
}

/** Begins a call without a token and does not end it. `answered` is its gRPC status. */
const openStream = (session: ClientHttp2Session, path: string, over: Record<string, string> = {}) => {
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

const forms = [
  ['alone', call],
  ['in a batch', callInBatch],
] as const

// Regression: each service used to accept the same token for every method of every service.
describe('permission of a gRPC caller', () => {
  const rights: [token: string, method: string, expected: status][] = [
    [ofGateway, 'Create', status.OK],
    [ofGateway, 'List', status.OK],
    [ofIntake, 'Get', status.OK],
    [ofIntake, 'Create', status.PERMISSION_DENIED],
    [ofIntake, 'List', status.PERMISSION_DENIED],
    ['another token', 'Get', status.UNAUTHENTICATED],
  ]
  for (const [form, send] of forms)
    it(`covers only the methods that it needs, for calls sent ${form}`, async () => {
      await using server = await serve()
      using open = connect(server.port)
      for (const [token, method, expected] of rights)
        assert.equal(await send(open.client, methods[method]?.path ?? '', { token }), expected, `${token}: ${method}`)
      assert.deepEqual(server.received, ['Create', 'List', 'Get'])
      assert.deepEqual([await server.denied('method'), await server.denied('caller')], [2, 1])
    })

  it('is logged once for each method that is denied', async () => {
    await using server = await serve()
    using open = connect(server.port)
    for (let times = 0; times < 3; times++) await call(open.client, methods['Create']?.path ?? '', { token: ofIntake })
    assert.deepEqual(server.warned, [{ caller: 'intake', method: methods['Create']?.path }])
  })

  it('is logged with the address that calls, if its token is unknown', async () => {
    await using server = await serve()
    using open = connect(server.port)
    await call(open.client, methods['Get']?.path ?? '', { token: 'another token' })
    const [line] = server.warned as Record<string, unknown>[]
    assert.deepEqual([line?.['reason'], line?.['details']], ['caller', 'missing or wrong token'])
    assert.match(String(line?.['address']), /^127\.0\.0\.1:\d+$/)
  })

  it('cannot be claimed by metadata', async () => {
    await using server = await serve()
    using open = connect(server.port)
    const headers = { 'postrider-callers': 'gateway' }
    for (const [, send] of forms) {
      const path = methods['Create']?.path ?? ''
      assert.equal(await send(open.client, path, { token: ofIntake, headers }), status.PERMISSION_DENIED)
      assert.equal(await send(open.client, path, { headers }), status.UNAUTHENTICATED)
    }
  })

  for (const [own, self] of [
    ['signed', 'templates'],
    ['gateway', 'gateway'],
  ] as const)
    it(`is that of the name in the certificate, for a server with the certificate ${own}`, async () => {
      await using server = await serve({ token: null, identity: 'certificate', self, tls: tlsOf(own) })
      const certificates: [name: string, create: status, get: status, probe: status][] = [
        ['gateway', status.OK, status.OK, status.OK],
        ['intake', status.PERMISSION_DENIED, status.OK, status.OK],
        ['stranger', status.UNAUTHENTICATED, status.UNAUTHENTICATED, status.UNAUTHENTICATED],
      ]
      for (const [name, create, get, probe] of certificates) {
        using open = connect(server.port, tlsOf(name))
        for (const [form, send] of forms) {
          assert.equal(await send(open.client, methods['Create']?.path ?? ''), create, `${name} ${form}`)
          assert.equal(
            await send(open.client, methods['Get']?.path ?? '', { token: ofGateway }),
            get,
            `${name} ${form}`,
          )
        }
        assert.equal(await call(open.client, `${health}/Check`), probe, name)
      }
    })
})

describe('gRPC health without a token', () => {
  it('responds, for a known service and for an unknown one', async () => {
    await using server = await serve()
    using open = connect(server.port)
    const service = Buffer.from(`\x0a${String.fromCharCode(spec.name.length)}${spec.name}`)
    assert.equal(await call(open.client, `${health}/Check`, { message: service }), status.OK)
    assert.equal(await call(open.client, `${health}/Check`, { message: Buffer.from('\x0a\x01x') }), status.NOT_FOUND)
    assert.equal(await call(open.client, `${health}/Check`, { token: 'wrong' }), status.UNAUTHENTICATED)
  })

  it('is limited by the number of probes of a connection, and not of a connection with a token', async () => {
    const at = Date.now()
    await using server = await serve(byTokens, () => at)
    using stranger = connect(server.port)
    using other = connect(server.port)
    const path = `${health}/Check`
    const codes = await Promise.all(Array.from({ length: 200 }, () => call(stranger.client, path)))
    const refused = codes.filter((code) => code === status.RESOURCE_EXHAUSTED).length
    assert.equal(refused, 180)
    assert.equal(await server.denied('health'), refused)
    const known = await Promise.all(Array.from({ length: 200 }, () => call(other.client, path, { token: ofIntake })))
    assert.deepEqual(new Set(known), new Set([status.OK]))
  })

  it('is possible again after a second when the clock was set back', async () => {
    const state = { now: Date.now() }
    await using server = await serve(byTokens, () => state.now)
    using stranger = connect(server.port)
    const probe = () => call(stranger.client, `${health}/Check`)
    for (let count = 0; count < 20; count++) assert.equal(await probe(), status.OK)
    assert.equal(await probe(), status.RESOURCE_EXHAUSTED)
    state.now -= 3_600_000
    assert.equal(await probe(), status.RESOURCE_EXHAUSTED)
    state.now += 1_000
    assert.equal(await probe(), status.OK)
  })

  // A peer without a token could open ten more probes each second and end none; each held 13 KB until its connection
  // reached its age.
  it('is limited by the number of open probes of a connection', async () => {
    const state = { now: 0 }
    await using server = await serve(byTokens, () => state.now)
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    await once(session, 'connect')
    const probe = () => openStream(session, `${health}/Check`)
    const probes = Array.from({ length: 20 }, probe)
    // The response shows that the server has read what was sent before.
    const answered = Promise.withResolvers<void>()
    session.ping(() => answered.resolve())
    await answered.promise
    const statusOfNext = async (): Promise<number> => {
      state.now += 1_000
      const { stream, answered } = probe()
      stream.end(Buffer.alloc(5))
      return answered
    }
    assert.equal(await statusOfNext(), status.RESOURCE_EXHAUSTED)
    for (const { stream } of probes.slice(0, 2)) stream.end(Buffer.alloc(5))
    assert.deepEqual(await Promise.all(probes.slice(0, 2).map(({ answered }) => answered)), [status.OK, status.OK])
    assert.equal(await statusOfNext(), status.OK)
    session.destroy()
  })

  // Regression: a request of a probe used to be read up to the limit of an email, 64 MiB, from anyone.
  for (const method of ['Check', 'Watch', 'List'])
    it(`refuses a long request of ${method}`, async () => {
      await using server = await serve()
      using open = connect(server.port)
      const codes = await Promise.all(
        Array.from({ length: 10 }, () => call(open.client, `${health}/${method}`, { message: Buffer.alloc(2 ** 20) })),
      )
      assert.deepEqual(new Set(codes), new Set([status.RESOURCE_EXHAUSTED]))
      assert.ok((await server.denied('health')) >= 10)
      assert.equal(await call(open.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
    })

  it('serves a limited number of watches, and removes those that end', async () => {
    await using server = await serve()
    const watch = (client: Client, name: string) => {
      const answered = Promise.withResolvers<'open' | number>()
      const message = Buffer.from(`\x0a${String.fromCharCode(name.length)}${name}`)
      const metadata = metadataOf({ token: ofIntake })
      const stream = client.makeServerStreamRequest(`${health}/Watch`, passBytes, passBytes, message, metadata, {})
      stream.on('data', () => answered.resolve('open'))
      stream.on('error', (error: Error) => answered.resolve((error as ServiceError).code))
      return { answered: answered.promise, end: () => stream.cancel() }
    }
    using open = connect(server.port)
    const names = ['', spec.name, 'unknown']
    const watches = Array.from({ length: 110 }, (_, number) => watch(open.client, names[number % 3] ?? ''))
    const answers = await Promise.all(watches.map(({ answered }) => answered))
    assert.equal(answers.filter((answer) => answer === 'open').length, 100)
    assert.equal(answers.filter((answer) => answer === status.RESOURCE_EXHAUSTED).length, 10)
    for (const { end } of watches) end()
    await until('a new watch is served', async () => {
      const { answered, end } = watch(open.client, '')
      const isOpen = (await answered) === 'open'
      end()
      return isOpen || undefined
    })
  })

  it('serves no gRPC reflection without a token', async () => {
    await using server = await serve()
    using open = connect(server.port)
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
    assert.equal(await call(open.client, path, { token: ofGateway }), status.UNIMPLEMENTED)
  })
})

describe('connections of unknown gRPC peers', () => {
  // The response did not end the stream of a client that sends no end, and each held 13 KB until its connection reached
  // its age.
  it('hold no stream of a refused call', async () => {
    await using server = await serve()
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    for (const path of [methods['Get']?.path ?? '', gatherMethod().path, '/postrider.templates.v1.Templates/Unknown']) {
      const streams = Array.from({ length: 50 }, () => openStream(session, path))
      const codes = await Promise.all(streams.map(({ answered }) => answered))
      const expected = path.endsWith('/Unknown') ? status.UNIMPLEMENTED : status.UNAUTHENTICATED
      assert.deepEqual(new Set(codes), new Set([expected]), path)
      await until('the streams are closed', () => streams.every(({ stream }) => stream.closed) || undefined)
    }
    session.destroy()
  })

  // A peer without a token could have calls refused on one connection without end, each for two thirds of the CPU of an
  // accepted one.
  it('are closed after many refused calls, even if these arrive together', async () => {
    await using server = await serve()
    using known = connect(server.port)
    const get = methods['Get']?.path ?? ''
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
    for (const [path, reason] of [
      [get, 'caller'],
      [`${health}/Check`, 'health'],
    ] as const) {
      const session = connectHttp2(`http://127.0.0.1:${server.port}`)
      session.on('error', () => {})
      const closed = new Promise((resolve) => session.once('close', resolve))
      await once(session, 'connect')
      for (let count = 0; count < 2_000; count++) openStream(session, path)
      await closed
      assert.equal(await server.denied(reason), 200)
    }
    for (let count = 0; count < 300; count++) await call(known.client, get, { token: 'wrong' })
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
  })

  // grpc-js runs no interceptors for an unknown path, and for another content type: such calls had no limit.
  const strays: [name: string, headers: Record<string, string>][] = [
    ['of unknown methods', { ':path': '/postrider.templates.v1.Templates/Unknown' }],
    ['of another content type', { 'content-type': 'text/plain' }],
    ['without a content type', { 'content-type': '' }],
  ]
  for (const [name, over] of strays)
    it(`are closed after many calls ${name}`, async () => {
      await using server = await serve()
      using known = connect(server.port)
      const get = methods['Get']?.path ?? ''
      assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
      const session = connectHttp2(`http://127.0.0.1:${server.port}`)
      session.on('error', () => {})
      const closed = new Promise((resolve) => session.once('close', resolve))
      await once(session, 'connect')
      for (let count = 0; count < 2_000; count++) openStream(session, get, over)
      await closed
      assert.ok((await server.denied('caller')) >= 200)
      assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
    })

  it('are closed after many calls of unknown methods over TLS', async () => {
    await using server = await serve({ ...byTokens, tls: tlsOf('signed') })
    const session = connectHttp2(`https://localhost:${server.port}`, {
      ca: readFileSync(join(tlsFolder, 'authority.pem')),
      cert: readFileSync(join(tlsFolder, 'intake.pem')),
      key: readFileSync(keyFile),
    })
    session.on('error', () => {})
    const closed = new Promise((resolve) => session.once('close', resolve))
    await once(session, 'connect')
    for (let count = 0; count < 2_000; count++) openStream(session, '/unknown')
    await closed
    assert.ok((await server.denied('caller')) >= 200)
  })

  it('are closed after refused calls of both kinds that arrive together', async () => {
    await using server = await serve()
    const get = methods['Get']?.path ?? ''
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    session.on('error', () => {})
    const closed = new Promise((resolve) => session.once('close', resolve))
    await once(session, 'connect')
    for (let count = 0; count < 2_000; count++) openStream(session, get, count % 2 === 0 ? {} : { ':path': '/unknown' })
    await closed
    using known = connect(server.port)
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
  })

  it('stay open for calls of unknown methods of a known peer', async () => {
    await using server = await serve()
    using known = connect(server.port)
    const get = methods['Get']?.path ?? ''
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
    for (let count = 0; count < 300; count++)
      assert.equal(await call(known.client, '/a.B/Unknown', { token: ofIntake }), status.UNIMPLEMENTED)
    assert.equal(await call(known.client, get, { token: ofIntake }), status.OK)
  })

  const opened = async (port: number): Promise<Socket> => {
    const socket = connectTcp(port, '127.0.0.1')
    socket.on('error', () => {}).resume()
    await once(socket, 'connect')
    return socket
  }

  it('are limited in number, and neither prevent nor end those of a known peer', async () => {
    await using server = await serve()
    using known = connect(server.port)
    assert.equal(await call(known.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
    const idle: Socket[] = []
    for (let count = 0; count < 250; count++) idle.push(await opened(server.port))
    await until('the oldest are closed', () => idle.filter(({ closed }) => closed).length >= 150 || undefined)
    assert.equal(await call(known.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
    using late = connect(server.port)
    assert.equal(await call(late.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
    for (const socket of idle) socket.destroy()
  })

  const fakeSocket = (remoteAddress: string, remotePort: number) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, remotePort, bytesRead: 0, destroyed: false })
    return Object.assign(socket, {
      destroy: () => {
        socket.destroyed = true
        socket.emit('close')
      },
    }) as unknown as Socket
  }

  // A flood from one address closed the connections of others before their first call.
  it('are closed for new connections of other addresses, the oldest of the address with the most connections first', () => {
    const connections = limitedConnections({ maxUnauthenticated: 5, now: () => 0 })
    const other = fakeSocket('10.0.0.2', 1)
    connections.add(other)
    const flood = Array.from({ length: 100 }, (_, port) => fakeSocket('10.0.0.1', port))
    for (const socket of flood) connections.add(socket)
    assert.equal(other.destroyed, false)
    assert.deepEqual([flood.filter(({ destroyed }) => !destroyed).length, flood.at(-1)?.destroyed], [4, false])
    connections.closeUnauthenticated()
    assert.ok(other.destroyed && flood.every(({ destroyed }) => destroyed))
  })

  // Each costs a handshake, so an unauthenticated client could use a core with them.
  it('are limited in their rate by address, unless a known peer has come from there', () => {
    const refused: string[] = []
    let at = 0
    const onTooFast = (address: string): void => void refused.push(address)
    const connections = limitedConnections({ maxUnauthenticated: 5, now: () => at, onTooFast })
    let port = 0
    const openMany = (address: string, count: number): number => {
      let accepted = 0
      for (let n = 0; n < count; n++) if (connections.add(fakeSocket(address, port++))) accepted++
      return accepted
    }
    assert.equal(openMany('10.0.0.1', 1_000), 200)
    assert.equal(openMany('::ffff:10.0.0.1', 10), 0)
    assert.equal(openMany('10.0.0.2', 100), 100)
    assert.deepEqual([...new Set(refused)], ['10.0.0.1'])
    at += 1_000
    assert.equal(openMany('10.0.0.1', 1_000), 50)
    at -= 3_600_000
    assert.equal(openMany('10.0.0.2', 50), 50, 'a clock that was set back refuses no one')
    const trusted = fakeSocket('10.0.0.3', 7)
    connections.add(trusted)
    connections.trust(() => '10.0.0.3:7')
    assert.equal(openMany('10.0.0.3', 1_000), 1_000)
    assert.equal(trusted.destroyed, false)
  })

  // In an idle installation they reached their age without a call, which counted as refused and caused an alert.
  it('are only reported if they end without a call soon after their start', () => {
    const reported: string[] = []
    let at = 0
    const onNoCall = (remote: string): void => void reported.push(remote)
    const connections = limitedConnections({ maxUnauthenticated: 5, now: () => at, onNoCall })
    const sent = (port: number): Socket => Object.assign(fakeSocket('10.0.0.1', port), { bytesRead: 303 })
    const [failed, idle, silent] = [sent(1), sent(2), fakeSocket('10.0.0.1', 3)]
    for (const socket of [failed, idle, silent]) connections.add(socket)
    at += 100
    failed.destroy()
    silent.destroy()
    at += 60_000
    idle.destroy()
    assert.deepEqual(reported, ['10.0.0.1:1'])
  })

  it('over the rate are counted', async () => {
    await using server = await serve()
    const sockets: Socket[] = []
    await until('some are refused', async () => {
      for (let n = 0; n < 100; n++)
        sockets.push(
          connectTcp(server.port, '127.0.0.1')
            .on('error', () => {})
            .resume(),
        )
      return (await server.denied('rate')) > 0 || undefined
    })
    for (const socket of sockets) socket.destroy()
  })

  const hostile: [name: string, act: (session: ClientHttp2Session) => void][] = [
    [
      'long headers',
      (session) => void session.request({ ':path': '/a', 'x-long': 'x'.repeat(70_000) }).on('error', () => {}),
    ],
    [
      'many headers',
      (session) => {
        const headers = Object.fromEntries(Array.from({ length: 2_000 }, (_, number) => [`x-${number}`, 'x']))
        session.request({ ':path': '/a', ...headers }).on('error', () => {})
      },
    ],
    [
      'many streams that end at the same time',
      (session) => {
        for (let count = 0; count < 2_000; count++) {
          const stream = session.request({ ':path': '/a', ':method': 'POST' })
          stream.on('error', () => {})
          stream.close(8)
        }
      },
    ],
    ['many pings', (session) => void Array.from({ length: 2_000 }, () => session.ping(() => {}))],
  ]
  for (const [name, act] of hostile)
    it(`do not disturb a known peer: ${name}`, async () => {
      await using server = await serve()
      const session = connectHttp2(`http://127.0.0.1:${server.port}`, {
        maxOutstandingPings: 10_000,
        maxSendHeaderBlockLength: 2 ** 24,
      } as object)
      session.on('error', () => {})
      await once(session, 'connect')
      act(session)
      using known = connect(server.port)
      assert.equal(await call(known.client, methods['Get']?.path ?? '', { token: ofIntake }), status.OK)
      session.destroy()
    })
})
