import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { until } from '../../../test/support/until.ts'
import { makeMetrics } from '../metrics.ts'
import { grpcServerMetrics } from './callHandler.ts'
import { type GrpcMethod, methodsOf, passBytes } from './definition.ts'
import { ownerHeader } from './longMessages.ts'
import { faultOf, faultTrailer } from './outcome.ts'
import { serveGrpc } from './serve.ts'

const mebibyte = 2 ** 20
const token = 'a token that client and server share'
const spec = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  messageBytes: 8 * mebibyte,
  methods: {},
}
const create = methodsOf(spec).find(({ name }) => name === 'Create') as GrpcMethod
const messageOf = (bytes: number): Buffer => create.request.encode({ workspace: 'ws', text_body: 'x'.repeat(bytes) })

/** A server that may hold `longMessageBytes`, whose calls run until `finish`. */
const serve = async (longMessageBytes: number) => {
  const running: { bytes: number; end(): void }[] = []
  let maxBytes = 0
  const runningBytes = () => running.reduce((sum, { bytes }) => sum + bytes, 0)
  const Create = (request: object): Promise<object> => {
    const { promise, resolve } = Promise.withResolvers<object>()
    const call = {
      bytes: (request as { text_body: string }).text_body.length,
      end: () => {
        running.splice(running.indexOf(call), 1)
        resolve({})
      },
    }
    running.push(call)
    maxBytes = Math.max(maxBytes, runningBytes())
    return promise
  }
  const metrics = makeMetrics(grpcServerMetrics)
  const server = await serveGrpc<[object]>({
    port: 0,
    host: '127.0.0.1',
    token,
    log: { error: () => {}, warn: () => {} },
    metrics,
    ready: () => true,
    longMessageBytes,
    services: [
      { spec, implementation: { ...Object.fromEntries(methodsOf(spec).map(({ name }) => [name, Create])), Create } },
    ],
  })
  return {
    port: server.port,
    running,
    maxBytes: () => maxBytes,
    refused: async () => (await metrics.grpcLongRefused.get()).values[0]?.value,
    runs: (count: number) => until(`${count} calls run`, () => running.length === count || undefined),
    finish: () => {
      for (const { end } of [...running]) end()
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const connect = (port: number) => {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.max_send_message_length': -1,
    // Clients of a process otherwise share connections.
    'grpc.use_local_subchannel_pool': 1,
  })
  return { client, [Symbol.dispose]: () => client.close() }
}

/** Makes a call of a workspace. `ended` is its status and the code of its fault. */
const call = (client: Client, owner: string, message: Buffer) => {
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${token}`)
  metadata.set(ownerHeader, owner)
  const { promise, resolve } = Promise.withResolvers<[code: number, fault: string | null]>()
  const sent = client.makeUnaryRequest(
    create.path,
    passBytes,
    passBytes,
    message,
    metadata,
    (error: ServiceError | null) => {
      const body = error?.metadata?.get(faultTrailer)[0]
      const fault = Buffer.isBuffer(body) ? faultOf({ code: 0, body }) : null
      resolve([error?.code ?? status.OK, fault && `${fault.code} ${fault.retryAfterMs}`])
    },
  )
  return { ended: promise, cancel: () => sent.cancel() }
}

/** Begins a call and sends only this part of its message. */
const begin = async (port: number, part: Buffer) => {
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  session.on('error', () => {})
  await once(session, 'connect')
  const headers = { ':method': 'POST', ':path': create.path, 'content-type': 'application/grpc', te: 'trailers' }
  const stream = session.request({ ...headers, authorization: `Bearer ${token}`, [ownerHeader]: 'slow' })
  stream.on('error', () => {}).resume()
  stream.write(part)
  return { session, stream }
}

const framed = (message: Buffer, isCompressed = false): Buffer => {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt8(isCompressed ? 1 : 0, 0)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

// Messages of several gateways, each below the bounds of its gateway, took two thirds of the memory of an intake.
describe('memory of long gRPC messages', () => {
  it('is bounded in total and per workspace, and does not delay short messages', async () => {
    await using server = await serve(8 * mebibyte)
    using first = connect(server.port)
    using second = connect(server.port)
    const message = messageOf(mebibyte)
    const calls = [first, second].flatMap(({ client }) =>
      Array.from({ length: 6 }, () => call(client, 'hostile', message)),
    )
    await server.runs(4)
    const others = Array.from({ length: 6 }, (_, number) => call(first.client, `good ${number}`, message))
    await server.runs(7)
    const short = call(first.client, 'hostile', messageOf(1_000))
    await server.runs(8)
    const ended = Promise.all([...calls, ...others, short].map((one) => one.ended))
    await until('all calls have run', async () => {
      server.finish()
      return (await Promise.race([ended, null])) ?? undefined
    })
    assert.deepEqual(new Set((await ended).map(([code]) => code)), new Set([status.OK]))
    assert.ok(server.maxBytes() <= 8 * mebibyte, String(server.maxBytes()))
    assert.equal(await server.refused(), 0)
  })

  it('is not used by a message that waits for it, except for its first window', async () => {
    await using server = await serve(8 * mebibyte)
    using open = connect(server.port)
    const running = call(open.client, 'slow', messageOf(5 * mebibyte))
    await server.runs(1)
    const { session, stream } = await begin(server.port, framed(messageOf(4 * mebibyte)))
    await until('the window is full', () => session.socket.bytesWritten > 60_000 || undefined)
    // The response shows that the server has read what was sent before.
    for (let round = 0; round < 10; round++) {
      const { promise, resolve } = Promise.withResolvers<void>()
      session.ping(() => resolve())
      await promise
    }
    assert.ok(session.socket.bytesWritten < 200_000, String(session.socket.bytesWritten))
    server.finish()
    await running.ended
    stream.end()
    await server.runs(1)
    server.finish()
    await once(stream, 'end')
    session.destroy()
  })

  it('is refused in time, and immediately while many messages of the workspace wait', async () => {
    await using server = await serve(mebibyte)
    using open = connect(server.port)
    const message = messageOf(500_000)
    const first = call(open.client, 'hostile', message)
    await server.runs(1)
    const waiting = Array.from({ length: 5 }, () => call(open.client, 'hostile', message))
    const unavailable = [status.UNAVAILABLE, 'unavailable 1000']
    assert.deepEqual(await Promise.race(waiting.map(({ ended }) => ended)), unavailable)
    const other = call(open.client, 'good', message)
    await server.runs(2)
    assert.deepEqual(await Promise.all(waiting.map(({ ended }) => ended)), Array(5).fill(unavailable))
    assert.equal(await server.refused(), 5)
    server.finish()
    assert.deepEqual(await Promise.all([first.ended, other.ended]), Array(2).fill([status.OK, null]))
  })

  it('is free when the client of an incomplete message disconnects', async () => {
    await using server = await serve(mebibyte)
    using open = connect(server.port)
    const message = messageOf(900_000)
    for (let round = 0; round < 3; round++) {
      const { session, stream } = await begin(server.port, framed(message).subarray(0, 500_000))
      await until('it is read', () => session.socket.bytesWritten > 500_000 || undefined)
      const leaving = await begin(server.port, framed(message))
      await until('its window is full', () => leaving.session.socket.bytesWritten > 60_000 || undefined)
      const waiting = call(open.client, 'slow', message)
      leaving.session.destroy()
      if (round === 0) stream.close(8)
      else session.destroy()
      await server.runs(1)
      server.finish()
      assert.deepEqual(await waiting.ended, [status.OK, null])
      session.destroy()
    }
  })

  it('is reserved until the call has run, even if its client left', async () => {
    await using server = await serve(mebibyte)
    using open = connect(server.port)
    const message = messageOf(900_000)
    const left = call(open.client, 'a', message)
    await server.runs(1)
    left.cancel()
    assert.deepEqual(await left.ended, [status.CANCELLED, null])
    const next = call(open.client, 'b', message)
    assert.deepEqual(await next.ended, [status.UNAVAILABLE, 'unavailable 1000'])
    server.finish()
    const last = call(open.client, 'b', message)
    await server.runs(1)
    server.finish()
    assert.deepEqual(await last.ended, [status.OK, null])
  })

  it('is that of the longest message for a compressed one', async () => {
    await using server = await serve(8 * mebibyte)
    using open = connect(server.port)
    const { session } = await begin(server.port, framed(Buffer.alloc(1_000), true).subarray(0, 100))
    const other = call(open.client, 'a', messageOf(mebibyte))
    assert.deepEqual(await other.ended, [status.UNAVAILABLE, 'unavailable 1000'])
    session.destroy()
  })
})
