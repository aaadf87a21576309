import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type QuotaRpc, quotaSpec } from '@postrider/contracts/services.ts'
import type { Fault } from '@postrider/kit/fault.ts'
import { grpcServerMetrics } from '@postrider/kit/grpc/callHandler.ts'
import type { PeerSecurity, PeerTls } from '@postrider/kit/grpc/credentials.ts'
import { serveGrpc } from '@postrider/kit/grpc/serve.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { until } from '../../../test/support/until.ts'
import { grpcClient } from './client.ts'

const folder = join(import.meta.dirname, '../../../test/support/tls')
const tlsOf = (name: string, authority = 'authority'): PeerTls => ({
  caFile: join(folder, `${authority}.pem`),
  certFile: join(folder, `${name}.pem`),
  keyFile: join(folder, 'key.pem'),
})
const [ofGateway, ofIntake] = ['the token of the gateway', 'the token of intake']
const callers = { gateway: [ofGateway], intake: [ofIntake] }

const serve = async (security: Partial<PeerSecurity>, isServing = true) => {
  const warned: Record<string, unknown>[] = []
  const metrics = makeMetrics(grpcServerMetrics)
  const run: string[] = []
  const implementation = Object.fromEntries(
    Object.keys(quotaSpec.methods).map((name) => [
      name,
      async () => {
        run.push(name)
        return {}
      },
    ]),
  ) as unknown as QuotaRpc
  const server = await serveGrpc<[QuotaRpc]>({
    token: null,
    callers,
    ...security,
    port: 0,
    host: '127.0.0.1',
    log: { error: () => {}, warn: (fields: unknown) => void warned.push(fields as Record<string, unknown>) },
    metrics,
    ready: () => isServing,
    services: [{ spec: quotaSpec, implementation }],
  })
  const denied = async (reason: string): Promise<number> =>
    (await metrics.grpcDenied.get()).values.find(({ labels }) => labels.reason === reason)?.value ?? 0
  return { port: server.port, warned, run, denied, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

type Client = { name: string; token: string | null; tls?: PeerTls }
const intake: Client = { name: 'intake', token: ofIntake }

const clientOf = (port: number, { name, token, tls }: Client) =>
  grpcClient({ spec: quotaSpec, address: `localhost:${port}`, name, token, ...(tls && { tls }) })

/** `denied`: the reason that the server counts and logs; null: it cannot notice anything. */
type Case = {
  what: string
  server: Partial<PeerSecurity>
  client: Client
  code: string
  reason: RegExp
  denied: string | null
}
const cases: Case[] = [
  {
    what: 'its token is wrong',
    server: {},
    client: { ...intake, token: 'another token' },
    code: 'forbidden',
    reason: /rejected our token/,
    denied: 'caller',
  },
  {
    what: 'its token is missing',
    server: {},
    client: { ...intake, token: null },
    code: 'forbidden',
    reason: /rejected our token/,
    denied: 'caller',
  },
  {
    what: 'it has the token of another service',
    server: {},
    client: { ...intake, token: ofGateway },
    code: 'forbidden',
    reason: /rejected method Reserve/,
    denied: 'method',
  },
  {
    what: 'its certificate is of another authority',
    server: { tls: tlsOf('gateway') },
    client: { ...intake, tls: { ...tlsOf('cert', 'authority'), certFile: join(folder, 'cert.pem') } },
    code: 'unavailable',
    reason: /./,
    denied: 'connection',
  },
  {
    what: 'only the server uses TLS',
    server: { tls: tlsOf('gateway') },
    client: intake,
    code: 'unavailable',
    reason: /./,
    denied: 'connection',
  },
  {
    what: 'only the client uses TLS',
    server: {},
    client: { ...intake, tls: tlsOf('intake') },
    code: 'unavailable',
    reason: /./,
    denied: 'connection',
  },
]

describe('check of a peer', () => {
  it('succeeds for a caller with its token, and runs no method', async () => {
    await using server = await serve({})
    for (const client of [intake, { name: 'gateway', token: ofGateway }]) {
      await using peer = clientOf(server.port, client)
      await peer.check()
    }
    assert.deepEqual([server.run, server.warned], [[], []])
  })

  // The rollout succeeded, every pod was ready, live sends got 500, and the service that refused the calls logged
  // nothing.
  for (const { what, server: security, client, code, reason, denied } of cases)
    it(`fails with the reason when ${what}; the server logs and counts it, and a call is a 503`, async () => {
      await using server = await serve(security)
      await using peer = clientOf(server.port, client)
      await assert.rejects(peer.check(), (fault: Fault) => {
        assert.equal(fault.code, code)
        assert.match(fault.message, reason)
        return true
      })
      const call = peer.service.Reserve({ workspace: 'ws', id: 'em', count: 1, at: '' })
      await assert.rejects(call, (fault: Fault) => {
        assert.equal(fault.code, 'unavailable')
        assert.ok((fault.retryAfterMs ?? 0) > 0)
        return true
      })
      assert.deepEqual(server.run, [])
      if (denied === null) return
      await until('the refusal is counted', async () => ((await server.denied(denied)) > 0 ? true : undefined))
      assert.equal(server.warned.length, 1 + (denied === 'method' ? server.warned.length - 1 : 0))
    })

  it('names a peer that listens and is not serving', async () => {
    await using server = await serve({}, false)
    await using peer = clientOf(server.port, intake)
    await assert.rejects(peer.check(), { code: 'unavailable', message: 'not serving' })
  })

  it('names a peer that does not listen', async () => {
    const { port } = await (async () => {
      await using server = await serve({})
      return { port: server.port }
    })()
    await using peer = clientOf(port, intake)
    await assert.rejects(peer.check(), { code: 'unavailable' })
  })

  it('logs repeated refusals of a reason once a minute, with the name that the caller gives itself', async () => {
    await using server = await serve({})
    await using peer = clientOf(server.port, { ...intake, token: 'another token' })
    for (let n = 0; n < 5; n++) await assert.rejects(peer.check())
    assert.equal(server.warned.length, 1)
    assert.match(String(server.warned[0]?.['agent']), /^intake /)
    assert.ok((await server.denied('caller')) >= 5)
  })
})
