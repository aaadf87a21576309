import assert from 'node:assert/strict'
import { type Client, type ServiceError, status } from '@grpc/grpc-js'
import {
  type CallOptions,
  call,
  connect,
  deadline,
  health,
  metadataOf,
  methods,
  ofGateway,
  ofIntake,
  serve,
  tlsOf,
} from '../../../test/support/grpcRig.ts'
import { gatherMethod } from './callBatches.ts'

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
