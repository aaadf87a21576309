import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Metadata, ServerInterceptingCall, status } from '@grpc/grpc-js'
import { makeMetrics } from '../metrics.ts'
import { admit } from './admit.ts'
import { grpcServerMetrics } from './callHandler.ts'
import { checkCallStreams } from './callStream.ts'
import type { Connection } from './connections.ts'

const check = (load?: () => unknown) => {
  const warnings: unknown[][] = []
  const fits = checkCallStreams({ warn: (...line: unknown[]) => void warnings.push(line) } as never, load)
  return { fits, warnings }
}

describe('streams of calls of grpc-js', () => {
  it('fit the installed version, without a warning', () => assert.deepEqual(check(), { fits: true, warnings: [] }))

  const others: [what: string, load: () => unknown, reason: RegExp][] = [
    ['whose file has moved', () => assert.fail('Cannot find module'), /cannot be loaded/],
    ['without the class', () => ({}), /no class BaseServerInterceptingCall/],
    ['without the member', () => ({ BaseServerInterceptingCall: class {} }), /no member stream/],
  ]
  for (const [what, load, reason] of others)
    it(`one warning with the reason is logged for a version ${what}`, () => {
      const { fits, warnings } = check(load)
      assert.equal(fits, false)
      assert.equal(warnings.length, 1)
      const [[fields, message] = []] = warnings as [{ library: string; reason: string }, string][]
      assert.equal(fields?.library, '@grpc/grpc-js')
      assert.match(fields?.reason ?? '', reason)
      assert.equal(message, 'patch does not fit this version, running unpatched')
    })

  // Each probe occupied its slot until its stream closed, so without a stream the probes of a connection failed from the 21st on.
  it('are not needed for health probes: a probe whose call has no stream frees its slot immediately', () => {
    let open = 0
    const probe = () => {
      open++
      return () => void open--
    }
    const connection: Connection = { countRefused: () => false, probe }
    const interceptor = admit({
      identify: () => null,
      connections: { add: () => true, of: () => connection, trust: () => {}, closeUnauthenticated: () => {} },
      byCertificate: false,
      metrics: makeMetrics(grpcServerMetrics),
      long: null,
      onRefused: () => assert.fail('refused'),
    })
    const received: Metadata[] = []
    const call = {
      getPeer: () => '127.0.0.1:1',
      start: (listener: { onReceiveMetadata(metadata: Metadata): void }) => listener.onReceiveMetadata(new Metadata()),
      sendStatus: ({ code }: { code: status }) => assert.fail(status[code]),
    }
    const admitted = interceptor({ path: '/grpc.health.v1.Health/Check' } as never, call as never)
    assert.ok(admitted instanceof ServerInterceptingCall)
    admitted.start({ onReceiveMetadata: (metadata: Metadata) => void received.push(metadata) } as never)
    assert.equal(received.length, 1)
    assert.equal(open, 0)
  })

  it('were checked against the pinned version', () => {
    const checkedVersion = '1.14.7'
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    assert.equal(
      manifest.dependencies['@grpc/grpc-js'],
      checkedVersion,
      `callStream.ts was checked against ${checkedVersion}; review the reads of \`stream\` before changing the version`,
    )
  })
})
