import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Http2Stream } from 'node:http2'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceDefinition,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { makeMetrics } from '../metrics.ts'
import { admit } from './admit.ts'
import { grpcServerMetrics } from './callHandler.ts'
import { callStreams } from './callStream.ts'
import type { GrpcConnection } from './connections.ts'

/** Returns a function that finds the stream of a call, and what it logged. */
const withLog = () => {
  const warnings: unknown[][] = []
  return { streamOf: callStreams({ warn: (...line: unknown[]) => void warnings.push(line) } as never), warnings }
}

/** A service with one method that returns nothing. */
const bytes = (given: Buffer): Buffer => given
const path = '/test.Empty/Get'
const empty: ServiceDefinition = {
  Get: {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
}

describe('streams of calls of grpc-js', () => {
  it('are members of the calls of the installed version, without a warning', async () => {
    const { streamOf, warnings } = withLog()
    const streams: unknown[] = []
    const note: ServerInterceptor = (_method, call) => {
      streams.push(streamOf(call))
      return new ServerInterceptingCall(call)
    }
    const server = new Server({ interceptors: [note] })
    server.addService(empty, { Get: (_call: unknown, done: sendUnaryData<Buffer>) => done(null, Buffer.alloc(0)) })
    const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', ServerCredentials.createInsecure())
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
    try {
      await new Promise<void>((resolve, reject) => {
        client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), (error) => (error ? reject(error) : resolve()))
      })
    } finally {
      client.close()
      server.forceShutdown()
    }
    assert.equal(streams.length, 1)
    assert.equal(typeof (streams[0] as Http2Stream).close, 'function')
    assert.deepEqual(warnings, [])
  })

  it('are missed with one warning by a version whose calls have none', () => {
    const { streamOf, warnings } = withLog()
    assert.deepEqual([streamOf({} as never), streamOf({} as never)], [undefined, undefined])
    assert.deepEqual(warnings, [
      [
        { library: '@grpc/grpc-js', reason: 'a call has no member stream' },
        'patch does not fit this version, running unpatched',
      ],
    ])
  })

  // Only a missing member was found: with another object there, each call failed with a TypeError.
  for (const [what, stream, missing] of [
    ['an object without methods', {}, 'once, off, prependListener, pause, resume, close'],
    ['an emitter that is no stream', new EventEmitter(), 'pause, resume, close'],
    ['null', null, 'once, off, prependListener, pause, resume, close'],
  ] as const)
    it(`are missed with one warning by a version whose calls have ${what} there`, () => {
      const { streamOf, warnings } = withLog()
      const call = { stream } as never
      assert.deepEqual([streamOf(call), streamOf(call)], [undefined, undefined])
      const reason = `the stream of a call has no ${missing}`
      assert.deepEqual(warnings, [
        [{ library: '@grpc/grpc-js', reason }, 'patch does not fit this version, running unpatched'],
      ])
    })

  // Each probe occupied its slot until its stream closed, so without a stream the probes of a connection failed from
  // the 21st on.
  it('are not needed for health probes: a probe whose call has no stream frees its slot immediately', () => {
    let open = 0
    const probe = () => {
      open++
      return () => void open--
    }
    const connection: GrpcConnection = { countRefused: () => false, probe }
    const interceptor = admit({
      identify: () => null,
      connections: { add: () => true, of: () => connection, trust: () => {}, closeUnauthenticated: () => {} },
      byCertificate: false,
      metrics: makeMetrics(grpcServerMetrics),
      long: null,
      streamOf: () => undefined,
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
