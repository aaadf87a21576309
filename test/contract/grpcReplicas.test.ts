import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants, createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type QuotaRpc, quotaSpec } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { freePort } from '../support/freePort.ts'
import { tcpProxy } from '../support/tcpProxy.ts'
import { until } from '../support/until.ts'
import { clientOf, forms, patient, served } from './grpc.ts'
import { type Replica, replica } from './replicas.ts'

const reserve = { workspace: 'ws', id: 'em', count: 1, at: '2026-01-01T00:00:00.000Z' }
const reserveMs = quotaSpec.methods.Reserve.deadlineMs
/** Returns the service with another deadline for `Reserve`. */
const within = (deadlineMs: number): typeof quotaSpec => ({
  ...quotaSpec,
  methods: { ...quotaSpec.methods, Reserve: { ...quotaSpec.methods.Reserve, deadlineMs } },
})
const limits = { workspace: 'ws', monthly: 'none' }

/** Connections that end by age while calls are made. */
const enoughAges = 10

type Count = Record<string, number>

/** Makes bursts of calls until it is stopped and counts the responses of each replica. */
const keepCalling = (call: () => Promise<string>, inBurst: number) => {
  const state = { stopped: false, counts: {} as Count, thrown: [] as unknown[] }
  const one = async (): Promise<void> => {
    try {
      const name = await call()
      state.counts[name] = (state.counts[name] ?? 0) + 1
    } catch (reason) {
      state.thrown.push(reason)
    }
  }
  const run = async (): Promise<void> => {
    while (!state.stopped) await Promise.all(Array.from({ length: inBurst }, one))
  }
  const running = run()
  return {
    counts: () => ({ ...state.counts }),
    thrown: state.thrown,
    stop: async () => {
      state.stopped = true
      await running
    },
  }
}

/** A replica that accepts connections and sends nothing, like a process that is paused. */
const hangingReplica = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Responds to a call with an empty message. */
const answerEmpty = (stream: ServerHttp2Stream): void => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  stream.end(Buffer.alloc(5))
}

/**
 * A server that refuses the first streams, like a server whose connection closes, and returns an empty message for the
 * others.
 */
