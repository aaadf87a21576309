import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { type Client, type ServiceError, status } from '@grpc/grpc-js'
import {
  byTokens,
  call,
  connect,
  health,
  metadataOf,
  methods,
  ofGateway,
  ofIntake,
  openStream,
  serve,
  spec,
} from '../../../test/support/grpcRig.ts'
import { until } from '../../../test/support/until.ts'
import { passBytes } from './definition.ts'

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
