import assert from 'node:assert/strict'
import { Client, credentials, Metadata, Server, ServerCredentials } from '@grpc/grpc-js'
import { service } from 'grpc-health-check'
import { hangMs, until } from '../../../test/support/until.ts'
import { healthOf, serveHealth } from './health.ts'

const name = 'postrider.templates.v1.Templates'

type Codec = {
  path: string
  requestSerialize(request: object): Buffer
  responseDeserialize(bytes: Buffer): { status: string }
}

/** Serves health with a readiness that counts its reads. */
const serve = async (ready: () => Promise<boolean> | boolean) => {
  const stack = new AsyncDisposableStack()
  const server = new Server()
  let reads = 0
  const health = stack.use(
    await serveHealth(server, {
      names: [name],
      ready: () => {
        reads += 1
        return ready()
      },
    }),
  )
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
    error ? reject(error) : resolve(port),
  )
  const client = new Client(`127.0.0.1:${await promise}`, credentials.createInsecure())
  stack.defer(() => server.forceShutdown())
  stack.defer(() => client.close())
  const watch = () => {
    const { path, requestSerialize, responseDeserialize } = service['Watch'] as Codec
    const statuses: string[] = []
    const stream = client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { service: name },
      new Metadata(),
    )
    stream.on('data', ({ status }: { status: string }) => statuses.push(status))
    stream.on('error', () => {})
    return { statuses, stream }
  }
  return {
    health,
    reads: () => reads,
    isServing: async () => (await healthOf(client, name, hangMs)).isServing,
    watch,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('health service', () => {
  // It read the readiness twice a second, and each read was a command of the store, although no client requested it.
  it('reads the readiness when it starts and when a client requests it', async () => {
    const state = { isReady: true }
    await using server = await serve(() => state.isReady)
    assert.equal(server.reads(), 1)
    assert.deepEqual([await server.isServing(), server.reads()], [true, 2])
    state.isReady = false
    assert.deepEqual([await server.isServing(), server.reads()], [false, 3])
  })

  it('is not serving while the readiness cannot be read, nor when the process stops', async () => {
    const state = { fails: true }
    await using server = await serve(async () => {
      if (state.fails) throw new Error('Connection refused')
      return true
    })
    assert.equal(await server.isServing(), false)
    state.fails = false
    assert.equal(await server.isServing(), true)
    server.health.drain()
    assert.deepEqual([await server.isServing(), server.reads()], [false, 3])
  })

  it('reports the last result while a read does not end', async () => {
    const later = Promise.withResolvers<boolean>()
    const results: (boolean | Promise<boolean>)[] = [true, later.promise]
    await using server = await serve(() => results.shift() ?? false)
    assert.equal(await server.isServing(), true)
    later.resolve(false)
    assert.equal(await server.isServing(), false)
  })

  // Regression: a watch got its status again twice a second.
  it('sends a watch each change once, and reads no more when the watch ends', async () => {
    const state = { isReady: true }
    await using server = await serve(() => state.isReady)
    const { statuses, stream } = server.watch()
    const afterReads = async (count: number): Promise<void> => {
      const first = server.reads()
      await until(`${count} more reads`, () => server.reads() >= first + count || undefined)
    }
    await until('it has a status', () => statuses.length > 0 || undefined)
    await afterReads(2)
    assert.deepEqual(statuses, ['SERVING'])
    state.isReady = false
    await until('it has a change', () => statuses.length > 1 || undefined)
    await afterReads(2)
    assert.deepEqual(statuses, ['SERVING', 'NOT_SERVING'])
    stream.cancel()
    let last = server.reads()
    const haveStopped = (): true | undefined => {
      const before = last
      last = server.reads()
      return last === before || undefined
    }
    await until('reads stop', haveStopped, hangMs, 1_200)
  })
})