const refusingServer = async (refused: number) => {
  let streams = 0
  const server = createHttp2Server()
  server.on('stream', (stream) => {
    streams += 1
    stream.on('error', () => {})
    if (streams <= refused) return stream.close(constants.NGHTTP2_REFUSED_STREAM)
    answerEmpty(stream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams: () => streams,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

/** A server that responds to no call before its client has pinged it twice. */
const pingedServer = async () => {
  const pinged = Promise.withResolvers<void>()
  const server = createHttp2Server()
  let pings = 0
  server.on('session', (session) => {
    session.on('error', () => {})
    session.on('ping', () => void (++pings === 2 && pinged.resolve()))
  })
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    void pinged.promise.then(() => answerEmpty(stream))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

const addressOf = (...replicas: Replica[]): string => replicas.map(({ port }) => `localhost:${port}`).join(',')

const reserving = (quota: QuotaRpc) => async () => (await quota.Reserve(reserve)).token

/** Waits until each replica has handled more calls than before. */
const allAnswer = (calling: ReturnType<typeof keepCalling>, names: readonly string[]) => {
  const before = calling.counts()
  const more = () => names.every((name) => (calling.counts()[name] ?? 0) > (before[name] ?? 0) + 5)
  return until(`${names} answer`, () => more() || undefined)
}

describe('gRPC replica on a busy machine', () => {
  // After 2 s without a response to a ping its connection was closed, and logins in progress failed with 503.
  it('keeps its calls when it needs 2 s to respond to a ping', async () => {
    /** @returns null, or why the call failed */
    const failure = async (): Promise<unknown> => {
      await using server = await pingedServer()
      await using proxy = await tcpProxy({ to: server.address })
      proxy.latency(1_050)
      await using client = clientOf(patient(quotaSpec), proxy.address, { batch: false })
      return await client.service.SetLimits(limits).then(
        () => null,
        (thrown) => thrown,
      )
    }
    // A stall of this machine can delay one of the responses further.
    let failed = await failure()
    for (let left = 2; left > 0 && failed !== null; left--) failed = await failure()
    assert.equal(failed, null)
  })
})

/**
 * Starts replicas, which all tests of the calling `describe` share, because the start of a process costs more than a
 * test.
 */
const useReplicas = () => {
  const all: Replica[] = []
  after(async () => {
    for (const one of all) await one[Symbol.asyncDispose]()
  })
  const started = async (port?: number): Promise<Replica> => {
    const one = await replica(`replica-${all.length}`, port ?? (await freePort()))
    all.push(one)
    return one
  }
  return {
    /** Starts another replica. @param port absent: a free one */
    started,
    /** Returns two replicas that run. */
    running: async (): Promise<[Replica, Replica]> => {
      const [one, two] = all.filter((some) => some.isRunning())
      return [one ?? (await started()), two ?? (await started())]
    },
  }
}

describe('gRPC replicas', () => {
  const { started, running } = useReplicas()
  for (const { form, batch } of forms) {
    describe(`calls ${form}`, () => {
      it('the replicas receive equal shares of the calls', async () => {
        const [one, two] = await running()
        await using client = clientOf(patient(quotaSpec), addressOf(one, two), { batch })
        const calling = keepCalling(reserving(client.service), 3)
        await allAnswer(calling, [one.name, two.name])
        assert.equal(await client.ready(), true)
        const before = calling.counts()
        const total = () => Object.values(calling.counts()).reduce((sum, count) => sum + count, 0)
        const enough = total() + 200
        await until('enough calls are made', () => total() >= enough || undefined)
        await calling.stop()
        const [more, less] = [one, two]
          .map(({ name }) => (calling.counts()[name] ?? 0) - (before[name] ?? 0))
          .toSorted((a, b) => b - a)
        assert.ok((less ?? 0) > (more ?? 0) * 0.8, `${less} and ${more}`)
        assert.deepEqual(calling.thrown, [])
      })

      it('lose no repeatable call when one is killed, and receive calls again when it is back', async () => {
        const [one, two] = await running()
        await using client = clientOf(patient(quotaSpec), addressOf(one, two), { batch })
        const calling = keepCalling(reserving(client.service), 20)
        await allAnswer(calling, [one.name, two.name])
        await one.kill()
        await allAnswer(calling, [two.name])
        const back = await started(one.port)
        await allAnswer(calling, [two.name, back.name])
        await calling.stop()
        assert.deepEqual(calling.thrown, [])
      })

      it('lose no call when one stops gracefully', async () => {
        const [one, two] = await running()
        await using client = clientOf(patient(quotaSpec), addressOf(one, two), { batch })
        const setting = keepCalling(async () => (await client.service.SetLimits(limits)).monthly, 20)
        const calling = keepCalling(reserving(client.service), 20)
        await allAnswer(calling, [one.name, two.name])
        await one.stop()
        await allAnswer(calling, [two.name])
        await Promise.all([calling.stop(), setting.stop()])
        assert.deepEqual([...calling.thrown, ...setting.thrown], [])
      })

      // A client whose last replica stopped right after the other had returned failed calls for up to a second.
      it('lose no call, repeatable or not, when the only one restarts immediately', async () => {
        const SetLimits = async () => ({ monthly: 'none', daily: 'none' })
        const quota = { spec: quotaSpec, implementation: allOf({ SetLimits } as unknown as QuotaRpc) }
        const first = await served(quota, { port: await freePort() })
        const failed = Promise.withResolvers<void>()
        // A failed call reads a random number to choose its pause.
        const random = (): number => {
          failed.resolve()
          return 0
        }
        await using client = clientOf(patient(quotaSpec), first.address, { batch, random })
        await client.service.SetLimits(limits)
        await first[Symbol.asyncDispose]()
        const calls = [1, 2, 3].map(() => client.service.SetLimits(limits))
        await failed.promise
        await using back = await served(quota, { port: first.port })
        await Promise.all(calls)
        assert.equal(back.port, first.port)
      })

      it('lose no call when connections end by age', async () => {
        const SetLimits = async () => ({ monthly: 'none', daily: 'none' })
        const implementation = { SetLimits } as unknown as QuotaRpc
        await using server = await served(
          { spec: quotaSpec, implementation: allOf(implementation) },
          { connectionAgeMs: 60 },
        )
        await using proxy = await tcpProxy({ to: server.address })
        await using client = clientOf(patient(quotaSpec), proxy.address, { batch })
        const setting = keepCalling(async () => (await client.service.SetLimits(limits)).monthly, 10)
        await until('enough calls are made', () => (setting.counts()['none'] ?? 0) > 100 || undefined)
        await until('enough connections ended', () => proxy.opened() > enoughAges || undefined)
        await setting.stop()
        assert.deepEqual(setting.thrown, [])
      })

      // gRPC sends a refused call once more by itself. A busy server refuses that one as well, and the call failed.
      it('lose no call, repeatable or not, when a closing connection refuses it several times', async () => {
        await using server = await refusingServer(3)
        await using client = clientOf(patient(quotaSpec), server.address, { batch })
        await client.service.SetLimits(limits)
        assert.equal(server.streams(), 4)
      })

      // While no replica was connected, calls were also sent to one whose connection never opened, where they waited
      // until their deadline although the other replica was connected again immediately.
      it('lose no call when connections end by age while another replica hangs', async () => {
        const SetLimits = async () => ({ monthly: 'none', daily: 'none' })
        const implementation = allOf({ SetLimits } as unknown as QuotaRpc)
        await using server = await served({ spec: quotaSpec, implementation }, { connectionAgeMs: 60 })
        await using proxy = await tcpProxy({ to: server.address })
        await using hanging = await hangingReplica()
        await using client = clientOf(quotaSpec, `${proxy.address},${hanging.address}`, { batch })
        await until('the client is ready', async () => (await client.ready()) || undefined)
        const setting = keepCalling(async () => (await client.service.SetLimits(limits)).monthly, 10)
        await until('enough calls are made', () => (setting.counts()['none'] ?? 0) > 100 || undefined)
        await until('enough connections ended', () => proxy.opened() > enoughAges || undefined)
        await setting.stop()
        assert.deepEqual(setting.thrown, [])
      })

      it('make calls fail as unavailable within their deadline when none is running', async () => {
        const [killed] = await running()
        await killed.kill()
        await using client = clientOf(quotaSpec, addressOf(killed, killed), { batch })
        assert.equal(await client.ready(), false)
        // A call with a second more than this deadline fails after it, however slow the machine is.
        await using hanging = await hangingReplica()
        await using slower = clientOf(within(reserveMs + 1_000), hanging.address)
        const ended: string[] = []
        const reserving = () =>
          assert.rejects(client.service.Reserve(reserve), (thrown: unknown) => {
            assert.ok(thrown instanceof Fault && thrown.code === 'unavailable')
            assert.ok((thrown.retryAfterMs ?? 0) >= 1_000)
            return true
          })
        await Promise.all([
          reserving().then(() => ended.push('call')),
          assert.rejects(slower.service.Reserve(reserve)).then(() => ended.push('control')),
        ])
        assert.deepEqual(ended, ['call', 'control'])
      })
    })
  }
})

const allOf = (some: QuotaRpc): QuotaRpc =>
  ({
    ...Object.fromEntries(Object.keys(quotaSpec.methods).map((name) => [name, async () => ({})])),
    ...some,
  }) as QuotaRpc
